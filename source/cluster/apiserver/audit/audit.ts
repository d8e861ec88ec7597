// The audit log: who asked for what, and what came of it, a line of JSON for each stage of each request that the policy names. A request
// is known from its authentication on; who failed at that is written down too, without a name.
//
// Not written: what webhooks and Pod Security add to the annotations; only the decision of the authorizer stands there.
import {isFields, type Fields} from '../../../api/meta/fields.ts';
import {formatMicroTime} from '../../../api/meta/time.ts';
import {arranged} from '../../../api/schema/arranged.ts';
import {plainJson} from '../../../api/schema/json-text.ts';
import type {Answer, Request} from '../../../api/wire/http.ts';
import {requestUri} from '../../../api/wire/uri.ts';
import type {Daemon} from '../../../sim/daemon.ts';
import {userInfo, type User} from '../auth/user.ts';
import {readInfo, type RequestInfo} from '../http/info.ts';
import type {Stream} from '../http/stream.ts';
import type {Decision} from '../rbac/access.ts';
import {judge, reaches, type Policy, type Stage, type Verdict} from './policy.ts';

/** Where the lines go, and which there are. */
export interface AuditSettings {
  readonly policy: Policy;
  write(line: string): void;
}

/** The log of a server. */
export class Audit {
  readonly #settings: AuditSettings;
  readonly #daemon: Daemon;

  constructor(daemon: Daemon, settings: AuditSettings) {
    this.#daemon = daemon;
    this.#settings = settings;
  }

  /** Begins the record of a request; undefined where the policy wants none. */
  begin(request: Request, user: User, from: string | undefined): AuditRecord | undefined {
    const record = this.#record(request, user, from);
    record?.received();
    return record;
  }

