// Clusters for the bench: so many nodes, three members of etcd, and nothing else.
import type {AnyObject} from '../../source/api/meta/object.ts';
import type {NodeDescription, WorldDescription} from '../../source/world/description.ts';
import {PRESETS} from '../../source/world/presets.ts';

/** A bare cluster of three control planes and `count` workers with room for many pods. */
export function bareCluster(count: number): WorldDescription {
  const [first] = PRESETS.ha.filter(node => !node.controlPlane);
  if (!first) throw new Error('the preset has no workers');
  const capacity = {...first.capacity, cpu: '64', memory: '256Gi', pods: '250'};
  const workers = Array.from({length: count}, (_, n): NodeDescription => {
    const name = `worker-${n}`;
    const labels = {...first.labels, 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': 'abc'[n % 3] ?? 'a'};
    return {...first, name, address: `10.1.${Math.floor(n / 250)}.${(n % 250) + 1}`, labels, capacity, allocatable: capacity};
  });
  return {
    seed: 1,
    startMs: Date.UTC(2026, 10, 30),
    nodes: [...PRESETS.ha.filter(node => node.controlPlane), ...workers],
    kubeadm: false,
    metricsServer: false,
    images: [],
    programs: {},
    objects: [],
    player: {user: 'kubernetes-admin', groups: ['system:masters'], namespace: '', files: {}, allowed: []},
  };
}

/** A Deployment of so many pods, and its Service. */
export function deployment(name: string, replicas: number): readonly AnyObject[] {
  const metadata = {name, namespace: 'default'} as AnyObject['metadata'];
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        replicas,
        selector: {matchLabels: {app: name}},
        template: {
          metadata: {labels: {app: name}},
          spec: {
            containers: [
              {name: 'web', image: 'nginx:1.27', resources: {requests: {cpu: '100m', memory: '64Mi'}, limits: {memory: '128Mi'}}},
            ],
          },
        },
      },
    },
    {apiVersion: 'v1', kind: 'Service', metadata, spec: {selector: {app: name}, ports: [{port: 80, targetPort: 80}]}},
  ];
}
