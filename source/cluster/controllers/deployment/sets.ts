// The ReplicaSets of a Deployment: which one is the new one, which are old, and in what order they are taken.
import type {Deployment, ReplicaSet} from '../../../api/kinds/apps-v1.ts';
import type {PodTemplateSpec} from '../../../api/kinds/core-v1.ts';
import {stableText, templateHash} from '../../../api/meta/hash.ts';
import {HASH_LABEL} from './labels.ts';
import {revisionOf} from './annotations.ts';

const texts = new WeakMap<PodTemplateSpec, string>();

/** Are two templates the same, but for the hash label that sets carry? */
export function isSameTemplate(a: PodTemplateSpec | undefined, b: PodTemplateSpec | undefined): boolean {
  if (!a || !b) return a === b;
  return a === b || textOf(a) === textOf(b);
}

function textOf(template: PodTemplateSpec): string {
  const known = texts.get(template);
  if (known !== undefined) return known;
  const {[HASH_LABEL]: _hash, ...labels} = template.metadata?.labels ?? {};
  const {creationTimestamp: _created, ...metadata} = template.metadata ?? {};
  const text = stableText({metadata: {...metadata, labels}, spec: template.spec});
  if (Object.isFrozen(template)) texts.set(template, text);
  return text;
}

/** The set that has the Deployment's template: the oldest, if several have. */
export function findNewSet(deployment: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined {
  return byAge(sets).find(set => isSameTemplate(set.spec.template, deployment.spec.template));
}

/** The hash of the Deployment's template, by which a new set is named. */
export function hashOf(deployment: Deployment): string {
  return templateHash(deployment.spec.template, deployment.status?.collisionCount ?? 0);
}

/** Oldest first; of one second, by name. */
export function byAge(sets: readonly ReplicaSet[]): readonly ReplicaSet[] {
  return sets.toSorted((a, b) => compare(created(a), created(b)) || compare(a.metadata.name, b.metadata.name));
}

/** Lowest revision first. */
export function byRevision(sets: readonly ReplicaSet[]): readonly ReplicaSet[] {
  return byAge(sets).toSorted((a, b) => revisionOf(a) - revisionOf(b));
}

/** Largest first; of one size, the newer first where pods are added, the older where they are taken. */
export function bySize(sets: readonly ReplicaSet[], newerFirst: boolean): readonly ReplicaSet[] {
  const aged = newerFirst ? byAge(sets).toReversed() : byAge(sets);
  return aged.toSorted((a, b) => (b.spec.replicas ?? 1) - (a.spec.replicas ?? 1));
}

/** The sets that want pods. */
export function activeSets(sets: readonly ReplicaSet[]): readonly ReplicaSet[] {
  return sets.filter(set => (set.spec.replicas ?? 1) > 0);
}

function created(set: ReplicaSet): string {
  return set.metadata.creationTimestamp;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
