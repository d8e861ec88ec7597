// Follows the CustomResourceDefinitions: what they describe is served as soon as their names are accepted, by every API server that
// sees them in etcd, and no longer than they are there.
import type {CustomResourceDefinition} from '../../../api/kinds/apiextensions-v1.ts';
import {customResources, storageVersion} from '../../../api/meta/custom-resources.ts';
import type {ResourceFacts} from '../../../api/meta/resources.ts';
import type {Core} from '../core.ts';
import type {GroupVersion} from '../endpoints/discovery.ts';
import {linesOf} from '../endpoints/discovery-lines.ts';
import type {ResourceCache} from '../cache/resource-cache.ts';
import type {Served, ServedFacts, ServedResources} from '../registry/served.ts';
import {ROOT} from '../store/keys.ts';
import {Converter, hasConverter} from './converter.ts';
import {customKind} from './kind.ts';
import {customStrategy} from './strategy.ts';

/** The kinds that definitions describe. */
export class Definitions {
  readonly #core: () => Core;
  readonly #resources: ServedResources;
  #cache: ResourceCache | undefined;
  #versions: readonly GroupVersion[] | undefined;
  #facts: readonly ServedFacts[] | undefined;

  constructor(resources: ServedResources, core: () => Core) {
    this.#core = core;
    this.#resources = resources;
  }

  /** Begins to follow, once the caches are filled. */
  follow(): void {
    this.#cache = this.#resources.of('customresourcedefinitions', 'apiextensions.k8s.io').cache;
    this.#cache.on((now, _before, name) => {
      this.#resources.define(name, now ? this.#servedBy(now as unknown as CustomResourceDefinition) : []);
      this.#versions = undefined;
      this.#facts = undefined;
    });
  }

  #servedBy(definition: CustomResourceDefinition): readonly Served[] {
    return served(definition, this.#resources, this.#core);
  }

  /** All definitions. */
  get all(): readonly CustomResourceDefinition[] {
    return (this.#cache?.objects() ?? []) as unknown as readonly CustomResourceDefinition[];
  }

  /** The resources that are served, by group and version. */
  get facts(): readonly ServedFacts[] {
    return (this.#facts ??= this.#resources.custom.map(({facts}) => facts));
  }

  /** Discovery's lines, by group and version. */
  get versions(): readonly GroupVersion[] {
    return (this.#versions ??= versionsOf(this.facts));
  }
}

function versionsOf(facts: readonly ResourceFacts[]): readonly GroupVersion[] {
  const versions = new Map<string, {group: string; version: string; facts: ResourceFacts[]}>();
  for (const each of facts) {
    const key = `${each.group}/${each.version}`;
    const entry = versions.get(key) ?? {group: each.group, version: each.version, facts: []};
    entry.facts.push(each);
    versions.set(key, entry);
  }
  return [...versions.values()].map(({facts: own, ...place}) => ({...place, resources: own.flatMap(linesOf)}));
}

function served(definition: CustomResourceDefinition, resources: ServedResources, core: () => Core): readonly Served[] {
  const {spec} = definition;
  const stored = `${spec.group}/${storageVersion(definition)?.name ?? ''}`;
  const prefix = `${ROOT}${spec.group}/${spec.names.plural}/`;
  // Before the definition was there, there was nothing to hear of.
  const since = Number(definition.metadata.resourceVersion);
  return customResources(definition).flatMap(facts => {
    const version = spec.versions.find(each => each.name === facts.version);
    if (!version) return [];
    const versions = {served: `${spec.group}/${version.name}`, stored};
    const converter = hasConverter(definition) ? new Converter(core, definition, versions) : undefined;
    const custom = customKind(definition, version, converter);
    return [
      {
        facts: Object.freeze({...facts, custom}),
        prefix,
        cache: resources.cacheAt(prefix, facts.namespaced, since),
        stored: true,
        strategy: customStrategy(custom, version),
        conversion: {read: custom.read, write: custom.write},
        ...(converter ? {converter} : {}),
        hasStatus: custom.hasStatus,
      },
    ];
  });
}
