// A stand-in for the API server, as far as one kubelet needs it: objects in memory, lists and watches, patches as the schemas
// say. The stories of the whole cluster use the real one.
import type {WatchEvent, Request, Answer} from '../../../source/api/wire/http.ts';
import {RESOURCES, type ResourceFacts} from '../../../source/api/meta/resources.ts';
import {schemaOf, typeOfKind} from '../../../source/api/schema/index.ts';
import {applyStrategicPatch, type JsonObject} from '../../../source/api/schema/merge/index.ts';
import type {Call, Listener} from '../../../source/sim/network.ts';
import type {Dice} from '../../../source/sim/dice.ts';

export interface Stored {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Record<string, any>;
  readonly [field: string]: any;
}

interface Place {
  readonly resource: ResourceFacts;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

export class FakeApi {
  readonly objects = new Map<string, Stored>();
  readonly requests: string[] = [];
  readonly #watches = new Set<{readonly prefix: string; readonly selector: string | undefined; readonly call: Call}>();
  readonly #dice: Dice;
  readonly #now: () => string;
  #revision = 100;

  constructor(dice: Dice, now: () => string) {
    this.#dice = dice;
    this.#now = now;
  }

  readonly listener: Listener = call => {
    const request = call.request as Request;
    if (request.query?.['watch']) this.#watch(call, request);
    else call.answer(this.serve(request));
  };

  /** Puts an object there, as a user would. */
  put(object: Omit<Stored, 'metadata'> & {metadata: Record<string, any>}): Stored {
    const resource = RESOURCES.find(
      each => each.kind === object['kind'] && each.version === String(object['apiVersion']).split('/').at(-1),
    );
    if (!resource) throw new Error(`no resource of ${object['kind']}`);
    const {name, namespace} = object.metadata;
    return this.#store({resource, namespace, name, subresource: undefined}, object as Stored);
  }

  get(kind: string, name: string, namespace = 'default'): Stored | undefined {
    const resource = RESOURCES.find(each => each.kind === kind);
    return (
      resource &&
      this.objects.get(keyOf({resource, namespace: resource.namespaced ? namespace : undefined, name, subresource: undefined}))
    );
  }

  all(kind: string): Stored[] {
    return [...this.objects.values()].filter(object => object.kind === kind);
  }

  remove(kind: string, name: string, namespace = 'default'): void {
    const resource = RESOURCES.find(each => each.kind === kind);
    if (resource) this.#drop({resource, namespace: resource.namespaced ? namespace : undefined, name, subresource: undefined});
  }

