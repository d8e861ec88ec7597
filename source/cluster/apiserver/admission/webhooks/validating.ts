// Validating webhooks: all that match are asked at the same time, and all must agree. Where several say no, the first in order
// is heard.
import {internalError} from '../../../../api/meta/status.ts';
import {all, type Task} from '../../../../sim/task.ts';
import {refuse, Refused} from '../../http/refused.ts';
import type {Core} from '../../core.ts';
import type {Attributes} from '../../registry/write.ts';
import type {Plugin} from '../plugin.ts';
import {callWebhook} from './call.ts';
import type {Hook} from './hooks.ts';
import {viewFor} from './match.ts';
import {subjectOf, type Subject, type View} from './subject.ts';
import {CallFailure, denial} from './verdict.ts';

export const validatingWebhooks: Plugin = {
  name: 'ValidatingAdmissionWebhook',
  resources: ['*'],
  operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
  subresources: ['*'],
  validate(attributes) {
    const {validating} = attributes.write.core.webhooks;
    return validating.length === 0 || attributes.write.withoutWebhooks ? undefined : ask(attributes, validating);
  },
};

function* ask(attributes: Attributes, hooks: readonly Hook[]): Task<Refused | undefined> {
  const subject = subjectOf(attributes);
  const calls: Task<Refused | undefined>[] = [];
  for (const hook of hooks) {
    const view = viewFor(hook, subject);
    if (view instanceof Refused) return view;
    if (view) calls.push(askOne(hook, subject, view));
  }
  if (calls.length === 0) return undefined;
  return (yield* all(calls)).find(refused => refused !== undefined);
}

function* askOne(hook: Hook, subject: Subject, view: View): Task<Refused | undefined> {
  const {name} = hook.spec;
  const verdict = yield* callWebhook(hook, subject, view);
  if (verdict instanceof Refused) return verdict;
  const {core} = subject.attributes.write;
  if (verdict instanceof CallFailure) return failed(core, hook, verdict);
  subject.attributes.write.warnings.push(...verdict.warnings);
  return verdict.allowed ? undefined : refuse(denial(name, verdict));
}

/** What a webhook that cannot be asked means is for its failure policy to say. */
export function failed({daemon}: Core, {spec, stage}: Hook, {why}: CallFailure): Refused | undefined {
  const words = `failed calling webhook ${JSON.stringify(spec.name)}: ${why}`;
  const [open, closed] = stage === 'mutating' ? [217, 225] : [199, 205];
  if (spec.failurePolicy === 'Ignore') {
    daemon.print(`W dispatcher.go:${open}] Failed calling webhook, failing open ${spec.name}: ${words}`);
    daemon.print(`E dispatcher.go:${open + 1}] "Unhandled Error" err=${JSON.stringify(words)} logger="UnhandledError"`);
    return undefined;
  }
  daemon.print(`W dispatcher.go:${closed}] Failed calling webhook, failing closed ${spec.name}: ${words}`);
  return refuse(internalError(words));
}
