// A cluster for tests: the small API server, all controllers, and nodes that make pods run at once.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {startControllerManager, type ControllerManagerOptions} from '../start.ts';
import {FakeApi} from '../../../client/testing/fake-api.ts';

/** Starts a cluster with some nodes and the namespace `default`. */
export function aCluster(
  nodes: readonly string[] = ['node-1', 'node-2'],
  options: Partial<ControllerManagerOptions> = {},
): FakeApi {
  const api = new FakeApi('kube-controller-manager');
  for (const name of ['default', 'kube-system', 'kube-node-lease']) {
    api.create({apiVersion: 'v1', kind: 'Namespace', metadata: {name, labels: {'kubernetes.io/metadata.name': name}}});
  }
  for (const name of nodes) api.create(aNode(name));
  startControllerManager({
    daemon: api.daemon,
    host: '10.0.0.10',
    port: 6443,
    credentials: {},
    identity: 'cp-1_1',
    rootCa: 'PEM',
    podRanges: [{cidr: '10.244.0.0/16', maskSize: 24}],
    ...options,
  });
  api.run(3000);
  return api;
}

/** A node whose kubelet has just posted. */
export function aNode(name: string, more: Partial<AnyObject> = {}): AnyObject {
  const condition = {
    type: 'Ready',
    status: 'True',
    lastHeartbeatTime: '2026-11-30T04:00:00Z',
    lastTransitionTime: '2026-11-30T04:00:00Z',
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {name, labels: {'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': 'a'}},
    spec: {},
    status: {conditions: [condition]},
    ...more,
  } as unknown as AnyObject;
}

/** A Deployment of one container. */
export function aDeployment(name: string, spec: Record<string, unknown> = {}): unknown {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {name, namespace: 'default'},
    spec: {
      replicas: 2,
      progressDeadlineSeconds: 600,
      revisionHistoryLimit: 10,
      strategy: {type: 'RollingUpdate', rollingUpdate: {maxSurge: '25%', maxUnavailable: '25%'}},
      selector: {matchLabels: {app: name}},
      template: {
        metadata: {labels: {app: name}},
        spec: {terminationGracePeriodSeconds: 30, containers: [{name: 'c', image: 'nginx:1.27'}]},
      },
      ...spec,
    },
  };
}

/** What a scheduler and kubelets do: places pods that fit, makes them Running and Ready, ends those that are deleted. */
export function serveNodes(api: FakeApi, fits: (pod: Pod) => boolean = () => true): void {
  for (const pod of api.all<Pod>('pods')) {
    const key = `${pod.metadata.namespace}/${pod.metadata.name}`;
    if (pod.metadata.deletionTimestamp) {
      api.remove('pods', key, {gracePeriodSeconds: 0});
    } else if (pod.status?.phase === 'Pending' && fits(pod)) {
      api.patch('pods', key, object => running(object as unknown as Pod, api));
    }
  }
}

function running(pod: Pod, api: FakeApi): AnyObject {
  const podIP = `10.244.1.${1 + api.dice.below(250)}`;
  const ready = {type: 'Ready', status: 'True', lastTransitionTime: api.daemon.now()};
  const status = {...pod.status, phase: 'Running', podIP, podIPs: [{ip: podIP}], conditions: [ready]};
  return {...pod, spec: {...pod.spec, nodeName: pod.spec.nodeName ?? 'node-1'}, status} as unknown as AnyObject;
}

/** Lets nodes and controllers answer each other for a while. */
export function settle(api: FakeApi, ms = 2000, fits?: (pod: Pod) => boolean): void {
  for (let passed = 0; passed < ms; passed += 200) {
    serveNodes(api, fits);
    api.run(200);
  }
}

/** The events about a kind, as `REASON message`, in the order in which they were written. */
export function events(api: FakeApi, kind: string): readonly string[] {
  return api
    .all<AnyObject & {reason: string; message: string; involvedObject: {kind: string}}>('events')
    .filter(event => event.involvedObject.kind === kind)
    .toSorted((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
    .map(event => `${event.reason} ${event.message}`);
}
