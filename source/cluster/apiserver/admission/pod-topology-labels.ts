// PodTopologyLabels: a pod that is bound to a node gets the node's zone and region as labels, over its own. The binding carries
// them (see endpoints/binding.ts); a pod that is created with a node gets them at once.
import type {Core} from '../core.ts';
import type {Plugin} from './plugin.ts';
import {specOf} from './pod-object.ts';

const LABELS = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];
type Labels = Readonly<Record<string, string>>;

const known = new WeakMap<object, Labels>();
const places = new Map<string, Labels>();
const MOST_PLACES = 1000;

export const podTopologyLabels: Plugin = {
  name: 'PodTopologyLabels',
  resources: ['pods'],
  operations: ['CREATE'],
  mutate(object, {write}) {
    const {nodeName} = specOf(object);
    if (!nodeName) return object;
    const labels = topologyLabels(write.core, nodeName);
    return labels ? {...object, metadata: {...object.metadata, labels: withTopology(object.metadata.labels, labels)}} : object;
  },
};

const joined = new WeakMap<object, WeakMap<object, Labels>>();

/** A pod's labels with those of its node. Pods of one template on nodes of one place share them, and what hangs on them. */
export function withTopology(own: Labels | undefined, topology: Labels): Labels {
  if (!own || !Object.isFrozen(own)) return {...own, ...topology};
  let known = joined.get(own);
  if (!known) joined.set(own, (known = new WeakMap()));
  const found = known.get(topology);
  if (found) return found;
  const made = Object.freeze({...own, ...topology});
  known.set(topology, made);
  return made;
}

/** The labels that a node hands on to its pods; undefined for none. */
export function topologyLabels(core: Core, nodeName: string): Labels | undefined {
  const node = core.resources.of('nodes').cache.get(nodeName);
  if (!node) return undefined;
  const {labels} = node.metadata;
  if (!labels) return undefined;
  const found = known.get(labels);
  if (found) return found === NONE ? undefined : found;
  const made = placeOf(labels);
  known.set(labels, made);
  return made === NONE ? undefined : made;
}

const NONE: Labels = Object.freeze({});

/** The labels of a place: one object for all of its nodes. */
function placeOf(labels: Labels): Labels {
  const own = LABELS.flatMap(name => (labels[name] === undefined ? [] : [[name, labels[name]] as const]));
  if (own.length === 0) return NONE;
  const key = JSON.stringify(own);
  const found = places.get(key);
  if (found) return found;
  if (places.size >= MOST_PLACES) places.clear();
  const made = Object.freeze(Object.fromEntries(own)) as Labels;
  places.set(key, made);
  return made;
}
