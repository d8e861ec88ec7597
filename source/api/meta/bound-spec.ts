// A pod's spec with its node. The pods of one template share their spec until they are bound, and what was worked out of it hangs on
// that object. A bound spec differs by one field that hardly anybody asks about: who does not, looks under the spec as it was before.
import type {PodSpec} from '../kinds/core-v1.ts';

const before = new WeakMap<object, object>();

/** The spec with its node; frozen. */
export function boundSpec(spec: PodSpec, nodeName: string): PodSpec {
  const made = Object.freeze({...spec, nodeName});
  if (Object.isFrozen(spec)) before.set(made, spec);
  return made;
}

/** The spec before it was bound: the same but for the node's name. Any other object is its own. */
export function unbound<T extends object>(spec: T): T {
  return (before.get(spec) as T | undefined) ?? spec;
}
