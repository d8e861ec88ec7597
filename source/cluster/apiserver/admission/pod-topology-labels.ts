// PodTopologyLabels: a pod that is bound to a node gets the node's zone and region as labels, over its own. The binding carries
// them (see endpoints/binding.ts); a pod that is created with a node gets them at once.
import type {AnyObject} from '../../../api/meta/object.ts';
import type {Core} from '../core.ts';
import type {Plugin} from './plugin.ts';
import {specOf} from './pod-object.ts';

const LABELS = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];
const known = new WeakMap<AnyObject, Readonly<Record<string, string>>>();

export const podTopologyLabels: Plugin = {
  name: 'PodTopologyLabels',
  resources: ['pods'],
  operations: ['CREATE'],
  mutate(object, {write}) {
    const {nodeName} = specOf(object);
    if (!nodeName) return object;
    const labels = topologyLabels(write.core, nodeName);
    return labels ? {...object, metadata: {...object.metadata, labels: {...object.metadata.labels, ...labels}}} : object;
  },
};

/** The labels that a node hands on to its pods; undefined for none. */
export function topologyLabels(core: Core, nodeName: string): Readonly<Record<string, string>> | undefined {
  const node = core.resources.of('nodes').cache.get(nodeName);
  if (!node) return undefined;
  let labels = known.get(node);
  if (!labels) {
    labels = Object.freeze(
      Object.fromEntries(
        LABELS.flatMap(name => {
          const value = node.metadata.labels?.[name];
          return value === undefined ? [] : [[name, value] as const];
        }),
      ),
    );
    known.set(node, labels);
  }
  return Object.keys(labels).length > 0 ? labels : undefined;
}
