// The indexes over all pods that several controllers use; kept once for each process.
import type {Pod} from '../../api/kinds/core-v1.ts';
import type {LabelSelector} from '../../api/kinds/meta.ts';
import {controllerOf, type KubeObject} from '../../api/meta/object.ts';
import {builtin} from '../../api/meta/resources.ts';
import type {Index, Informer, Informers} from '../../client/informer.ts';

/** Pods, found in the ways that controllers look for them. */
export interface PodIndexes {
  readonly pods: Informer<Pod>;
  /** By the uid of their controller. */
  readonly byController: Index<Pod>;
  /** By `namespace/key=value` of each of their labels. */
  readonly byLabel: Index<Pod>;
  /** By the name of their node. */
  readonly byNode: Index<Pod>;
  /** Pods without a controller, by namespace. */
  readonly orphans: Index<Pod>;
}

const NONE: readonly string[] = [];
const pods = builtin('pods');
const known = new WeakMap<Informers, PodIndexes>();

/** The indexes of a process. */
export function podIndexes(informers: Informers): PodIndexes {
  const made = known.get(informers);
  if (made) return made;
  const informer = informers.of<Pod>(pods);
  const indexes: PodIndexes = {
    pods: informer,
    byController: informer.index(controllerUid),
    byLabel: informer.index(labelKeys),
    byNode: informer.index(pod => (pod.spec.nodeName ? [pod.spec.nodeName] : NONE)),
    orphans: informer.index(pod => (controllerOf(pod) ? NONE : [pod.metadata.namespace ?? ''])),
  };
  known.set(informers, indexes);
  return indexes;
}

/** The uid of an object's controller, for an index. */
export function controllerUid(object: KubeObject): readonly string[] {
  const reference = controllerOf(object);
  return reference ? [reference.uid] : NONE;
}

// Pods of one template share their labels, so the keys hang on the labels.
const keysOfLabels = new WeakMap<object, {readonly namespace: string; readonly keys: readonly string[]}>();

/** `namespace/key=value` for each label of an object. */
export function labelKeys(object: KubeObject): readonly string[] {
  const {labels, namespace = ''} = object.metadata;
  if (!labels) return NONE;
  const seen = keysOfLabels.get(labels);
  if (seen?.namespace === namespace) return seen.keys;
  const keys = Object.entries(labels).map(([key, value]) => `${namespace}/${key}=${value}`);
  if (Object.isFrozen(labels)) keysOfLabels.set(labels, {namespace, keys});
  return keys;
}

/** Orphaned pods that a selector may fit: few, where it names a label. */
export function orphansFor(indexes: PodIndexes, namespace: string, selector: LabelSelector | undefined): Iterable<Pod> {
  const orphans = indexes.orphans.of(namespace);
  if (orphans.size === 0) return orphans.values();
  const label = Object.entries(selector?.matchLabels ?? {})[0];
  const labelled = label && indexes.byLabel.of(`${namespace}/${label[0]}=${label[1]}`);
  return labelled && labelled.size < orphans.size ? withoutController(labelled.values()) : orphans.values();
}

function* withoutController(candidates: Iterable<Pod>): Generator<Pod> {
  for (const pod of candidates) if (!controllerOf(pod)) yield pod;
}
