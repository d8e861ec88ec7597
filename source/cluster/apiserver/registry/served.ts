// The resources that a server serves: the facts of discovery, the strategy, the cache, and for a second version of a kind which
// resource stores it.
import {RESOURCES, type ResourceFacts} from '../../../api/meta/resources.ts';
import {ResourceCache} from '../cache/resource-cache.ts';
import {prefixOf} from '../store/keys.ts';
import {PLAIN, type Strategy} from '../strategy/strategy.ts';
import {CONVERSIONS, type Conversion} from './conversions.ts';

/** One resource of one version. */
export interface Served {
  readonly facts: ResourceFacts;
  /** Where it is stored, with the slash at the end. */
  readonly prefix: string;
  readonly cache: ResourceCache;
  readonly strategy: Strategy;
  /** How this version differs from the stored one. */
  readonly conversion: Conversion | undefined;
  /** The resource has objects: it is no review or binding. */
  readonly stored: boolean;
  readonly hasStatus: boolean;
}

/** All resources of a server. */
export class ServedResources {
  readonly #byPath = new Map<string, Served>();
  readonly #byPrefix = new Map<string, ResourceCache>();
  readonly all: readonly Served[];

  constructor(strategies: Readonly<Record<string, Strategy>>) {
    this.all = RESOURCES.map(facts => this.#serve(facts, strategies));
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
    const found = this.all.find(each => each.facts.resource === resource && each.facts.group === group && !each.conversion);
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
    this.#byPath.set(`${facts.group}/${facts.version}/${facts.resource}`, served);
    return served;
  }
}

/** The key of an object in etcd. */
export function keyFor(served: Served, namespace: string, name: string): string {
  return served.facts.namespaced ? `${served.prefix}${namespace}/${name}` : `${served.prefix}${name}`;
}

/** The key of an object in the cache. */
export function cacheKey(served: Served, namespace: string, name: string): string {
  return served.facts.namespaced ? `${namespace}/${name}` : name;
}
