// Which nodes get a daemon's pod, and how pods are replaced when the template changes.
//
// A node runs the daemon when its name, labels and taints allow it. A pod that is there stays as long as nothing drives it away,
// even where a new one would not come. Each node has one pod; with surge, an old and a new one for a while.
//
// A rolling update without surge deletes every old pod that is not available, then others as far as maxUnavailable still allows
// with those, and leaves the rest to the first rule. With surge it makes new pods beside the old ones, as far as maxSurge allows,
// and deletes an old one when the new one on its node is available.
import type {DaemonSet, DaemonSetStatus} from '../../../api/kinds/apps-v1.ts';
import type {Node, Pod} from '../../../api/kinds/core-v1.ts';
import {isAvailable, isReady, isTerminal, isTerminating} from '../../../api/meta/pod.ts';
import {suitsNode} from '../../../api/meta/node-selector.ts';
import {untolerated} from '../../../api/meta/taints.ts';
import {REVISION_HASH} from '../revisions.ts';
import {scaled} from '../scaled.ts';
import {daemonTolerations, targetNode} from './pod.ts';

export const GENERATION = 'pod-template-generation';
const GENERATION_ANNOTATION = 'deprecated.daemonset.template.generation';

/** Pods by the node that they are on or for. */
export type PodsByNode = ReadonlyMap<string, readonly Pod[]>;

/** What is looked at. */
export interface Seen {
  readonly set: DaemonSet;
  readonly nodes: readonly Node[];
  readonly pods: PodsByNode;
  /** The hash of the current revision. */
  readonly hash: string;
  readonly nowMs: number;
}

/** A pod that ended by itself, which daemons should not. */
export interface Ended {
  readonly pod: Pod;
  readonly node: string;
}

/** Pods to make and to take away. */
export interface DaemonPlan {
  /** Names of nodes. */
  readonly create: readonly string[];
  readonly remove: readonly Pod[];
  readonly failed: readonly Ended[];
  readonly succeeded: readonly Ended[];
}

/** Should a new pod come to the node, and may one that is there stay? */
export function judgeNode(set: DaemonSet, node: Node): {readonly run: boolean; readonly stay: boolean} {
  const spec = set.spec.template.spec ?? {containers: []};
  if ((spec.nodeName && spec.nodeName !== node.metadata.name) || !suitsNode(spec, node.metadata.labels, node.metadata.name))
    return NEITHER;
  const tolerations = daemonTolerations(spec);
  const {taints} = node.spec;
  if (!untolerated(taints, tolerations, ['NoSchedule', 'NoExecute'])) return BOTH;
  return {run: false, stay: !untolerated(taints, tolerations, ['NoExecute'])};
}

const NEITHER = Object.freeze({run: false, stay: false});
const BOTH = Object.freeze({run: true, stay: true});

/** Groups a daemon's pods by node; pods that have ended and are being deleted do not count. */
export function groupByNode(pods: readonly Pod[]): PodsByNode {
  const groups = new Map<string, Pod[]>();
  for (const pod of pods) {
    if (isTerminal(pod) && isTerminating(pod)) continue;
    const node = targetNode(pod);
    if (node === undefined) continue;
    const group = groups.get(node);
    if (group) group.push(pod);
    else groups.set(node, [pod]);
  }
  for (const group of groups.values()) if (group.length > 1) group.sort(byAge);
  return groups;
}

