// Pods for table tests.
import type {Pod} from '../../../api/kinds/core-v1.ts';

/** What of a pod matters to a test. */
export interface PodTraits {
  readonly node?: string;
  readonly phase?: string;
  readonly ready?: boolean;
  readonly readySince?: string;
  readonly cost?: number;
  readonly restarts?: number;
  readonly created?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly terminating?: boolean;
  readonly owner?: string;
  readonly ip?: string;
}

/** A pod with some traits: running, not ready, without a node, where nothing else is said. */
export function aPod(name: string, traits: PodTraits = {}): Pod {
  const {node, phase = 'Running', ready = false, readySince = '2026-11-30T04:00:00Z', cost, restarts = 0, created, ip} = traits;
  const annotations = cost === undefined ? {} : {annotations: {'controller.kubernetes.io/pod-deletion-cost': String(cost)}};
  const owners = traits.owner
    ? {ownerReferences: [{apiVersion: 'apps/v1', kind: 'ReplicaSet', name: traits.owner, uid: traits.owner, controller: true}]}
    : {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      uid: name,
      resourceVersion: '1',
      creationTimestamp: created ?? '2026-11-30T03:00:00Z',
      labels: traits.labels ?? {app: 'web'},
      ...(traits.terminating ? {deletionTimestamp: '2026-11-30T04:00:00Z'} : {}),
      ...annotations,
      ...owners,
    },
    spec: {containers: [{name: 'c', image: 'nginx'}], ...(node ? {nodeName: node} : {})},
    status: {
      phase,
      conditions: [{type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: readySince}],
      containerStatuses: [{name: 'c', image: 'nginx', imageID: '', ready, restartCount: restarts}],
      ...(ip ? {podIP: ip, podIPs: [{ip}]} : {}),
    },
  } as Pod;
}
