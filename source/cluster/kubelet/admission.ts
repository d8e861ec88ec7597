// Whether a node takes a pod that was bound to it. The scheduler has asked the same before, but a pod may come with a node's
// name of its own, and two schedulers may have given the same room away.
import type {Node, NodeSelectorRequirement, NodeSelectorTerm, Pod} from '../../api/kinds/core-v1.ts';
import {amountsOf, podRequests, qosClass, type Amounts} from '../../api/meta/pod.ts';
import {mapMatcher} from '../../api/meta/selector.ts';

export interface Rejection {
  readonly reason: string;
  readonly message: string;
}

export interface Room {
  readonly node: Node;
  /** The pods that run here already. */
  readonly others: Iterable<Pod>;
}

/** Why the pod cannot run here; undefined when it can. */
export function admitPod(pod: Pod, {node, others}: Room): Rejection | undefined {
  const pressed = pressure(pod, node);
  if (pressed) return pressed;
  const taken = [...others];
  return (
    fitsResources(pod, node, taken) ??
    (matchesNode(pod, node) ? undefined : predicate('NodeAffinity', "node(s) didn't match Pod's node affinity/selector")) ??
    (portsFree(pod, taken) ? undefined : predicate('NodePorts', "node(s) didn't have free ports for the requested pod ports")) ??
    (tolerates(pod, node) ? undefined : predicate('TaintToleration', "node(s) had taints that the pod didn't tolerate"))
  );
}

function predicate(name: string, why: string): Rejection {
  return {reason: name, message: `Predicate ${name} failed: ${why}`};
}

function pressure(pod: Pod, node: Node): Rejection | undefined {
  const types = ['MemoryPressure', 'DiskPressure', 'PIDPressure'];
  const on = (node.status?.conditions ?? [])
    .filter(condition => types.includes(condition.type) && condition.status === 'True')
    .map(condition => condition.type);
  if (on.length === 0 || isCritical(pod)) return undefined;
  if (on.length === 1 && on[0] === 'MemoryPressure' && qosClass(pod.spec) !== 'BestEffort') return undefined;
  return {reason: 'Evicted', message: `The node had condition: [${on.join(', ')}]. `};
}

/** Pods that a node cannot do without. */
export function isCritical(pod: Pod): boolean {
  return (pod.spec.priority ?? 0) >= 2_000_000_000;
}

const allocatables = new WeakMap<object, Amounts>();

function fitsResources(pod: Pod, node: Node, others: readonly Pod[]): Rejection | undefined {
  const allocatable = node.status?.allocatable ?? {};
  const room = allocatables.get(allocatable) ?? amountsOf(allocatable);
  allocatables.set(allocatable, room);
  const short = (resource: string, wanted: number, used: number): Rejection => ({
    reason: `OutOf${resource}`,
    message: `Node didn't have enough resource: ${resource}, requested: ${wanted}, used: ${used}, capacity: ${room[resource] ?? 0}`,
  });
  const most = room['pods'] ?? Infinity;
  if (others.length + 1 > most) return short('pods', 1, others.length);
  for (const [resource, wanted] of Object.entries(podRequests(pod.spec))) {
    if (wanted === 0) continue;
    let used = 0;
    for (const other of others) used += podRequests(other.spec)[resource] ?? 0;
    if (used + wanted > (room[resource] ?? 0)) return short(resource, wanted, used);
  }
  return undefined;
}

function portsFree(pod: Pod, others: readonly Pod[]): boolean {
  const wanted = hostPorts(pod);
  if (wanted.length === 0) return true;
  const taken = new Set(others.flatMap(hostPorts));
  return !wanted.some(port => taken.has(port));
}

function hostPorts(pod: Pod): string[] {
  const ports: string[] = [];
  for (const {ports: list = []} of pod.spec.containers)
    for (const {hostPort, protocol = 'TCP'} of list) if (hostPort) ports.push(`${protocol} ${hostPort}`);
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
