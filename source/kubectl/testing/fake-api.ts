// A stand-in for the API server, for the tests of this room: the verbs on the objects of `client/testing`, watches, discovery, tables
// of names and ages, and the words of the most usual refusals. It has no defaults, no validation and no controllers.
import type {Status} from '../../api/kinds/meta.ts';
import {deepFreeze, type AnyObject} from '../../api/meta/object.ts';
import {RESOURCES, type ResourceFacts} from '../../api/meta/resources.ts';
import {parseSelector} from '../../api/meta/selector-parser.ts';
import {requirementsMatcher} from '../../api/meta/selector.ts';
import {alreadyExists, noSuchResource, notFound} from '../../api/meta/status.ts';
import {formatTime} from '../../api/meta/time.ts';
import type {Answer, Request, WatchEvent} from '../../api/wire/http.ts';
import {factsOf, Objects, patchedBy, placeOf, type Place} from '../../client/testing/objects.ts';
import type {Caller, Receiver} from '../../sim/network.ts';
import {tableOf} from '../print/plain-table.ts';

interface Watcher {
  readonly place: Place;
  readonly request: Request;
  readonly receiver: Receiver;
}

/** The server. */
export class FakeApi {
  /** Every request that came, as `METHOD path?query`. */
  readonly requests: string[] = [];
  /** The bodies of what was written. */
  readonly bodies: unknown[] = [];
  /** Answers for paths that the map of objects does not know: logs, metrics, reviews. */
  readonly answers = new Map<string, (request: Request) => Answer>();
  readonly #objects = new Objects(100);
  readonly #wall: () => number;
  #uids = 0;
  /** What is refused, and how. */
  refuse: (request: Request) => Status | undefined = () => undefined;
  /** False: connections are refused. */
  isUp = true;

  constructor(wall: () => number) {
    this.#wall = wall;
  }

  /** Puts an object there, as it is. */
  put(object: unknown): AnyObject {
    return this.#store(factsOf(object as AnyObject), object as AnyObject);
  }

  /** Takes an object away. */
  drop(kind: string, name: string): void {
    const named = RESOURCES.filter(facts => facts.kind === kind).flatMap(facts =>
      this.#objects.of(facts).map(object => ({facts, object})),
    );
    for (const {facts, object} of named) if (object.metadata.name === name) this.#objects.drop(facts, object);
  }

