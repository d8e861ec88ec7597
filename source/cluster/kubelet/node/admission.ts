// Whether a node takes a pod that was bound to it. The scheduler has asked the same before, but a pod may come with a node's
// name of its own, and two schedulers may have given the same room away.
import type {Node, NodeSelectorRequirement, NodeSelectorTerm, Pod} from '../../../api/kinds/core-v1.ts';
import {amountsOf, isExtendedResource, podRequests, qosClass, type Amounts} from '../../../api/meta/pod-resources.ts';
import {mapMatcher} from '../../../api/meta/selector.ts';
import {isStatic} from '../static-pods/manifest-pod.ts';
import {forbiddenSysctl} from './sysctls.ts';

export interface Rejection {
  readonly reason: string;
  readonly message: string;
}

/** A port of the node, such as `TCP 8080`, and at which of its addresses. */
interface HostPort {
  readonly port: string;
  readonly ip: string;
}

const EVERYWHERE = '0.0.0.0';

/** What the pods of a node take of it, kept as they come and go. */
export class NodeRoom {
  readonly #pods = new Map<string, Pod>();
  readonly #used = new Map<string, number>();
  /** There may be more room than before. */
  onRelease: (() => void) | undefined;

  get count(): number {
    return this.#pods.size;
  }

  used(resource: string): number {
    return this.#used.get(resource) ?? 0;
  }

