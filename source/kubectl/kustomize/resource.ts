// An object under way through a build: what it is now, and what it was called before, so that others may still mean it by its old name.
import {isFields, type Fields} from '../../api/meta/fields.ts';
import {resourceOfKind} from '../../api/meta/resources.ts';
import {Refused} from './refused.ts';

/** Which object: its kind, and its name in its namespace. */
export interface Id {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

/** How a generated object meets one of its name. */
export type Behavior = 'create' | 'merge' | 'replace';

/** One object. */
export class Resource {
  object: Fields;
  /** What it was called, the first name first. */
  readonly before: Id[];
  /** Words that were put before and after its name, in the order in which that was done. */
  readonly prefixes: string[] = [];
  readonly suffixes: string[] = [];
  behavior: Behavior = 'create';
  /** Its name is to end in a hash of what it holds. */
  needsHash = false;
  /** Another object names it. */
  readonly refersTo: Resource[] = [];

  constructor(object: Fields, before: readonly Id[] = []) {
    this.object = object;
    this.before = [...before];
  }

  get id(): Id {
    return idOf(this.object);
  }

  get firstId(): Id {
    return this.before[0] ?? this.id;
  }

  get names(): readonly Id[] {
    return [...this.before, this.id];
  }

  get name(): string {
    return this.id.name;
  }

  get metadata(): Fields {
    return isFields(this.object['metadata']) ? this.object['metadata'] : {};
  }

  /** Changes the object, and keeps what it was called. */
  rename(object: Fields): void {
    const before = this.id;
    this.object = object;
    if (!sameId(before, this.id)) this.before.push(before);
  }
}

/** The id of an object. */
export function idOf(object: Fields): Id {
  const apiVersion = textOf(object['apiVersion']);
  const slash = apiVersion.indexOf('/');
  const metadata = isFields(object['metadata']) ? object['metadata'] : {};
  return {
    group: slash < 0 ? '' : apiVersion.slice(0, slash),
    version: apiVersion.slice(slash + 1),
    kind: textOf(object['kind']),
    name: textOf(metadata['name']),
    namespace: textOf(metadata['namespace']),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** As messages name it: `Deployment.v1.apps/web.[noNs]`. */
export function idText({name, namespace, ...gvk}: Id): string {
  return `${gvkText(gvk)}/${name || '[noName]'}.${namespace || '[noNs]'}`;
}

/** As messages name a kind: `Deployment.v1.apps`. */
export function gvkText({group, version, kind}: {group: string; version: string; kind: string}): string {
  return `${kind || '[noKind]'}.${version || '[noVer]'}.${group || '[noGrp]'}`;
}

/** Kinds that stand outside of namespaces. */
export function isClusterScoped({group, version, kind}: {group: string; version: string; kind: string}): boolean {
  const facts = resourceOfKind(group === '' ? version : `${group}/${version}`, kind);
  return facts !== undefined && !facts.namespaced;
}

function effectiveNamespace(id: Id): string {
  return isClusterScoped(id) ? '' : id.namespace || 'default';
}

export function sameId(a: Id, b: Id): boolean {
  return (
    a.group === b.group &&
    a.version === b.version &&
    a.kind === b.kind &&
    a.name === b.name &&
    effectiveNamespace(a) === effectiveNamespace(b)
  );
}

/** All objects of a build, each id once. */
export class Resources {
  all: Resource[] = [];

  /** Adds one that must be new. */
  add(resource: Resource): void {
    if (this.all.some(other => sameId(other.id, resource.id)))
      throw new Refused(`may not add resource with an already registered id: ${idText(resource.id)}`);
    this.all.push(resource);
  }

  /** Adds the objects of a base. */
  addAll(others: readonly Resource[]): void {
    for (const resource of others) this.add(resource);
  }

  /** The objects that are, or were, called so. */
  known(id: Id): readonly Resource[] {
    const now = this.all.filter(resource => sameId(resource.id, id));
    return now.length > 0 ? now : this.all.filter(resource => resource.before.some(before => sameId(before, id)));
  }
}
