// The Node object as its kubelet makes it and keeps its status. Pure: from the machine, from what is seen, and the time.
import type {ContainerImage, Node, NodeCondition, NodeStatus} from '../../../api/kinds/core-v1.ts';
import type {Draft} from '../../../api/meta/object.ts';
import {compareStrings} from '../../../api/meta/go-text.ts';
import type {ImageStatus} from '../../../api/wire/cri.ts';
import {KUBELET_PORT} from '../../../api/wire/kubelet.ts';
import type {NodeConfig} from '../surroundings.ts';

/** What goes into the conditions. */
export interface NodeFacts {
  /** Why pods cannot be started; undefined when they can. */
  readonly notReady: string | undefined;
  readonly memoryPressure: boolean;
  readonly diskPressure: boolean;
  readonly images: readonly ImageStatus[];
  readonly volumesInUse?: readonly string[];
  /** RFC 3339. */
  readonly now: string;
}

/** A Node to register. */
export function newNode(config: NodeConfig, facts: NodeFacts): Draft<Node> {
  const {name, labels, annotations, taints, nodeInfo} = config;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'beta.kubernetes.io/arch': nodeInfo.architecture,
        'beta.kubernetes.io/os': nodeInfo.operatingSystem,
        'kubernetes.io/arch': nodeInfo.architecture,
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': nodeInfo.operatingSystem,
        ...labels,
      },
      ...(annotations ? {annotations} : {}),
    },
    spec: taints && taints.length > 0 ? {taints} : {},
    status: nodeStatus(config, undefined, facts),
  };
}

/** The status of a node; conditions keep the time of their last change. */
export function nodeStatus(config: NodeConfig, old: NodeStatus | undefined, facts: NodeFacts): NodeStatus {
  const {volumesInUse: _before, ...rest} = old ?? {};
  const {volumesInUse = []} = facts;
  return {
    ...rest,
    ...(volumesInUse.length > 0 ? {volumesInUse} : {}),
    addresses: config.addresses,
    allocatable: config.allocatable,
    capacity: config.capacity,
    conditions: conditionsOf(old?.conditions ?? [], facts),
    daemonEndpoints: {kubeletEndpoint: {Port: KUBELET_PORT}},
    images: imagesOf(facts.images),
    nodeInfo: config.nodeInfo,
  };
}

/** Do two statuses differ in more than the time of a heartbeat? */
export function statusChanged(old: NodeStatus | undefined, next: NodeStatus): boolean {
  return old === undefined || withoutHeartbeat(old) !== withoutHeartbeat(next);
}

function withoutHeartbeat(status: NodeStatus): string {
  const {addresses, allocatable, capacity, conditions = [], images, nodeInfo, volumesInUse = []} = status;
  const plain = conditions.map(({type, status: word, reason, message}) => [type, word, reason, message]);
  return JSON.stringify([addresses, allocatable, capacity, plain, images ?? [], nodeInfo, volumesInUse]);
}

function conditionsOf(old: readonly NodeCondition[], {notReady, memoryPressure, diskPressure, now}: NodeFacts): NodeCondition[] {
  const made = (
    type: string,
    good: boolean,
    words: {readonly yes: readonly [string, string]; readonly no: readonly [string, string]},
  ): NodeCondition => {
    const [reason, message] = good ? words.yes : words.no;
    const status = (type === 'Ready') === good ? 'True' : 'False';
    const before = old.find(condition => condition.type === type);
    const since = before?.status === status && before.lastTransitionTime ? before.lastTransitionTime : now;
    return {lastHeartbeatTime: now, lastTransitionTime: since, message, reason, status, type};
  };
  const own = [
    made('MemoryPressure', !memoryPressure, {
      yes: ['KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
      no: ['KubeletHasInsufficientMemory', 'kubelet has insufficient memory available'],
    }),
    made('DiskPressure', !diskPressure, {
      yes: ['KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
      no: ['KubeletHasDiskPressure', 'kubelet has disk pressure'],
    }),
    made('PIDPressure', true, {
      yes: ['KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
      no: ['KubeletHasInsufficientPID', 'kubelet has insufficient PID available'],
    }),
    made('Ready', notReady === undefined, {
      yes: ['KubeletReady', 'kubelet is posting ready status'],
      no: ['KubeletNotReady', notReady ?? ''],
    }),
  ];
  const foreign = old.filter(condition => !own.some(each => each.type === condition.type));
  return [...foreign, ...own];
}

const MOST_IMAGES = 50;

/** The largest first. */
function imagesOf(images: readonly ImageStatus[]): ContainerImage[] {
  return [...images]
    .sort((a, b) => b.size - a.size || compareStrings(a.id, b.id))
    .slice(0, MOST_IMAGES)
    .map(({digests, tags, size}) => ({names: [...digests, ...tags], sizeBytes: size}));
}
