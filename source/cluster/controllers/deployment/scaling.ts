// The sizes of a Deployment's sets, worked out on a draft: sets are changed in the draft one after the other, as the rules see
// each other's results, and what is left to write comes out at the end.
import type {Deployment, ReplicaSet} from '../../../api/kinds/apps-v1.ts';
import type {Happening} from '../../../client/events.ts';
import {desiredOf, maxOf, withSizes} from './annotations.ts';
import {
  desired,
  isRolling,
  maxSurge,
  maxUnavailable,
  newSetSize,
  proportion,
  specReplicas,
  statusReplicas,
} from './arithmetic.ts';
import {activeSets, byAge, bySize} from './sets.ts';

/** A set, as it is to become. */
export interface SetChange {
  readonly from: ReplicaSet;
  readonly to: ReplicaSet;
  readonly events: readonly Happening[];
}

/** The sets while a plan is made. */
export class Draft {
  readonly deployment: Deployment;
  readonly #changes = new Map<string, SetChange>();
  #sets: readonly ReplicaSet[];
  #newName: string | undefined;
  /** How many times a size was changed. */
  scalings = 0;

  constructor(deployment: Deployment, sets: readonly ReplicaSet[], newSet: ReplicaSet | undefined) {
    this.deployment = deployment;
    this.#sets = sets;
    this.#newName = newSet?.metadata.name;
  }

  get all(): readonly ReplicaSet[] {
    return this.#sets;
  }

  get newSet(): ReplicaSet | undefined {
    return this.#sets.find(set => set.metadata.name === this.#newName);
  }

  get old(): readonly ReplicaSet[] {
    return this.#sets.filter(set => set.metadata.name !== this.#newName);
  }

  get changes(): readonly SetChange[] {
    return [...this.#changes.values()];
  }

  /** Takes in a set that is to be created. */
  add(set: ReplicaSet): void {
    this.#sets = [...this.#sets, set];
    this.#newName = set.metadata.name;
  }

  /** Changes a set. */
  change(set: ReplicaSet, to: ReplicaSet, events: readonly Happening[] = []): void {
    const {name} = set.metadata;
    const known = this.#changes.get(name);
    this.#changes.set(name, {from: known?.from ?? set, to, events: [...(known?.events ?? []), ...events]});
    this.#sets = this.#sets.map(each => (each.metadata.name === name ? to : each));
  }

  /** Gives a set its size, and notes the size of the whole on it. Did the size change? */
  scale(set: ReplicaSet, size: number): boolean {
    const before = set.spec.replicas ?? 1;
    const annotations = withSizes(this.deployment, set.metadata.annotations);
    if (before === size && annotations === set.metadata.annotations) return false;
    const direction = before < size ? 'up' : 'down';
    const message = `Scaled ${direction} replica set ${set.metadata.name} from ${before} to ${size}`;
    const to = {...set, metadata: {...set.metadata, annotations}, spec: {...set.spec, replicas: size}};
    this.change(set, to, before === size ? [] : [{type: 'Normal', reason: 'ScalingReplicaSet', message}]);
    if (before === size) return false;
    this.scalings++;
    return true;
  }
}

/** Was the wanted number changed since the sets were last scaled? */
export function isScaling(draft: Draft): boolean {
  return activeSets(draft.all).some(set => {
    const was = desiredOf(set);
    return was !== undefined && was !== desired(draft.deployment);
  });
}

/** Scales without rolling: the one set that has pods, or all in proportion. */
export function scaleAll(draft: Draft): void {
  const {deployment, newSet} = draft;
  const only = activeOrLatest(draft);
  if (only) {
    if ((only.spec.replicas ?? 1) !== desired(deployment)) draft.scale(only, desired(deployment));
    return;
  }
  if (newSet && isSaturated(deployment, newSet)) {
    for (const set of activeSets(draft.old)) draft.scale(set, 0);
    return;
  }
  if (isRolling(deployment)) scaleInProportion(draft);
}

function activeOrLatest({newSet, old, all}: Draft): ReplicaSet | undefined {
  const active = activeSets(all);
  if (active.length === 0) return newSet ?? byAge(old).at(-1);
  return active.length === 1 ? active[0] : undefined;
}

function isSaturated(deployment: Deployment, set: ReplicaSet): boolean {
  const total = desired(deployment);
  return set.spec.replicas === total && desiredOf(set) === total && set.status?.availableReplicas === total;
}

function scaleInProportion(draft: Draft): void {
  const {deployment} = draft;
  const active = activeSets(draft.all);
  const most = desired(deployment) > 0 ? desired(deployment) + maxSurge(deployment) : 0;
  const toAdd = most - specReplicas(active);
  const sets = toAdd === 0 ? active : bySize(active, toAdd > 0);
  let left = toAdd;
  const sizes = sets.map(set => {
    const share = proportion(deployment, set, {max: maxOf(set), left});
    left -= share;
    return (set.spec.replicas ?? 1) + share;
  });
  for (const [index, set] of sets.entries()) {
    const size = sizes[index] ?? 0;
    // What rounding left over goes to the largest.
    draft.scale(set, index === 0 ? Math.max(0, size + left) : size);
  }
}

/** One step of a rolling update: the new set grows, or the old ones shrink. */
export function roll(draft: Draft): void {
  const {deployment, newSet} = draft;
  if (!newSet) return;
  const size = newSet.spec.replicas ?? 1;
  const total = desired(deployment);
  if (size !== total && draft.scale(newSet, size > total ? total : newSetSize(deployment, draft.all, size))) return;
  shrinkOld(draft);
}

function shrinkOld(draft: Draft): void {
  const {deployment} = draft;
  const newSet = draft.newSet;
  const old = activeSets(draft.old);
  if (!newSet || old.length === 0) return;
  const least = desired(deployment) - maxUnavailable(deployment);
  const newMissing = (newSet.spec.replicas ?? 1) - (newSet.status?.availableReplicas ?? 0);
  let most = specReplicas(draft.all) - least - newMissing;
  if (most <= 0) return;
  // Pods of old sets that are not available anyway go first, or they would hold up everything.
  for (const set of byAge(old)) {
    if (most <= 0) break;
    const size = set.spec.replicas ?? 1;
    const gone = Math.min(most, size - (set.status?.availableReplicas ?? 0));
    // A set that says it has more than it was asked for tells of yesterday: whoever believed it would take away too many.
    if (gone < 0) return;
    if (gone === 0) continue;
    draft.scale(set, size - gone);
    most -= gone;
  }
  let surplus = statusReplicas([...old, newSet], 'availableReplicas') - least;
  for (const {metadata} of byAge(old)) {
    const set = draft.all.find(each => each.metadata.name === metadata.name);
    const gone = Math.min(set?.spec.replicas ?? 0, surplus);
    if (!set || gone <= 0) continue;
    draft.scale(set, (set.spec.replicas ?? 1) - gone);
    surplus -= gone;
  }
}
