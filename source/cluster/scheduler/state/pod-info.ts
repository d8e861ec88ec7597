// A pod as plugins see it.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {keyOf} from '../../../api/meta/object.ts';
import type {LabelSet, Population} from './population.ts';
import {shapeOf, type PodShape} from './shape.ts';

/** One pod, with what was worked out of it. */
export interface PodInfo {
  /** The newest version; what was worked out of it does not change with its status. */
  pod: Pod;
  readonly uid: string;
  /** `namespace/name`. */
  readonly key: string;
  readonly namespace: string;
  readonly shape: PodShape;
  readonly labels: LabelSet;
  readonly priority: number;
  /** The names of the claims whose volumes it uses. */
  readonly claims: readonly string[];
}

/** Works a pod out. */
export function podInfo(pod: Pod, population: Population): PodInfo {
  const {metadata, spec} = pod;
  const namespace = metadata.namespace ?? '';
  return {
    pod,
    uid: metadata.uid,
    key: keyOf(pod),
    namespace,
    shape: shapeOf(pod),
    labels: population.labelSet(namespace, metadata.labels, metadata.deletionTimestamp !== undefined),
    priority: spec.priority ?? 0,
    claims: claimNames(pod),
  };
}

const NONE: readonly string[] = [];

/** The claims of a pod by name, those of its own (ephemeral) volumes too. */
function claimNames({metadata, spec}: Pod): readonly string[] {
  let names = NONE;
  for (const {name, persistentVolumeClaim, ephemeral} of spec.volumes ?? NO_VOLUMES) {
    if (persistentVolumeClaim) names = [...names, persistentVolumeClaim.claimName];
    else if (ephemeral) names = [...names, `${metadata.name}-${name}`];
  }
  return names;
}

const NO_VOLUMES: NonNullable<Pod['spec']['volumes']> = [];
