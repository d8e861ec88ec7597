// RuntimeClass: the class that a pod names must be there; what it costs and where it runs goes into the pod.
import type {PodSpec} from '../../../api/kinds/core-v1.ts';
import type {RuntimeClass} from '../../../api/kinds/node-v1.ts';
import {canonicalQuantity} from '../../../api/meta/quantity.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {sameValue} from '../registry/equal.ts';
import type {Refused} from '../http/refused.ts';
import type {Attributes} from '../registry/write.ts';
import type {Plugin} from './plugin.ts';
import {forbid, specOf, withSpec} from './pod-object.ts';

export const runtimeClass: Plugin = {
  name: 'RuntimeClass',
  resources: ['pods'],
  operations: ['CREATE'],
  mutate(object, attributes) {
    const spec = specOf(object);
    const name = spec.runtimeClassName ?? '';
    if (name === '')
      return spec.overhead === undefined
        ? object
        : forbid(attributes, object, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
    const found = attributes.write.core.resources.of('runtimeclasses', 'node.k8s.io').cache.get(name) as RuntimeClass | undefined;
    if (!found) return forbid(attributes, object, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
    return withClass(object, attributes, found);
  },
};

function withClass(object: AnyObject, attributes: Attributes, found: RuntimeClass): AnyObject | Refused {
  const spec = specOf(object);
  const fixed = found.overhead?.podFixed;
  if (!fixed && spec.overhead)
    return forbid(attributes, object, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
  if (fixed && spec.overhead && !sameValue(amounts(fixed), amounts(spec.overhead))) {
    return forbid(attributes, object, `pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead`);
  }
  const {nodeSelector, tolerations} = found.scheduling ?? {};
  for (const [key, value] of Object.entries(nodeSelector ?? {})) {
    const own = spec.nodeSelector?.[key];
    if (own !== undefined && own !== value) {
      return forbid(
        attributes,
        object,
        `pod rejected: conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`,
      );
    }
  }
  const added = tolerations?.filter(each => !spec.tolerations?.some(own => sameValue(own, each))) ?? [];
  const next: PodSpec = {
    ...spec,
    ...(fixed ? {overhead: fixed} : {}),
    ...(nodeSelector ? {nodeSelector: {...spec.nodeSelector, ...nodeSelector}} : {}),
    ...(added.length > 0 ? {tolerations: [...(spec.tolerations ?? []), ...added]} : {}),
  };
  return withSpec(object, next);
}

function amounts(list: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(list).map(([name, quantity]) => [name, canonicalQuantity(quantity)]));
}
