// One call of one webhook: over the network and TLS, no longer than it may take. While it lasts, whoever wrote is waiting.
import {badRequest, timeout} from '../../../../api/meta/status.ts';
import type {Request} from '../../../../api/wire/http.ts';
import type {Task} from '../../../../sim/task.ts';
import {refuse, Refused} from '../../http/refused.ts';
import {exchange} from './exchange.ts';
import type {Hook} from './hooks.ts';
import {admissionReview} from './review.ts';
import type {Subject, View} from './subject.ts';
import {addressOf, greetingOf} from './target.ts';
import {CallFailure, readVerdict, type Verdict} from './verdict.ts';

/** The longest that a whole request of the API may take. */
const REQUEST_MS = 34_000;
const DEFAULT_SECONDS = 10;
const TOO_LATE = 'request did not complete within requested timeout - context deadline exceeded';

/** Calls a webhook about a request. */
export function* callWebhook(hook: Hook, subject: Subject, view: View): Task<Verdict | CallFailure | Refused> {
  const {write} = subject.attributes;
  const {spec} = hook;
  const {core} = write;
  if (write.dryRun && spec.sideEffects !== 'None' && spec.sideEffects !== 'NoneOnDryRun')
    return refuse(badRequest(`admission webhook ${JSON.stringify(spec.name)} does not support dry run`));
  const seconds = spec.timeoutSeconds ?? DEFAULT_SECONDS;
  const address = addressOf(spec.clientConfig, seconds);
  const hello = greetingOf(spec.clientConfig.caBundle, address, core.daemon.wall());
  if (typeof hello === 'string') return new CallFailure(`could not get REST client: ${hello}`);
  const uid = core.webhooks.dice.uuid();
  const {path, query} = address;
  const body = admissionReview(subject, view, uid);
  const headers = {'user-agent': 'kube-apiserver-admission', 'content-type': 'application/json'};
  const request = {method: 'POST', scheme: 'https', path, query, headers, body, hello} satisfies Request;
  const left = write.begunAt === undefined ? REQUEST_MS : write.begunAt + REQUEST_MS - core.daemon.clock.now;
  if (left <= 0) return refuse(timeout(TOO_LATE));
  const post = (why: string): CallFailure =>
    new CallFailure(`failed to call webhook: Post ${JSON.stringify(address.url)}: ${why}`);
  const {resource} = view.resource;
  const about = subject.subresource === '' ? resource : `${resource}/${subject.subresource}`;
  const place = [about, subject.namespace, subject.name].filter(Boolean).join('/');
  core.daemon.trace.note('kube-apiserver', 'review', place, {configuration: hook.configuration, webhook: spec.name, about});
  const answer = yield* exchange(core, {address, request, withinMs: Math.min(seconds * 1000, left)});
  if (answer === 'late') return left <= seconds * 1000 ? refuse(timeout(TOO_LATE)) : post('context deadline exceeded');
  return typeof answer === 'string' ? post(answer) : readVerdict(hook, answer, uid);
}
