// Runs the plugins in their order. Which of them look at a kind is found out once.
//
// Mutating webhooks come after all mutating plugins; an object that one of them changed passes the plugins once more. (Validating
// ones are a plugin of the list, and so are admission policies.)
import type {AnyObject} from '../../../api/meta/object.ts';
import type {Task} from '../../../sim/task.ts';
import {Refused} from '../http/refused.ts';
import type {Attributes} from '../registry/write.ts';
import {MUTATING, VALIDATING} from './index.ts';
import type {Plugin} from './plugin.ts';
import {admissionPolicies} from './policies/plugin.ts';
import {MutatingRound} from './webhooks/mutating.ts';
import {validatingWebhooks} from './webhooks/validating.ts';

/** By what `--enable-admission-plugins` and its sister say: almost always nothing that is not so anyhow. */
const chosenBy = new WeakMap<object, Map<string, readonly Plugin[]>>();
const STANDARD: {readonly on: readonly string[]; readonly off: readonly string[]} = {on: ['NodeRestriction'], off: []};

function chosenFor(plugins: object): Map<string, readonly Plugin[]> {
  const known = chosenBy.get(plugins);
  if (known) return known;
  const made = new Map<string, readonly Plugin[]>();
  chosenBy.set(plugins, made);
  return made;
}

/** The object as mutating plugins and webhooks leave it, or why one refused. */
export function* admitMutating(attributes: Attributes & {readonly object: AnyObject}): Task<AnyObject | Refused> {
  const object = yield* plugins(attributes);
  if (object instanceof Refused || !isHooked(attributes)) return object;
  const round = new MutatingRound(attributes);
  const hooked = yield* round.first(object);
  if (!hooked || hooked instanceof Refused || !round.changed) return hooked ?? object;
  const again = yield* plugins({...attributes, object: hooked});
  return again instanceof Refused ? again : ((yield* round.again(again)) ?? again);
}

/** Asks the webhooks alone, about a body that is no stored object (a binding, a review, what one connects with). */
export function* admitByWebhooks(attributes: Attributes & {readonly object: AnyObject}): Task<AnyObject | Refused> {
  const {webhooks, policies} = attributes.write.core;
  if (!webhooks.any && policies.bound.length === 0) return attributes.object;
  const object = isHooked(attributes) ? yield* new MutatingRound(attributes).first(attributes.object) : attributes.object;
  if (!object || object instanceof Refused) return object ?? attributes.object;
  return (yield* validators({...attributes, object}, [admissionPolicies, validatingWebhooks])) ?? object;
}

function isHooked({write}: Attributes): boolean {
  const {webhooks, settings} = write.core;
  return webhooks.mutating.length > 0 && !write.withoutWebhooks && !settings.plugins?.off.includes('MutatingAdmissionWebhook');
}

function* plugins(attributes: Attributes & {readonly object: AnyObject}): Task<AnyObject | Refused> {
  let {object} = attributes;
  for (const plugin of choose('mutate', MUTATING, attributes)) {
    const step = plugin.mutate?.(object, attributes);
    const next: AnyObject | Refused | undefined = step && isTask<AnyObject | Refused>(step) ? yield* step : step;
    if (next instanceof Refused) return next;
    object = next ?? object;
  }
  return object;
}

/** Why a validating plugin or webhook refused. What is deleted passes the mutating webhooks here: there is nothing to change. */
export function* admitValidating(attributes: Attributes): Task<Refused | undefined> {
  if (attributes.operation === 'DELETE' && isHooked(attributes)) {
    const refused = yield* new MutatingRound(attributes).first(undefined);
    if (refused instanceof Refused) return refused;
  }
  return yield* validators(attributes, choose('validate', VALIDATING, attributes));
}

function* validators(attributes: Attributes, chain: readonly Plugin[]): Task<Refused | undefined> {
  for (const plugin of chain) {
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
    core: {settings},
  } = attributes.write;
  const {on, off} = settings.plugins ?? STANDARD;
  const chosen = chosenFor(settings.plugins ?? STANDARD);
  const key = `${stage} ${attributes.operation} ${facts.group}/${facts.resource}/${subresource}`;
  const known = chosen.get(key);
  if (known) return known;
  const resource = facts.group === '' ? facts.resource : `${facts.resource}.${facts.group}`;
  const made = plugins.filter(plugin => {
    const subresources = plugin.subresources ?? [''];
    const runs = plugin.optional ? on.includes(plugin.name) : !off.includes(plugin.name);
    const here = runs && (plugin.resources.includes('*') || plugin.resources.includes(resource));
    return (
      here &&
      plugin.operations.includes(attributes.operation) &&
      (subresources.includes('*') || subresources.includes(subresource))
    );
  });
  chosen.set(key, made);
  return made;
}
