// The resources that a server serves: the facts of discovery, the strategy, the cache, and for a second version of a kind which
// resource stores it.
import {compareVersions} from '../../../api/meta/custom-resources.ts';
import {RESOURCES, type ResourceFacts} from '../../../api/meta/resources.ts';
import {ResourceCache} from '../cache/resource-cache.ts';
import type {Converter} from '../crd/converter.ts';
import type {CustomKind} from '../crd/kind.ts';
import {prefixOf} from '../store/keys.ts';
import {PLAIN, type Strategy} from '../strategy/strategy.ts';
import {CONVERSIONS, type Conversion} from './conversions.ts';

/** The facts of a resource, and for a custom one what its definition says. */
export interface ServedFacts extends ResourceFacts {
  readonly custom?: CustomKind;
}

/** One resource of one version. */
export interface Served {
  readonly facts: ServedFacts;
  /** Where it is stored, with the slash at the end. */
  readonly prefix: string;
  readonly cache: ResourceCache;
  readonly strategy: Strategy;
  /** How this version differs from the stored one. */
  readonly conversion: Conversion | undefined;
  /** Versions become each other by a webhook, which is asked before an object is read or stored. */
  readonly converter?: Converter;
  /** The resource has objects: it is no review or binding. */
  readonly stored: boolean;
  readonly hasStatus: boolean;
}

/** All resources of a server. */
export class ServedResources {
  readonly #byPath = new Map<string, Served>();
  readonly #byPrefix = new Map<string, ResourceCache>();
  readonly #builtin: readonly Served[];
  readonly #defined = new Map<string, readonly Served[]>();
  #custom: readonly Served[] | undefined;

  constructor(strategies: Readonly<Record<string, Strategy>>) {
    this.#builtin = RESOURCES.map(facts => this.#serve(facts, strategies));
  }

  /** The built-in resources, then the custom ones. */
  get all(): readonly Served[] {
    return this.#defined.size === 0 ? this.#builtin : [...this.#builtin, ...this.custom];
  }

  /** What definitions describe, by group, version and name. */
  get custom(): readonly Served[] {
    return (this.#custom ??= [...this.#defined.values()].flat().toSorted(byPlace));
  }

  /** Serves what a definition describes, in place of what it described before. */
  define(definition: string, served: readonly Served[]): void {
    for (const {facts} of this.#defined.get(definition) ?? []) this.#byPath.delete(pathOf(facts));
    if (served.length === 0) this.#defined.delete(definition);
    else this.#defined.set(definition, served);
    for (const each of served) this.#byPath.set(pathOf(each.facts), each);
    this.#custom = undefined;
  }

  /** The cache of a prefix, a new one where there is none: it knows what happens from a revision on. */
  cacheAt(prefix: string, namespaced: boolean, since = 0): ResourceCache {
    const known = this.#byPrefix.get(prefix);
    if (known) return known;
    const made = new ResourceCache(prefix, {namespaced, since});
    this.#byPrefix.set(prefix, made);
    return made;
  }

  /** The resource of a path. */
  find(group: string, version: string, resource: string): Served | undefined {
    return this.#byPath.get(`${group}/${version}/${resource}`);
  }

  /** Is there anything of this group and version? */
  hasVersion(group: string, version: string): boolean {
    return this.all.some(({facts}) => facts.group === group && facts.version === version);
  }

  /** A resource that must exist, by its plural name and group. */
  of(resource: string, group = ''): Served {
    const found = this.#builtin.find(each => each.facts.resource === resource && each.facts.group === group && !each.conversion);
    if (!found) throw new Error(`broken invariant: ${resource}.${group} is served`);
    return found;
  }

  /** The caches by the prefix of their keys. */
  get caches(): ReadonlyMap<string, ResourceCache> {
    return this.#byPrefix;
  }

  #serve(facts: ResourceFacts, strategies: Readonly<Record<string, Strategy>>): Served {
    const stored = facts.verbs.includes('list') && facts.resource !== 'componentstatuses';
    const prefix = prefixOf(facts);
    const cache =
      this.#byPrefix.get(prefix) ??
      new ResourceCache(prefix, {namespaced: facts.namespaced, nodes: prefix === '/registry/pods/'});
    if (stored) this.#byPrefix.set(prefix, cache);
    const qualified = facts.group === '' ? facts.resource : `${facts.resource}.${facts.group}`;
    const served: Served = {
      facts,
      prefix,
      cache,
      stored,
      strategy: strategies[qualified] ?? PLAIN,
      conversion: CONVERSIONS[`${facts.group}/${facts.version}/${facts.resource}`],
      hasStatus: facts.subresources.some(sub => sub.name === 'status'),
    };
    this.#byPath.set(pathOf(facts), served);
    return served;
  }
}

function pathOf({group, version, resource}: ResourceFacts): string {
  return `${group}/${version}/${resource}`;
}

function byPlace({facts: a}: Served, {facts: b}: Served): number {
  if (a.group !== b.group) return a.group < b.group ? -1 : 1;
  return compareVersions(a.version, b.version) || (a.resource < b.resource ? -1 : Number(a.resource > b.resource));
}

/** The key of an object in etcd. */
export function keyFor(served: Served, namespace: string, name: string): string {
  return served.facts.namespaced ? `${served.prefix}${namespace}/${name}` : `${served.prefix}${name}`;
}

/** The key of an object in the cache. */
export function cacheKey(served: Served, namespace: string, name: string): string {
  return served.facts.namespaced ? `${namespace}/${name}` : name;
}
