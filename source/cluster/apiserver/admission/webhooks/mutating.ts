// Mutating webhooks: one after the other, each sees what the one before left. A webhook that asks for it (reinvocationPolicy
// IfNeeded) is asked once more when the object was changed after it, by a later webhook or by a plugin of the server's own; the
// plugins, too, go over an object once more that a webhook changed.
import {deepFreeze, type AnyObject} from '../../../../api/meta/object.ts';
import {internalError} from '../../../../api/meta/status.ts';
import {applyJsonPatch} from '../../../../api/schema/merge/index.ts';
import type {Task} from '../../../../sim/task.ts';
import {refuse, Refused} from '../../http/refused.ts';
import {sameValue} from '../../registry/equal.ts';
import {decode, readText} from '../../registry/schema.ts';
import type {Attributes} from '../../registry/write.ts';
import {callWebhook} from './call.ts';
import type {Hook} from './hooks.ts';
import {viewFor} from './match.ts';
import {subjectOf, type View} from './subject.ts';
import {failed} from './validating.ts';
import {CallFailure, denial, type Verdict} from './verdict.ts';

type Mutated = AnyObject | undefined | Refused;

/** The way of one request through the mutating webhooks, which may be gone twice. */
export class MutatingRound {
  readonly #attributes: Attributes;
  /** Asked in the first round, and willing to be asked again. */
  readonly #willing = new Set<string>();
  /** To be asked again. */
  readonly #due = new Set<string>();
  #left: AnyObject | undefined;
  #changed = false;

  constructor(attributes: Attributes) {
    this.#attributes = attributes;
  }

  /** A webhook changed the object. */
  get changed(): boolean {
    return this.#changed;
  }

  /** The first round. */
  *first(object: AnyObject | undefined): Task<Mutated> {
    const left = yield* this.#go(object, () => true);
    if (!(left instanceof Refused)) this.#left = left;
    return left;
  }

  /** The second round, with the object as the plugins left it. */
  *again(object: AnyObject): Task<Mutated> {
    if (this.#left && !sameValue(this.#left, object)) for (const id of this.#willing) this.#due.add(id);
    return yield* this.#go(object, hook => this.#due.has(hook.id));
  }

  *#go(first: AnyObject | undefined, wanted: (hook: Hook) => boolean): Task<Mutated> {
    let object = first;
    for (const hook of this.#attributes.write.core.webhooks.mutating) {
      if (!wanted(hook)) continue;
      const before = object;
      const attributes: Attributes = {...this.#attributes, object: before};
      const next: Mutated | 'unasked' = yield* askOne(hook, attributes);
      if (next instanceof Refused) return next;
      if (next === 'unasked') continue;
      if (before && next && next !== before && !sameValue(next, before)) {
        this.#changed = true;
        object = next;
        for (const id of this.#willing) if (id !== hook.id) this.#due.add(id);
      }
      if (hook.reinvoked) this.#willing.add(hook.id);
    }
    return object;
  }
}

function* askOne(hook: Hook, attributes: Attributes): Task<Mutated | 'unasked'> {
  const subject = subjectOf(attributes);
  const view = viewFor(hook, subject);
  if (view === undefined) return 'unasked';
  if (view instanceof Refused) return view;
  const verdict = yield* callWebhook(hook, subject, view);
  if (verdict instanceof Refused) return verdict;
  if (verdict instanceof CallFailure) return failed(attributes.write.core, hook, verdict) ?? attributes.object;
  attributes.write.warnings.push(...verdict.warnings);
  if (!verdict.allowed) return refuse(denial(hook.spec.name, verdict));
  const patched = patchedBy(hook, verdict, {object: attributes.object, view});
  return patched instanceof CallFailure ? (failed(attributes.write.core, hook, patched) ?? attributes.object) : patched;
}

/** The object as the answer changes it. */
function patchedBy(
  hook: Hook,
  {patch, patchType}: Verdict,
  {object, view}: {readonly object: AnyObject | undefined; readonly view: View},
): Mutated | CallFailure {
  if (patch === undefined) return object;
  const read = readText(patch, 'application/json');
  if ('error' in read) return new CallFailure(`received undecodable patch in webhook response: ${read.error}`);
  if (!Array.isArray(read.value))
    return new CallFailure(
      'received undecodable patch in webhook response: json: cannot unmarshal object into Go value of type jsonpatch.Patch',
    );
  if (read.value.length === 0) return object;
  if (!object) {
    const name = JSON.stringify(hook.spec.name);
    return refuse(
      internalError(`admission webhook ${name} attempted to modify the object, which is not supported for this operation`),
    );
  }
  if (patchType !== 'JSONPatch') return new CallFailure(`unsupported patch type ${JSON.stringify(patchType)}`);
  const applied = applyJsonPatch(view.read(object), read.value);
  if ('error' in applied) return refuse(internalError(applied.error));
  const decoded = decode(view.typed, deepFreeze(applied.value as object));
  return 'error' in decoded ? refuse(internalError(decoded.error)) : view.write(decoded.object);
}
