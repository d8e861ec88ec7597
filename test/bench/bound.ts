// Scheduling through the API, to be set beside the real scheduler, which bound 240 pods a second of such clusters: pods that wait, nodes
// that no kubelet looks after, and schedulers that start. Each pod is heard of in a watch, decided on, bound and written an Event for,
// through RBAC, admission, validation and three members of etcd.
import type {ObjectMeta} from '../../source/api/kinds/meta.ts';
import type {AnyObject} from '../../source/api/meta/object.ts';
import type {Pod} from '../../source/api/kinds/core-v1.ts';
import {builtin} from '../../source/api/meta/resources.ts';
import {World} from '../../source/world/world.ts';
import {bareCluster} from './descriptions.ts';
import {cpuMs, type Bench} from './measure.ts';
import {fault} from './workloads.ts';

const HOSTS = ['cp-1', 'cp-2', 'cp-3'];
/** A node is taken for lost when its kubelet was not heard for 40 s; the run is over before that. */
const LONGEST_MS = 30_000;

/** The bench for a size. */
export function boundThroughApi({nodes, pods}: {readonly nodes: number; readonly pods: number}): Bench {
  return {
    name: `bound through the API, ${pods} pods on ${nodes} nodes`,
    async run() {
      const world = await World.open({description: bareCluster(0), hostNow: () => performance.now()});
      for (const host of HOSTS) fault(world, `stop scheduler ${host}`);
      for (let n = 0; n < pods; n++) world.send(podOf(n));
      for (let n = 0; n < nodes; n++) world.send(nodeOf(n));
      await world.until(() => countOf(world, () => true) >= pods, 600_000, 500);
      const start = world.now;
      const cpu = await cpuMs(async () => {
        for (const host of HOSTS) fault(world, `start scheduler ${host}`);
        await world.until(() => countOf(world, isBound) >= pods, LONGEST_MS, 500);
      });
      const bound = countOf(world, isBound);
      return [
        {name: 'bound', value: bound / (cpu / 1000), unit: 'pods/s of CPU', goal: 'more than 240'},
        {name: 'bound in all', value: bound, unit: ''},
        {name: 'virtual time', value: (world.now - start) / 1000, unit: 's'},
      ];
    },
  };
}

function podOf(n: number): AnyObject {
  const resources = {requests: {cpu: '100m', memory: '64Mi'}};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {name: `web-${n}`, namespace: 'default', labels: {app: 'web'}} as unknown as ObjectMeta,
    spec: {containers: [{name: 'web', image: 'nginx:1.27', resources}]},
  } as AnyObject;
}

function nodeOf(n: number): AnyObject {
  const size = {cpu: '64', memory: '256Gi', pods: '110'};
  const name = `worker-${n}`;
  const labels = {'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': 'abc'[n % 3] ?? 'a'};
  const conditions = [{type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status'}];
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {name, labels} as unknown as ObjectMeta,
    status: {capacity: size, allocatable: size, conditions},
  } as AnyObject;
}

function isBound(pod: Pod): boolean {
  return pod.spec.nodeName !== undefined;
}

function countOf(world: World, counts: (pod: Pod) => boolean): number {
  return (world.spectator.all(builtin('pods'), 'default') as readonly Pod[]).filter(counts).length;
}