/** Pods with a node first, then the older ones. */
function byAge(a: Pod, b: Pod): number {
  const placed = Number(Boolean(b.spec.nodeName)) - Number(Boolean(a.spec.nodeName));
  if (placed !== 0) return placed;
  const left = `${a.metadata.creationTimestamp} ${a.metadata.name}`;
  const right = `${b.metadata.creationTimestamp} ${b.metadata.name}`;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** One pod on each node that should have one. */
export function planPresence(seen: Seen): DaemonPlan {
  const plan = {create: [] as string[], remove: [] as Pod[], failed: [] as Ended[], succeeded: [] as Ended[]};
  const names = new Set<string>();
  for (const node of seen.nodes) {
    names.add(node.metadata.name);
    lookAtNode(seen, node, plan);
  }
  for (const [name, pods] of seen.pods) {
    // For a node that is gone, and no scheduler will ever place them.
    if (!names.has(name)) plan.remove.push(...pods.filter(pod => !pod.spec.nodeName && !isTerminating(pod)));
  }
  return plan;
}

type Mutable = {create: string[]; remove: Pod[]; failed: Ended[]; succeeded: Ended[]};

function lookAtNode(seen: Seen, node: Node, plan: Mutable): void {
  const {name} = node.metadata;
  const {run, stay} = judgeNode(seen.set, node);
  const pods = seen.pods.get(name);
  if (!pods) {
    if (run) plan.create.push(name);
    return;
  }
  const alive = pods.filter(pod => !isTerminating(pod));
  if (!stay) {
    plan.remove.push(...alive);
    return;
  }
  const running: Pod[] = [];
  for (const pod of alive) {
    if (pod.status?.phase === 'Failed') plan.failed.push({pod, node: name});
    else if (pod.status?.phase === 'Succeeded') plan.succeeded.push({pod, node: name});
    else running.push(pod);
  }
  if (surgeOf(seen.set, 1) === 0) plan.remove.push(...running.slice(1));
  else if (running.length === 0) {
    if (run) plan.create.push(name);
  } else if (running.length > 1) plan.remove.push(...surplus(seen, running));
}

/** With surge, one old and one new pod may be there: as long as the old one is ready and the new one not available. */
function surplus(seen: Seen, running: readonly Pod[]): readonly Pod[] {
  const isNew = (pod: Pod) => pod.metadata.labels?.[REVISION_HASH] === seen.hash;
  const newPod = running.find(isNew);
  const oldPod = running.find(pod => !isNew(pod));
  const over = running.filter(pod => pod !== newPod && pod !== oldPod);
  if (!newPod || !oldPod) return over;
  const done = !isReady(oldPod) || isAvailable(newPod, seen.set.spec.minReadySeconds ?? 0, seen.nowMs);
  return done ? [...over, oldPod] : over;
}

function surgeOf(set: DaemonSet, nodes: number): number {
  const {rollingUpdate, type} = set.spec.updateStrategy ?? {};
  return type === 'OnDelete' ? 0 : scaled(rollingUpdate?.maxSurge, nodes, true);
}

/** One step of a rolling update. */
export function planUpdate(seen: Seen): DaemonPlan {
  const desired = seen.nodes.filter(node => judgeNode(seen.set, node).run).length;
  const surge = surgeOf(seen.set, desired);
  const unavailable = scaled(seen.set.spec.updateStrategy?.rollingUpdate?.maxUnavailable ?? 1, desired, true);
  const step = surge === 0 ? replace(seen, unavailable === 0 && desired > 0 ? 1 : unavailable) : addBeside(seen, surge, desired);
  return {...step, failed: [], succeeded: []};
}

interface Step {
  readonly create: readonly string[];
  readonly remove: readonly Pod[];
}

function replace(seen: Seen, most: number): Step {
  const atOnce: Pod[] = [];
  const candidates: Pod[] = [];
  let missing = 0;
  for (const pods of seen.pods.values()) {
    const found = pairOf(seen, pods);
    const only =
      found && (found.newPod === undefined) !== (found.oldPod === undefined) ? (found.newPod ?? found.oldPod) : undefined;
    if (!only) missing++;
    else if (only === found?.newPod) missing += isFit(seen, only) ? 0 : 1;
    else if (isFit(seen, only)) candidates.push(only);
    else {
      atOnce.push(only);
      missing++;
    }
  }
  return {create: [], remove: [...atOnce, ...candidates.slice(0, Math.max(0, most - missing))]};
}

function addBeside(seen: Seen, most: number, desired: number): Step {
  const remove: Pod[] = [];
  const misplaced: Pod[] = [];
  const atOnce: string[] = [];
  const candidates: string[] = [];
  let surging = 0;
  let available = 0;
  const nodes = new Map(seen.nodes.map(node => [node.metadata.name, node]));
  for (const [name, pods] of seen.pods) {
    const found = pairOf(seen, pods);
    if (!found) {
      surging++;
      continue;
    }
    const {oldPod, newPod} = found;
    const first = oldPod ?? newPod;
    const isFine = first !== undefined && isFit(seen, first);
    if (isFine) available++;
    if (oldPod && newPod) {
      if (isFit(seen, newPod)) remove.push(oldPod);
      else surging++;
    } else if (oldPod) {
      const node = nodes.get(name);
      if (node && !judgeNode(seen.set, node).run) (isFine ? misplaced : remove).push(oldPod);
      else (isFine ? candidates : atOnce).push(name);
    }
  }
  // An old pod that would not come to its node today goes only when there are enough without it.
  remove.push(...misplaced.slice(0, Math.max(0, available - desired)));
  return {create: [...atOnce, ...candidates.slice(0, Math.max(0, most - surging))], remove};
}

function isFit({set, nowMs}: Seen, pod: Pod): boolean {
  return isAvailable(pod, set.spec.minReadySeconds ?? 0, nowMs);
}

/** The new and the old pod of a node; undefined when there are several of either. */
function pairOf(seen: Seen, pods: readonly Pod[]): {newPod: Pod | undefined; oldPod: Pod | undefined} | undefined {
  let newPod: Pod | undefined;
  let oldPod: Pod | undefined;
  for (const pod of pods) {
    if (isTerminating(pod)) continue;
    if (isUpdated(seen, pod)) {
      if (newPod) return undefined;
      newPod = pod;
    } else {
      if (oldPod) return undefined;
      oldPod = pod;
    }
  }
  return {newPod, oldPod};
}

function isUpdated({set, hash}: Seen, pod: Pod): boolean {
  const {labels = {}} = pod.metadata;
  const generation = templateGeneration(set);
  return labels[REVISION_HASH] === hash || (generation !== undefined && labels[GENERATION] === generation);
}

/** How often the template was changed, as the server counts it. */
export function templateGeneration(set: DaemonSet): string | undefined {
  return set.metadata.annotations?.[GENERATION_ANNOTATION];
}

/** The status; the generation is seen only when the set was acted upon. */
export function planStatus(seen: Seen, acted: boolean): DaemonSetStatus {
  const counts = {desired: 0, current: 0, misscheduled: 0, ready: 0, available: 0, updated: 0};
  for (const node of seen.nodes) {
    const [pod] = seen.pods.get(node.metadata.name) ?? [];
    if (!judgeNode(seen.set, node).run) {
      if (pod) counts.misscheduled++;
      continue;
    }
    counts.desired++;
    if (!pod) continue;
    counts.current++;
    if (isReady(pod)) counts.ready++;
    if (isFit(seen, pod)) counts.available++;
    if (isUpdated(seen, pod)) counts.updated++;
  }
  const {status, metadata} = seen.set;
  const generation = acted ? metadata.generation : status?.observedGeneration;
  const unavailable = counts.desired - counts.available;
  return {
    currentNumberScheduled: counts.current,
    desiredNumberScheduled: counts.desired,
    numberMisscheduled: counts.misscheduled,
    numberReady: counts.ready,
    ...(counts.updated > 0 ? {updatedNumberScheduled: counts.updated} : {}),
    ...(counts.available > 0 ? {numberAvailable: counts.available} : {}),
    ...(unavailable > 0 ? {numberUnavailable: unavailable} : {}),
    ...(generation === undefined ? {} : {observedGeneration: generation}),
    ...(status?.collisionCount === undefined ? {} : {collisionCount: status.collisionCount}),
    ...(status?.conditions === undefined ? {} : {conditions: status.conditions}),
  };
}
