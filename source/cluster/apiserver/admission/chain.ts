// Runs the plugins in their order. Which of them look at a kind is found out once.
//
// Mutating and validating webhooks and policies will take their places between the lists of index.ts: mutating ones after all
// mutating plugins, policies and validating ones before ResourceQuota.
import type {AnyObject} from '../../../api/meta/object.ts';
import type {Task} from '../../../sim/task.ts';
import {Refused} from '../http/refused.ts';
import type {Attributes} from '../registry/write.ts';
import {MUTATING, VALIDATING} from './index.ts';
import type {Plugin} from './plugin.ts';

const chosen = new Map<string, readonly Plugin[]>();

/** The object as the mutating plugins leave it, or why one refused. */
export function* admitMutating(attributes: Attributes & {readonly object: AnyObject}): Task<AnyObject | Refused> {
  let {object} = attributes;
  for (const plugin of choose('mutate', MUTATING, attributes)) {
    const step = plugin.mutate?.(object, attributes);
    const next: AnyObject | Refused | undefined = step && isTask<AnyObject | Refused>(step) ? yield* step : step;
    if (next instanceof Refused) return next;
    object = next ?? object;
  }
  return object;
}

/** Why a validating plugin refused. */
export function* admitValidating(attributes: Attributes): Task<Refused | undefined> {
  for (const plugin of choose('validate', VALIDATING, attributes)) {
    const step = plugin.validate?.(attributes);
    const refused: Refused | undefined = step && isTask<Refused | undefined>(step) ? yield* step : step;
    if (refused) return refused;
  }
  return undefined;
}

function isTask<T>(step: object): step is Task<T> {
  return typeof (step as {next?: unknown}).next === 'function' && Symbol.iterator in step;
}

function choose(stage: string, plugins: readonly Plugin[], attributes: Attributes): readonly Plugin[] {
  const {
    served: {facts},
    subresource,
  } = attributes.write;
  const key = `${stage} ${attributes.operation} ${facts.group}/${facts.resource}/${subresource}`;
  const known = chosen.get(key);
  if (known) return known;
  const resource = facts.group === '' ? facts.resource : `${facts.resource}.${facts.group}`;
  const made = plugins.filter(plugin => {
    const subresources = plugin.subresources ?? [''];
    const here = plugin.resources.includes('*') || plugin.resources.includes(resource);
    return (
      here &&
      plugin.operations.includes(attributes.operation) &&
      (subresources.includes('*') || subresources.includes(subresource))
    );
  });
  chosen.set(key, made);
  return made;
}