  /** As a machine dials it. */
  dial(request: unknown, receiver: Receiver): Caller {
    const asked = request as Request;
    const query = Object.entries(asked.query ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .join('&');
    this.requests.push(`${asked.method} ${asked.path}${query === '' ? '' : `?${query}`}`);
    if (asked.body !== undefined) this.bodies.push(asked.body);
    if (!this.isUp) {
      receiver.end?.('refused');
      return {send: () => undefined, cancel: () => undefined};
    }
    const place = placeOf(asked.path);
    if (place && asked.query?.['watch'] === 'true') return this.#watch({place, request: asked, receiver});
    receiver.answer(deepFreeze(this.#answer(asked, place)), false);
    return {send: () => undefined, cancel: () => undefined};
  }

  #watch(watcher: Watcher): Caller {
    const {place, request, receiver} = watcher;
    receiver.answer({status: 200}, true);
    const tell = ({type, object}: WatchEvent<AnyObject>) => {
      if (fits(object, place, request)) receiver.frame?.(eventFor(watcher, type, object, this.#wall()));
    };
    const cancel = this.#objects.watch(place.facts, tell);
    const {resourceVersion, sendInitialEvents} = request.query ?? {};
    if (resourceVersion === '0' || sendInitialEvents === 'true') {
      for (const object of this.#matching(place, request)) tell({type: 'ADDED', object});
    }
    if (sendInitialEvents === 'true') {
      const metadata = {resourceVersion: String(this.#objects.revision), annotations: {'k8s.io/initial-events-end': 'true'}};
      const {kind} = place.facts;
      receiver.frame?.({type: 'BOOKMARK', object: {kind, apiVersion: versionOf(place.facts), metadata}});
    }
    return {send: () => undefined, cancel};
  }

  #answer(request: Request, place: Place | undefined): Answer {
    const refused = this.refuse(request);
    if (refused) return refusal(refused);
    const own = this.answers.get(request.path);
    if (own) return own(request);
    if (request.path === '/api' || request.path === '/apis') return {status: 200, body: discovery(request.path)};
    if (!place) return refusal(noSuchResource());
    const {facts, name} = place;
    if (request.method === 'POST') return this.#create(place, request);
    if (name === undefined) return this.#list(place, request);
    const object = this.#objects.get(facts, keyOf(place));
    if (!object && isApply(request)) return this.#create({...place, name: undefined}, request);
    if (!object) return refusal(notFound(facts, name));
    if (place.subresource === 'scale') return this.#scale(place, object, request);
    switch (request.method) {
      case 'GET':
        return {status: 200, body: wantsTable(request) ? tableOf([object], this.#wall()) : object};
      case 'PUT':
        return {status: 200, body: this.#store(facts, request.body as AnyObject)};
      case 'PATCH':
        return this.#patch(facts, object, request);
      default:
        this.#objects.drop(facts, object);
        return {
          status: 200,
          body: {
            kind: 'Status',
            apiVersion: 'v1',
            metadata: {},
            status: 'Success',
            details: {name, kind: facts.resource, uid: object.metadata.uid},
          },
        };
    }
  }

  #create(place: Place, request: Request): Answer {
    const object = request.body as AnyObject;
    if (place.name !== undefined) return {status: 201, body: object ?? null};
    const name = (object.metadata as Partial<AnyObject['metadata']> | null)?.name ?? '';
    if (name === '')
      return refusal({status: 'Failure', reason: 'Invalid', code: 422, message: 'name or generateName is required'});
    if (this.#objects.get(place.facts, keyOf({...place, name}))) return refusal(alreadyExists(place.facts, name));
    if (request.query?.['dryRun'] === 'All') return {status: 201, body: object};
    return {status: 201, body: this.#store(place.facts, object)};
  }

  #list(place: Place, request: Request): Answer {
    const items = this.#matching(place, request);
    const metadata = {resourceVersion: String(this.#objects.revision)};
    if (wantsTable(request)) return {status: 200, body: {...tableOf(items, this.#wall()), metadata}};
    const {facts} = place;
    return {status: 200, body: {kind: `${facts.kind}List`, apiVersion: versionOf(facts), metadata, items}};
  }

  #patch(facts: ResourceFacts, object: AnyObject, request: Request): Answer {
    const patched = patchedBy(object, request);
    if ('error' in patched)
      return refusal({
        status: 'Failure',
        reason: 'Invalid',
        code: 422,
        message: 'the server rejected our request due to an error in our request',
        details: {},
      });
    if (request.query?.['dryRun'] === 'All') return {status: 200, body: patched.value};
    return {status: 200, body: this.#store(facts, patched.value as AnyObject)};
  }

  #scale(place: Place, object: AnyObject, request: Request): Answer {
    const replicas = (request.body as {spec?: {replicas?: number}} | undefined)?.spec?.replicas;
    const spec = object.spec as {replicas?: number};
    if (replicas !== undefined) this.#store(place.facts, {...object, spec: {...spec, replicas}});
    return {
      status: 200,
      body: {kind: 'Scale', apiVersion: 'autoscaling/v1', metadata: object.metadata, spec: {replicas: replicas ?? spec.replicas}},
    };
  }

  #store(facts: ResourceFacts, object: AnyObject): AnyObject {
    const namespace = facts.namespaced ? {namespace: object.metadata.namespace ?? 'default'} : {};
    const created = {uid: `uid-${++this.#uids}`, creationTimestamp: formatTime(this.#wall())};
    const {namespace: _, ...given} = object.metadata;
    return this.#objects.put(facts, {...object, metadata: {...created, ...given, ...namespace}});
  }

  #matching(place: Place, request: Request): AnyObject[] {
    return this.#objects
      .of(place.facts)
      .filter(object => fits(object, place, request))
      .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  }
}

function fits(object: AnyObject, {namespace}: Place, request: Request): boolean {
  if (namespace !== undefined && object.metadata.namespace !== namespace) return false;
  const parsed = parseSelector(request.query?.['labelSelector'] ?? '');
  if ('requirements' in parsed && !requirementsMatcher(parsed.requirements)(object.metadata.labels)) return false;
  return (request.query?.['fieldSelector'] ?? '').split(',').every(term => fieldFits(object, term));
}

function fieldFits(object: AnyObject, term: string): boolean {
  if (term === '') return true;
  const [path = '', value = ''] = term.split(/!?=/);
  let at: unknown = object;
  for (const key of path.split('.')) at = (at as Record<string, unknown> | undefined)?.[key];
  return ((at ?? '') === value) !== term.includes('!=');
}

function isApply({headers}: Request): boolean {
  return headers?.['content-type'] === 'application/apply-patch+yaml';
}

function eventFor({request}: Watcher, type: WatchEvent['type'], object: AnyObject, now: number): WatchEvent {
  return {type, object: wantsTable(request) ? tableOf([object], now) : object};
}

function wantsTable(request: Request): boolean {
  return request.headers?.['accept']?.includes('as=Table') ?? false;
}

function refusal(status: Status): Answer {
  return {status: status.code ?? 500, body: {kind: 'Status', apiVersion: 'v1', ...status}};
}

function keyOf({facts, namespace, name = ''}: Place): string {
  return facts.namespaced ? `${namespace ?? 'default'}/${name}` : name;
}

function versionOf({group, version}: ResourceFacts): string {
  return group === '' ? version : `${group}/${version}`;
}

function discovery(path: string): unknown {
  const groups = new Map<string, Map<string, unknown[]>>();
  for (const one of RESOURCES) {
    if ((one.group === '') !== (path === '/api')) continue;
    const versions = groups.get(one.group) ?? new Map<string, unknown[]>();
    groups.set(one.group, versions);
    versions.set(one.version, [...(versions.get(one.version) ?? []), discovered(one)]);
  }
  const items = [...groups].map(([name, versions]) => ({
    metadata: name === '' ? {} : {name},
    versions: [...versions].map(([version, resources]) => ({version, resources, freshness: 'Current'})),
  }));
  return {kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items};
}

function discovered(one: ResourceFacts): unknown {
  return {
    resource: one.resource,
    responseKind: {group: one.group, version: one.version, kind: one.kind},
    scope: one.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: one.singular,
    verbs: one.verbs,
    shortNames: one.shortNames,
    categories: one.categories,
    subresources: one.subresources.map(sub => ({
      subresource: sub.name,
      responseKind: {group: sub.group ?? '', version: sub.version ?? '', kind: sub.kind},
      verbs: sub.verbs,
    })),
  };
}
