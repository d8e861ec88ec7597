// The request line: what happens to each request, in order. Who is it (authentication, impersonation), may he (authorization),
// what is it about (routing), and then the handler: for the stored resources the verbs of endpoints/verbs.ts, whose writes go
// through decoding, admission, validation and etcd.
//
// Each write is noted in the trace once, as soon as the name of its object is known and before etcd is asked, so that whatever
// follows from it can say so; the code of the answer is put into the entry when it is there. Reads are not noted.
import {forbidden, methodNotAllowed, noSuchResource, notFound} from '../../api/meta/status.ts';
import type {Answer, Request} from '../../api/wire/http.ts';
import type {Task} from '../../sim/task.ts';
import type {AuditRecord} from './audit/audit.ts';
import {authenticate} from './auth/authenticate.ts';
import {impersonate} from './auth/impersonate.ts';
import type {Core} from './core.ts';
import type {Asked, AskedResource} from './endpoints/asked.ts';
import {SPECIAL} from './endpoints/index.ts';
import {scale} from './endpoints/scale.ts';
import {answerPath, nothingAt} from './endpoints/paths.ts';
import {verbHandler} from './endpoints/verbs.ts';
import {agentName} from './http/agent.ts';
import {readInfo, type RequestInfo} from './http/info.ts';
import {isLarge} from './http/large.ts';
import {NOT_FOUND_PAGE, refusal, withWarnings} from './http/reply.ts';
import {refuse, Refused} from './http/refused.ts';
import {complain} from './auth/complaint.ts';
import {withHeaders, type Stream} from './http/stream.ts';
import {refusalText, type Access} from './rbac/access.ts';
import {readAhead} from './registry/read-ahead.ts';
import type {User} from './auth/user.ts';

const READS = new Set(['get', 'list', 'watch']);

/** Answers a request; undefined when the stream was opened. */
export function serveRequest(core: Core, request: Request, stream: Stream | undefined): Task<Answer | undefined> {
  const {clientAuthority, anonymous} = core.settings;
  const sender = authenticate({clientAuthority, tokens: core.tokens, wall: core.daemon.wall, anonymous}, request);
  if (sender instanceof Refused) {
    complain(core, request);
    core.audit?.refused(request, stream?.from, refusal(sender));
    return serveSender(core, request, {sender, stream});
  }
  const record = core.audit?.begin(request, sender, stream?.from);
  return record ? recorded(core, request, {sender, stream, record}) : serveSender(core, request, {sender, stream});
}

interface Sending {
  readonly sender: User | Refused;
  readonly stream: Stream | undefined;
}

/** The same for a request that the audit log has a record of. */
function* recorded(core: Core, request: Request, sending: Sending & {record: AuditRecord}): Task<Answer | undefined> {
  const {stream, record} = sending;
  const answer = yield* serveSender(core, request, {...sending, stream: stream && record.following(stream)});
  if (!answer) return undefined;
  record.complete(answer);
  return {...answer, headers: {...answer.headers, 'audit-id': record.id}};
}

function* serveSender(
  core: Core,
  request: Request,
  {sender, stream, record}: Sending & {record?: AuditRecord},
): Task<Answer | undefined> {
  if (sender instanceof Refused) return refusal(sender);
  const authorize = (user: User, access: Access) => core.authorize(user, access);
  const user = impersonate(sender, request.headers, authorize);
  if (user instanceof Refused) return refusal(user);
  record?.impersonates(user);
  const info = readInfo(request);
  const flow = request.readsHeaders ? core.flows.headers(user, info) : undefined;
  const asked = new Passing(core, request, {info, user, stream: flow && stream ? withHeaders(stream, flow) : stream});
  const denied = check(core, {user, info, record});
  const kind = READS.has(info.verb) ? 'readOnly' : 'mutating';
  core.counts.inFlight[kind]++;
  const begun = core.daemon.clock.now;
  const answer = denied ?? (yield* route(asked));
  core.counts.inFlight[kind]--;
  if (answer === undefined) return undefined;
  const shown = answer instanceof Refused ? refusal(answer) : answer;
  core.counts.add(info, shown.status, (core.daemon.clock.now - begun) / 1000);
  asked.finish(shown.status);
  const warned = asked.warnings.length > 0 ? withWarnings(shown, asked.warnings) : shown;
  return flow ? {...warned, headers: {...warned.headers, ...flow}} : warned;
}

interface Checked {
  readonly user: User;
  readonly info: RequestInfo;
  readonly record: AuditRecord | undefined;
}

function check(core: Core, {user, info, record}: Checked): Refused | undefined {
  const selector = info.query['fieldSelector'];
  const decision = core.authorize(user, selector === undefined ? info : {...info, fieldSelector: selector});
  record?.decided(decision);
  if (decision.allowed) return undefined;
  const why = refusalText(user.name, info, decision.reason);
  return refuse(forbidden(info, info.name, why));
}