  take(pod: Pod): void {
    const {uid} = pod.metadata;
    if (this.#pods.has(uid)) return;
    this.#pods.set(uid, pod);
    this.#add(pod, 1);
  }

  /** The pod has ended, or will never run. */
  release(uid: string): void {
    const pod = this.#pods.get(uid);
    if (!pod) return;
    this.#pods.delete(uid);
    this.#add(pod, -1);
    this.onRelease?.();
  }

  /** What all pods but one take. */
  usedByOthers(resource: string, uid: string): number {
    const own = this.#pods.get(uid);
    return this.used(resource) - (own ? (podRequests(own.spec)[resource] ?? 0) : 0);
  }

  /** A pod takes another share than before. */
  exchange(pod: Pod): void {
    const before = this.#pods.get(pod.metadata.uid);
    if (!before) return;
    this.#add(before, -1);
    this.#pods.set(pod.metadata.uid, pod);
    this.#add(pod, 1);
    this.onRelease?.();
  }

  /** Is a port of the host in use, at an address that the other one would have too? */
  holdsPort(wanted: HostPort): boolean {
    for (const pod of this.#pods.values())
      for (const {port, ip} of hostPorts(pod))
        if (port === wanted.port && (ip === wanted.ip || ip === EVERYWHERE || wanted.ip === EVERYWHERE)) return true;
    return false;
  }

  #add(pod: Pod, sign: 1 | -1): void {
    const requests = podRequests(pod.spec);
    for (const resource in requests) this.#used.set(resource, this.used(resource) + sign * (requests[resource] ?? 0));
  }
}

const NOTHING = Object.freeze({});

/** Why the pod cannot run here; undefined when it can. */
export function admitPod(
  pod: Pod,
  node: Node,
  room: NodeRoom,
  {pressures = toldOf(node), sysctls = NO_SYSCTLS}: AdmissionFacts = NOTHING,
): Rejection | undefined {
  return (
    pressure(pod, node, pressures) ??
    forbiddenSysctl(pod, sysctls) ??
    foreignSystem(pod) ??
    fitsResources(pod, node, room) ??
    (matchesNode(pod, node) ? undefined : predicate('NodeAffinity', "node(s) didn't match Pod's node affinity/selector")) ??
    (portsFree(pod, room) ? undefined : predicate('NodePorts', "node(s) didn't have free ports for the requested pod ports")) ??
    (isStatic(pod) || tolerates(pod, node)
      ? undefined
      : predicate('TaintToleration', "node(s) had taints that the pod didn't tolerate"))
  );
}

const SYSTEM = 'kubernetes.io/os';

/** All nodes here run Linux. */
function foreignSystem({spec}: Pod): Rejection | undefined {
  if ((spec.nodeSelector?.[SYSTEM] ?? 'linux') !== 'linux')
    return {
      reason: 'PodOSSelectorNodeLabelDoesNotMatch',
      message: `Failed to admit pod as the \`${SYSTEM}\` label doesn't match node label`,
    };
  if (!spec.os || spec.os.name === 'linux') return undefined;
  return {reason: 'PodOSNotSupported', message: "Failed to admit pod as the OS field doesn't match node OS"};
}

interface AdmissionFacts {
  /** What the node is short of, where that is known better than from its Node. */
  readonly pressures?: Pressures;
  /** Settings of the kernel that pods may change besides the safe ones. */
  readonly sysctls?: readonly string[];
}

const NO_SYSCTLS: readonly string[] = Object.freeze([]);

function predicate(name: string, why: string): Rejection {
  return {reason: name, message: `Predicate ${name} failed: ${why}`};
}

/** What a node is short of. */
interface Pressures {
  readonly memoryPressure: boolean;
  readonly diskPressure: boolean;
}

function toldOf(node: Node): Pressures {
  return {memoryPressure: isTrue(node, 'MemoryPressure'), diskPressure: isTrue(node, 'DiskPressure')};
}

function isTrue(node: Node, type: string): boolean {
  return node.status?.conditions?.some(each => each.type === type && each.status === 'True') === true;
}

/** Of its memory and disk the kubelet knows better than its own Node, which is told of it later. */
function pressure(pod: Pod, node: Node, {memoryPressure, diskPressure}: Pressures): Rejection | undefined {
  const on = [
    ...(memoryPressure ? ['MemoryPressure'] : []),
    ...(diskPressure ? ['DiskPressure'] : []),
    ...(isTrue(node, 'PIDPressure') ? ['PIDPressure'] : []),
  ];
  if (on.length === 0 || isCritical(pod)) return undefined;
  if (on.length === 1 && on[0] === 'MemoryPressure' && qosClass(pod.spec) !== 'BestEffort') return undefined;
  return {reason: 'Evicted', message: `The node had condition: [${on.join(', ')}]. `};
}

/** Pods that a node cannot do without. */
export function isCritical(pod: Pod): boolean {
  return (pod.spec.priority ?? 0) >= 2_000_000_000;
}

const allocatables = new WeakMap<object, Amounts>();

function fitsResources(pod: Pod, node: Node, room: NodeRoom): Rejection | undefined {
  const allocatable = node.status?.allocatable ?? NOTHING;
  const most = allocatables.get(allocatable) ?? amountsOf(allocatable);
  allocatables.set(allocatable, most);
  const short = (resource: string, wanted: number, used: number): Rejection => ({
    reason: `OutOf${resource}`,
    message: `Node didn't have enough resource: ${resource}, requested: ${wanted}, used: ${used}, capacity: ${most[resource] ?? 0}`,
  });
  if (room.count + 1 > (most['pods'] ?? Infinity)) return short('pods', 1, room.count);
  const requests = podRequests(pod.spec);
  for (const resource in requests) {
    const wanted = requests[resource] ?? 0;
    // Of a resource that the node does not know at all it cannot say that there is too little.
    if (isExtendedResource(resource) && most[resource] === undefined) continue;
    const used = room.used(resource);
    if (wanted > 0 && used + wanted > (most[resource] ?? 0)) return short(resource, wanted, used);
  }
  return undefined;
}

function portsFree(pod: Pod, room: NodeRoom): boolean {
  return !hostPorts(pod).some(port => room.holdsPort(port));
}

function hostPorts(pod: Pod): HostPort[] {
  const ports: HostPort[] = [];
  for (const {ports: list = []} of pod.spec.containers)
    for (const {hostPort, protocol = 'TCP', hostIP} of list)
      if (hostPort) ports.push({port: `${protocol} ${hostPort}`, ip: hostIP || EVERYWHERE});
  return ports;
}

/** Only taints that would drive the pod away again count here. */
function tolerates(pod: Pod, node: Node): boolean {
  for (const taint of node.spec?.taints ?? []) {
    if (taint.effect !== 'NoExecute') continue;
    const tolerated = pod.spec.tolerations?.some(
      ({key, operator = 'Equal', value = '', effect}) =>
        (!effect || effect === taint.effect) &&
        (!key || key === taint.key) &&
        (operator === 'Exists' || (taint.value ?? '') === value),
    );
    if (!tolerated) return false;
  }
  return true;
}

function matchesNode(pod: Pod, node: Node): boolean {
  const {nodeSelector, affinity} = pod.spec;
  if (nodeSelector && !mapMatcher(nodeSelector)(node.metadata.labels)) return false;
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || required.nodeSelectorTerms.some(term => matchesTerm(term, node));
}

function matchesTerm({matchExpressions = [], matchFields = []}: NodeSelectorTerm, node: Node): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  return (
    matchExpressions.every(each => matches(each, node.metadata.labels?.[each.key])) &&
    matchFields.every(each => matches(each, each.key === 'metadata.name' ? node.metadata.name : undefined))
  );
}

function matches({operator, values = []}: NodeSelectorRequirement, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0]);
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
}
