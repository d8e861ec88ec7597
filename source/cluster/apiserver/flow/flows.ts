// API priority and fairness, as far as one sees it from outside: each request is told, in two headers, which FlowSchema it fell under
// and of which priority level. No request ever waits for another, so nothing is rejected.
//
// The server keeps the configuration as the real one does. Each FlowSchema learns whether its priority level is there. The objects
// that a cluster begins with are looked after once a minute: what was deleted comes back, and what was changed is put right, unless
// its annotation says that it is not to be updated (the few without which nothing works are put right even then).
import objects from '../../../api/data/start-objects.json' with {type: 'json'};
import type {FlowSchema} from '../../../api/kinds/flowcontrol-v1.ts';
import {findCondition} from '../../../api/meta/conditions.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import type {Task} from '../../../sim/task.ts';
import type {User} from '../auth/user.ts';
import type {Core} from '../core.ts';
import type {RequestInfo} from '../http/info.ts';
import {Refused} from '../http/refused.ts';
import {applyTo} from '../registry/apply.ts';
import {createObject} from '../registry/create.ts';
import {ownWrite} from '../registry/own-write.ts';
import type {Served, ServedResources} from '../registry/served.ts';
import {sameSpec, updateObject} from '../registry/update.ts';
import type {Write} from '../registry/write.ts';
import {inPrecedence, schemaFor} from './match.ts';
import {CONSUMER, PRODUCER} from './names.ts';
import {untilNext} from '../../../sim/grid.ts';

const GROUP = 'flowcontrol.apiserver.k8s.io';
const AUTOUPDATE = 'apf.kubernetes.io/autoupdate-spec';
const MANDATORY = new Set(['exempt', 'catch-all']);
const LOOK_MS = 60_000;

type Headers = Readonly<Record<string, string>>;

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime?: string;
}

const FIRST = (objects as unknown as readonly AnyObject[]).filter(({apiVersion}) => apiVersion.startsWith(`${GROUP}/`));

/** The flows of a server. */
export class Flows {
  readonly #core: () => Core;
  readonly #schemas: Served;
  readonly #levels: Served;
  #ordered: readonly FlowSchema[] | undefined;
  #due = false;
  #looking = false;

  constructor(resources: ServedResources, core: () => Core) {
    this.#core = core;
    this.#schemas = resources.of('flowschemas', GROUP);
    this.#levels = resources.of('prioritylevelconfigurations', GROUP);
  }

  /** Begins to follow the configuration, once the caches are filled. */
  follow(): void {
    for (const {cache} of [this.#schemas, this.#levels]) {
      cache.on(() => {
        this.#ordered = undefined;
        this.#soon();
      });
    }
  }

  /** What the answer to a request says of its flow. */
  headers(user: User, info: RequestInfo): Headers {
    this.#ordered ??= inPrecedence(this.#schemas.cache.objects() as unknown as readonly FlowSchema[]);
    const schema = schemaFor(this.#ordered, user, info);
    const level = schema && this.#levels.cache.get(schema.spec.priorityLevelConfiguration.name);
    if (!schema || !level) return {};
    return {'x-kubernetes-pf-flowschema-uid': schema.metadata.uid, 'x-kubernetes-pf-prioritylevel-uid': level.metadata.uid};
  }

  #soon(): void {
    if (this.#due) return;
    this.#due = true;
    const {scope} = this.#core().daemon;
    scope.soon(() => {
      this.#due = false;
      this.#look();
      scope.run(this.#judgeAll(), () => undefined);
    });
  }

  /** Tells every FlowSchema whether its priority level is there. */
  *#judgeAll(): Task {
    for (const schema of this.#schemas.cache.objects() as unknown as readonly FlowSchema[]) {
      if (!this.#news(schema)) continue;
      const own = ownWrite(this.#core(), this.#schemas);
      const write = {...own, subresource: 'status', manager: CONSUMER, applies: true, withoutWebhooks: true};
      const {name} = schema.metadata;
      yield* updateObject(write, {name, namespace: '', change: old => this.#judged(write, old)});
    }
  }

  /** The condition is applied, so that it has an owner of its own. */
  #judged(write: Write, object: AnyObject): AnyObject | Refused {
    const condition = this.#news(object as unknown as FlowSchema);
    if (!condition) return object;
    const {apiVersion, kind, metadata} = object;
    const status = {conditions: [{...condition, lastTransitionTime: write.core.daemon.now()}]};
    return applyTo(write, {apiVersion, kind, metadata: {name: metadata.name}, status}, object);
  }

  /** What a FlowSchema does not say yet of its priority level. */
  #news({spec, status}: FlowSchema): Condition | undefined {
    const {name} = spec.priorityLevelConfiguration;
    const isThere = this.#levels.cache.get(name) !== undefined;
    const what = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(name)}`;
    const condition = isThere
      ? {type: 'Dangling', status: 'False', reason: 'Found', message: `${what} and it exists`}
      : {type: 'Dangling', status: 'True', reason: 'NotFound', message: `${what} but there is no such object`};
    const said = findCondition(status?.conditions as readonly Condition[] | undefined, 'Dangling');
    return said?.status === condition.status && said.message === condition.message ? undefined : condition;
  }

  /** Looks after the first objects at the next full minute of the server, if one of them is not as it was. */
  #look(): void {
    if (this.#looking || FIRST.every(first => this.#isFine(first))) return;
    this.#looking = true;
    const {daemon, startedAt} = this.#core();
    const {scope} = daemon;
    scope.after(untilNext(daemon.wall(), LOOK_MS, startedAt), () => {
      this.#looking = false;
      scope.run(this.#restore(), () => undefined);
    });
  }

  #servedOf({kind}: AnyObject): Served {
    return kind === 'FlowSchema' ? this.#schemas : this.#levels;
  }

  #isFine(first: AnyObject): boolean {
    const present = this.#servedOf(first).cache.get(first.metadata.name);
    if (!present) return false;
    const isFree = !MANDATORY.has(first.metadata.name) && present.metadata.annotations?.[AUTOUPDATE] === 'false';
    return isFree || sameSpec(present, first);
  }

  *#restore(): Task {
    const core = this.#core();
    for (const first of FIRST) {
      if (this.#isFine(first)) continue;
      const served = this.#servedOf(first);
      const {name} = first.metadata;
      const write = {...ownWrite(core, served), manager: PRODUCER, withoutWebhooks: true};
      const {annotations} = first.metadata;
      const fresh = {...first, metadata: {name, ...(annotations ? {annotations} : {})}} as unknown as AnyObject;
      if (!served.cache.get(name)) yield* createObject(write, fresh);
      else {
        const put = yield* updateObject(write, {name, namespace: '', change: old => ({...old, spec: first.spec})});
        if (put instanceof Refused)
          core.daemon.print(`E "${name} could not be put right" err=${JSON.stringify(put.status.message)}`);
      }
    }
  }
}