function* route(asked: Passing): Task<Answer | Refused | undefined> {
  const {core, info} = asked;
  // Two slashes at the beginning are no root that anybody serves.
  if (info.path.startsWith('//')) return NOT_FOUND_PAGE;
  if (info.resource === '') return yield* answerPath(asked);
  const served = core.resources.find(info.group, info.version, info.resource);
  const extension = served ? undefined : core.aggregator.find(info.group, info.version);
  if (extension) return yield* core.aggregator.pass(extension, asked.request, asked);
  if (!served) return core.resources.hasVersion(info.group, info.version) ? refuse(noSuchResource()) : nothingAt(core, info.path);
  const {facts, strategy} = served;
  if (isAcrossWrite(info, facts)) return refuse(methodNotAllowed());
  if (facts.namespaced !== (info.namespace !== '') && !acrossNamespaces(info, facts.namespaced)) return refuse(noSuchResource());
  if (strategy.deprecation !== undefined) asked.warnings.push(strategy.deprecation);
  const resource: AskedResource = asked.about(served);
  const qualified = facts.group === '' ? facts.resource : `${facts.resource}.${facts.group}`;
  const special =
    facts.custom?.scale && info.subresource === 'scale'
      ? scale
      : SPECIAL[info.subresource === '' ? qualified : `${qualified}/${info.subresource}`];
  if (special) {
    if (!answersTo(info, facts)) return refuse(methodNotAllowed());
    if (isLarge(asked.request)) yield* readAhead(core.daemon, asked.request);
    return yield* special(resource);
  }
  if (info.subresource !== '' && !facts.subresources.some(sub => sub.name === info.subresource))
    return refuse(facts.custom ? notFound(facts, info.name) : noSuchResource());
  if (info.name === '' && !['create', 'list', 'watch', 'deletecollection'].includes(info.verb)) return refuse(methodNotAllowed());
  if (info.verb === '' || (info.name !== '' && info.verb === 'create')) return refuse(methodNotAllowed());
  const handler = verbHandler(resource);
  if (handler instanceof Refused) return handler;
  if (isLarge(asked.request)) yield* readAhead(core.daemon, asked.request);
  return yield* handler(resource);
}

/** Does a resource with ways of its own have this verb? */
function answersTo(info: RequestInfo, facts: AskedResource['served']['facts']): boolean {
  const {subresource, verb} = info;
  const verbs = subresource === '' ? facts.verbs : facts.subresources.find(each => each.name === subresource)?.verbs;
  return verb !== '' && (verbs === undefined || verbs.length === 0 || verbs.includes(verb));
}

/** Across all namespaces one reads; what is written lies in one of them. Reviews that name no namespace are made in none. */
function isAcrossWrite(info: RequestInfo, {namespaced, verbs}: AskedResource['served']['facts']): boolean {
  return namespaced && info.namespace === '' && info.name === '' && verbs.includes('list') && !READS.has(info.verb);
}

/** Namespaced resources are listed and watched across all namespaces; a namespace's own path names the namespace too. */
function acrossNamespaces(info: RequestInfo, namespaced: boolean): boolean {
  if (!namespaced) return info.resource === 'namespaces';
  return info.name === '' || info.verb === 'list' || info.verb === 'watch';
}

/** A request on its way through the line. */
class Passing implements Asked {
  readonly core: Core;
  readonly request: Request;
  readonly info: RequestInfo;
  readonly user: User;
  readonly stream: Stream | undefined;
  readonly warnings: string[] = [];
  readonly note: (name: string) => void;
  #detail: {code: number} | undefined;

  constructor(core: Core, request: Request, rest: {info: RequestInfo; user: User; stream: Stream | undefined}) {
    this.core = core;
    this.request = request;
    this.info = rest.info;
    this.user = rest.user;
    this.stream = rest.stream;
    this.note = name => this.#note(name);
  }

  about(served: AskedResource['served']): AskedResource {
    const {core, request, info, user, stream, warnings, note} = this;
    return {core, request, info, user, stream, warnings, note, served};
  }

  /** Puts the answer's code into the entry. */
  finish(code: number): void {
    const {info} = this;
    if (!this.#detail && info.resource !== '' && !READS.has(info.verb)) this.#note(info.name);
    if (this.#detail) this.#detail.code = code;
  }

  #note(name: string): void {
    if (this.#detail) return;
    this.#detail = {code: 0};
    const {core, info, request, user} = this;
    const resource = info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`;
    const place = info.namespace === '' || info.resource === 'namespaces' ? '' : `${info.namespace}/`;
    core.daemon.trace.note(
      agentName(request.headers?.['user-agent'], user.node),
      info.verb,
      `${resource}/${place}${name}`,
      this.#detail,
    );
  }
}
