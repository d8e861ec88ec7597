// Objects as a stand-in for the API server keeps them, for tests of those who speak to one: a map for each resource, revisions, and
// who is told of a change. What may be written, and what comes of it, is its owner's business.
import {deepFreeze, keyOf, type AnyObject, type KubeObject} from '../../api/meta/object.ts';
import {findResource, RESOURCES, resourceOfKind, type ResourceFacts} from '../../api/meta/resources.ts';
import {schemaOf, typeOfKind} from '../../api/schema/index.ts';
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicPatch,
  type JsonObject,
  type Patched,
} from '../../api/schema/merge/index.ts';
import type {Request, WatchEvent} from '../../api/wire/http.ts';

/** Where a request points. */
export interface Place {
  readonly facts: ResourceFacts;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** Takes a path apart; nothing where no such resource is. */
export function placeOf(path: string): Place | undefined {
  const parts = path.split('/').slice(1);
  const [group, version, rest] = parts[0] === 'api' ? ['', parts[1], parts.slice(2)] : [parts[1] ?? '', parts[2], parts.slice(3)];
  const scoped = rest[0] === 'namespaces' && rest.length > 2 && rest[2] !== 'status' && rest[2] !== 'finalize';
  const [resource = '', name, subresource] = scoped ? rest.slice(2) : rest;
  const facts = findResource(group, version ?? '', resource);
  return facts && {facts, namespace: scoped ? rest[1] : undefined, name, subresource};
}

/** The resource of an object; throws where there is none. */
export function factsOf({apiVersion, kind}: KubeObject): ResourceFacts {
  const found = resourceOfKind(apiVersion, kind);
  if (!found) throw new Error(`no kind ${apiVersion} ${kind}`);
  return found;
}

/** The resource that a test calls by its plural, with its group where the first one is not meant: `events.events.k8s.io`. */
export function factsNamed(name: string): ResourceFacts {
  const found = RESOURCES.find(each => each.resource === name || `${each.resource}.${each.group}` === name);
  if (!found) throw new Error(`no resource ${name}`);
  return found;
}

/** What comes of an object by a patch, whatever its media type. */
export function patchedBy(object: AnyObject, {headers, body}: Request): Patched {
  const type = headers?.['content-type'] ?? '';
  const from = object as unknown as JsonObject;
  if (type.includes('json-patch')) return applyJsonPatch(from, body as readonly unknown[]);
  const schema = typeOfKind(object.apiVersion, object.kind);
  if (type.includes('strategic') && schema !== undefined) return applyStrategicPatch(from, body as JsonObject, schemaOf(schema));
  return {value: applyMergePatch(from, body)};
}

type Told = (event: WatchEvent<AnyObject>) => void;

/** All objects of a server. */
export class Objects {
  /** The revision of the last write. */
  revision: number;
  readonly #kept = new Map<string, Map<string, AnyObject>>();
  readonly #watchers = new Set<{readonly facts: ResourceFacts; readonly told: Told}>();

  constructor(revision: number) {
    this.revision = revision;
  }

  /** The objects of a resource, of whichever version, in the order in which they came. */
  of(facts: ResourceFacts): readonly AnyObject[] {
    return [...this.#map(facts).values()];
  }

  /** One object, by `namespace/name` or name. */
  get(facts: ResourceFacts, key: string): AnyObject | undefined {
    return this.#map(facts).get(key);
  }

  /** Stores an object under a new revision, and tells of it. */
  put(facts: ResourceFacts, object: AnyObject): AnyObject {
    const stored = this.#stamped(object);
    const objects = this.#map(facts);
    const type = objects.has(keyOf(stored)) ? 'MODIFIED' : 'ADDED';
    objects.set(keyOf(stored), stored);
    this.#tell(facts, {type, object: stored});
    return stored;
  }

  /** Takes an object away, and tells what it was at last. */
  drop(facts: ResourceFacts, last: AnyObject): void {
    this.#map(facts).delete(keyOf(last));
    this.#tell(facts, {type: 'DELETED', object: this.#stamped(last)});
  }

  /** Calls for every change of a resource, until the answer is called. */
  watch(facts: ResourceFacts, told: Told): () => void {
    const watcher = {facts, told};
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  #stamped(object: AnyObject): AnyObject {
    return deepFreeze({...object, metadata: {...object.metadata, resourceVersion: String(++this.revision)}});
  }

  #tell(facts: ResourceFacts, event: WatchEvent<AnyObject>): void {
    for (const watcher of this.#watchers) if (idOf(watcher.facts) === idOf(facts)) watcher.told(event);
  }

  #map(facts: ResourceFacts): Map<string, AnyObject> {
    const known = this.#kept.get(idOf(facts)) ?? new Map<string, AnyObject>();
    this.#kept.set(idOf(facts), known);
    return known;
  }
}

function idOf({group, resource}: ResourceFacts): string {
  return `${group}/${resource}`;
}