  #record(request: Request, user: User | undefined, from: string | undefined): AuditRecord | undefined {
    const info = readInfo(request);
    const verdict = judge(this.#settings.policy, user, info);
    if (!verdict) return undefined;
    const id = request.headers?.['audit-id'] ?? this.#daemon.dice.of('audit').uuid();
    const wall = this.#daemon.wall;
    return new AuditRecord({request, info, user, from, verdict, id, wall, write: line => this.#settings.write(line)});
  }

  /** Writes down a request of which nobody could say who sent it: only what it was answered. */
  refused(request: Request, from: string | undefined, answer: Answer): void {
    this.#record(request, undefined, from)?.complete(answer, 'ResponseStarted');
  }
}

interface Facts {
  readonly request: Request;
  readonly info: RequestInfo;
  readonly user: User | undefined;
  /** The address that it came from. */
  readonly from: string | undefined;
  readonly verdict: Verdict;
  readonly id: string;
  readonly wall: () => number;
  readonly write: (line: string) => void;
}

/** The record of one request. */
export class AuditRecord {
  readonly #facts: Facts;
  readonly #received: number;
  #impersonated: User | undefined;
  #decision: Decision | undefined;
  #status: Fields | undefined;
  #response: Fields | undefined;
  #over = false;

  constructor(facts: Facts) {
    this.#facts = facts;
    this.#received = facts.wall();
  }

  received(): void {
    this.#write('RequestReceived');
  }

  get id(): string {
    return this.#facts.id;
  }

  /** It counts as a request of somebody else. */
  impersonates(user: User): void {
    if (user !== this.#facts.user) this.#impersonated = user;
  }

  decided(decision: Decision): void {
    this.#decision = decision;
  }

  /** The answer was given whole. */
  complete(answer: Answer, stage: Stage = 'ResponseComplete'): void {
    if (this.#over) return;
    this.#over = stage === 'ResponseComplete';
    this.#status = statusOf(answer);
    if (isFields(answer.body) && answer.body['kind'] !== undefined) this.#response = answer.body;
    this.#write(stage);
  }

  /** The same stream, whose beginning and end are written down. */
  following(stream: Stream): Stream {
    let first: Answer = {status: 200};
    const over = (): void => this.complete({status: first.status});
    return {
      ...(stream.from === undefined ? {} : {from: stream.from}),
      open: answer => {
        first = answer;
        this.complete({status: answer.status}, 'ResponseStarted');
        stream.open(answer);
      },
      send: frame => stream.send(frame),
      end: failure => {
        over();
        stream.end(failure);
      },
      onFrame: take => stream.onFrame(take),
      onCancel: take =>
        stream.onCancel(() => {
          over();
          take();
        }),
    };
  }

  #write(stage: Stage): void {
    const {verdict, request, info, user, from, id, wall, write} = this.#facts;
    if (verdict.omits.has(stage)) return;
    const isWritten = stage !== 'RequestReceived' && isFields(request.body) && reaches(verdict.level, 'Request');
    const isAnswered = stage === 'ResponseComplete' && reaches(verdict.level, 'RequestResponse');
    write(
      plainJson({
        kind: 'Event',
        apiVersion: 'audit.k8s.io/v1',
        level: verdict.level,
        auditID: id,
        stage,
        requestURI: requestUri(request.path, request.query),
        verb: info.verb,
        user: user ? shownUser(user) : {},
        impersonatedUser: this.#impersonated && shownUser(this.#impersonated),
        sourceIPs: from === undefined ? undefined : [from],
        userAgent: request.headers?.['user-agent'],
        objectRef: this.#reference(stage),
        responseStatus: this.#status,
        requestObject: isWritten ? this.#shown(request.body as Fields) : undefined,
        responseObject: isAnswered && this.#response ? this.#shown(this.#response) : undefined,
        requestReceivedTimestamp: formatMicroTime(this.#received),
        stageTimestamp: formatMicroTime(wall()),
        annotations: this.#decision && annotationsOf(this.#decision),
      }),
    );
  }

  /** What it is about. A name that only the object says is known once the object was read. */
  #reference(stage: Stage): Fields | undefined {
    const {info, request} = this.#facts;
    if (info.resource === '') return undefined;
    const written = stage === 'RequestReceived' || info.verb === 'patch' ? undefined : metadataOf(request.body);
    const said = (own: string, field: string) => own || textOf(written, field);
    return {
      resource: info.resource,
      namespace: said(info.namespace, 'namespace'),
      name: said(info.name, 'name'),
      uid: textOf(written, 'uid'),
      apiGroup: info.group || undefined,
      apiVersion: info.version,
      resourceVersion: textOf(written, 'resourceVersion'),
      subresource: info.subresource || undefined,
    };
  }

  #shown(value: Fields): Fields {
    return arranged(this.#facts.verdict.withoutOwners ? withoutOwners(value) : value);
  }
}

function shownUser(user: User): Fields {
  const {extra, ...rest} = userInfo(user);
  return isFields(extra) ? {...rest, extra: arranged(extra)} : rest;
}

function annotationsOf({allowed, reason}: Decision): Fields {
  return {'authorization.k8s.io/decision': allowed ? 'allow' : 'forbid', 'authorization.k8s.io/reason': reason};
}

/** The Status of a failure, or no more than the code. */
function statusOf({status, body}: Answer): Fields {
  const said = isFields(body) && body['kind'] === 'Status' ? body : {};
  const details = isFields(said['details']) ? arranged(said['details']) : undefined;
  return {metadata: {}, status: said['status'], message: said['message'], reason: said['reason'], details, code: status};
}

function metadataOf(body: unknown): Fields | undefined {
  const metadata = isFields(body) ? body['metadata'] : undefined;
  return isFields(metadata) ? metadata : undefined;
}

/** A text that says something. */
function textOf(fields: Fields | undefined, name: string): string | undefined {
  const value = fields?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function withoutOwners(value: Fields): Fields {
  const {items} = value;
  const metadata = metadataOf(value);
  const {managedFields: _owners, ...kept} = metadata ?? {};
  const bare = (item: unknown): unknown => (isFields(item) ? withoutOwners(item) : item);
  return {...value, ...(metadata ? {metadata: kept} : {}), ...(Array.isArray(items) ? {items: items.map(bare)} : {})};
}