  serve(request: Request): Answer {
    const place = placeOf(request.path);
    if (!place) return failure(404, 'NotFound', 'the server could not find the requested resource');
    this.requests.push(`${request.method} ${place.resource.resource}${place.subresource ? `/${place.subresource}` : ''}`);
    if (place.subresource === 'token')
      return {status: 201, body: {...(request.body as object), status: {token: 'eyJtoken', expirationTimestamp: this.#now()}}};
    const key = keyOf(place);
    const known = this.objects.get(key);
    switch (request.method) {
      case 'GET':
        if (place.name === undefined)
          return {
            status: 200,
            body: {
              metadata: {resourceVersion: String(this.#revision)},
              items: this.#select(key, request.query?.['fieldSelector']),
            },
          };
        return known ? {status: 200, body: known} : notFound(place);
      case 'POST': {
        const object = request.body as Stored;
        const at = {...place, name: object.metadata['name'] ?? `${object.metadata['generateName']}${this.#dice.suffix()}`};
        if (this.objects.has(keyOf(at)))
          return failure(409, 'AlreadyExists', `${place.resource.resource} "${at.name}" already exists`);
        return {status: 201, body: this.#store(at, object)};
      }
      case 'PUT':
        return known ? {status: 200, body: this.#store(place, request.body as Stored)} : notFound(place);
      case 'PATCH':
        return known ? {status: 200, body: this.#store(place, merged(known, request.body))} : notFound(place);
      case 'DELETE':
        return known ? this.#delete(place, known, (request.body ?? {}) as {gracePeriodSeconds?: number}) : notFound(place);
      default:
        return failure(405, 'MethodNotAllowed', 'no');
    }
  }

  #delete(place: Place, known: Stored, options: {gracePeriodSeconds?: number}): Answer {
    const grace = options.gracePeriodSeconds ?? known['spec']?.terminationGracePeriodSeconds ?? 30;
    if (known.kind !== 'Pod' || grace === 0) {
      this.#drop(place);
      return {status: 200, body: known};
    }
    const metadata = {...known.metadata, deletionTimestamp: this.#now(), deletionGracePeriodSeconds: grace};
    return {status: 200, body: this.#store(place, {...known, metadata})};
  }

  #drop(place: Place): void {
    const key = keyOf(place);
    const known = this.objects.get(key);
    if (!known) return;
    this.objects.delete(key);
    this.#tell(key, {
      type: 'DELETED',
      object: {...known, metadata: {...known.metadata, resourceVersion: String(++this.#revision)}},
    });
  }

  #store(place: Place, object: Stored): Stored {
    const key = keyOf(place);
    const known = this.objects.get(key);
    const specChanged = known && JSON.stringify(known['spec']) !== JSON.stringify(object['spec']);
    const stored: Stored = {
      ...object,
      apiVersion: place.resource.group ? `${place.resource.group}/${place.resource.version}` : place.resource.version,
      kind: place.resource.kind,
      metadata: {
        generation: 1,
        creationTimestamp: this.#now(),
        uid: known?.metadata['uid'] ?? this.#dice.uuid(),
        ...object.metadata,
        name: place.name,
        ...(place.namespace ? {namespace: place.namespace} : {}),
        resourceVersion: String(++this.#revision),
        ...(specChanged ? {generation: (known.metadata['generation'] ?? 1) + 1} : {}),
      },
    };
    this.objects.set(key, stored);
    this.#tell(key, {type: known ? 'MODIFIED' : 'ADDED', object: stored});
    return stored;
  }

  #tell(key: string, event: WatchEvent<Stored>): void {
    for (const watch of this.#watches)
      if (key.startsWith(watch.prefix) && matches(event.object, watch.selector)) watch.call.send(event);
  }

  #select(prefix: string, selector: string | undefined): Stored[] {
    return [...this.objects]
      .filter(([key, object]) => key.startsWith(prefix) && matches(object, selector))
      .map(([, object]) => object);
  }

  #watch(call: Call, request: Request): void {
    const place = placeOf(request.path);
    if (!place) return call.answer(failure(404, 'NotFound', 'no'));
    call.open({status: 200});
    const watch = {prefix: keyOf(place), selector: request.query?.['fieldSelector'], call};
    this.#watches.add(watch);
    call.onCancel(() => this.#watches.delete(watch));
  }
}

function placeOf(path: string): Place | undefined {
  const parts = path.split('/').slice(1);
  const [root, ...rest] = parts;
  const group = root === 'api' ? '' : (rest.shift() ?? '');
  const version = rest.shift();
  const namespace = rest[0] === 'namespaces' && rest.length > 2 ? (rest.shift(), rest.shift()) : undefined;
  const [name, ...below] = rest.slice(1);
  const resource = RESOURCES.find(each => each.group === group && each.version === version && each.resource === rest[0]);
  return resource && {resource, namespace, name, subresource: below[0]};
}

function keyOf({resource, namespace, name}: Place): string {
  return `${resource.group}/${resource.resource}/${namespace ? `${namespace}/` : ''}${name ?? ''}`;
}

function matches(object: Stored, selector: string | undefined): boolean {
  if (!selector) return true;
  const [path = '', value] = selector.split('=');
  return path.split('.').reduce<any>((part, field) => part?.[field], object) === value;
}

/** Patches are strategic or plain merges: without directives and lists both are the same. */
function merged(known: Stored, patch: unknown): Stored {
  const type = typeOfKind(known.apiVersion, known.kind);
  const patched = type && applyStrategicPatch(known as unknown as JsonObject, patch as JsonObject, schemaOf(type));
  if (!patched || 'error' in patched) throw new Error(`${known.kind} cannot be patched`);
  return patched.value as Stored;
}

function failure(status: number, reason: string, message: string): Answer {
  return {status, body: {apiVersion: 'v1', kind: 'Status', status: 'Failure', reason, message, code: status}};
}

function notFound(place: Place): Answer {
  return failure(404, 'NotFound', `${place.resource.resource} "${place.name}" not found`);
}
