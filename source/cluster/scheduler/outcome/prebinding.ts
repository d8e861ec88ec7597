// What plugins want done before a pod is bound: one after the other, until one fails.
import type {Task} from '../../../sim/task.ts';
import type {Context, Errand, PreBinding, Profile} from '../framework.ts';
import type {NodeInfo} from '../state/node-info.ts';

/** A plugin's errand. */
export interface NamedPreBinding {
  readonly plugin: string;
  readonly binding: PreBinding;
}

const NOTHING: readonly NamedPreBinding[] = [];

/** The errands for a pod that goes to a node; none for almost all pods. */
export function preBindingsOf({preBinders}: Profile, context: Context, node: NodeInfo): readonly NamedPreBinding[] {
  let found = NOTHING;
  for (const plugin of preBinders) {
    const binding = plugin.preBind?.(context, node);
    if (binding) found = [...found, {plugin: plugin.name, binding}];
  }
  return found;
}

/** Does them; a text says which one failed and why. */
export function* carryOut(bindings: readonly NamedPreBinding[], errand: Errand): Task<string | undefined> {
  for (const {plugin, binding} of bindings) {
    const failed = yield* binding.carryOut(errand);
    if (failed !== undefined) return `running PreBind plugin "${plugin}": ${failed}`;
  }
  return undefined;
}
