// Every resource that a fresh API server serves, by name: the facts of discovery as a table.
import facts from '../data/resources.json' with {type: 'json'};
import type {Resource} from './object.ts';

/** A subresource in discovery. */
export interface Subresource {
  readonly name: string;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly group?: string;
  readonly version?: string;
}

/** A resource with all that discovery tells of it. */
export interface ResourceFacts extends Resource {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly Subresource[];
  readonly storageVersionHash?: string;
  /** Columns of `kubectl get`: name, type, format, priority (1 shows with `-o wide`). */
  readonly columns: readonly {readonly name: string; readonly type: string; readonly format: string; readonly priority: number}[];
}

interface RawResource {
  readonly resource: string;
  readonly kind: string;
  readonly scope: string;
  readonly singular: string;
  readonly short?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs: readonly string[];
  readonly sub?: readonly Subresource[];
  readonly storageVersionHash?: string;
  readonly columns?: readonly string[];
}

/** All resources, in the order of discovery. */
export const RESOURCES: readonly ResourceFacts[] = (
  facts as readonly {group: string; version: string; resources: readonly RawResource[]}[]
).flatMap(({group, version, resources}) => resources.map(raw => Object.freeze(read(group, version, raw))));

const byPath = new Map(RESOURCES.map(resource => [`${resource.group}/${resource.version}/${resource.resource}`, resource]));
const byKind = new Map(RESOURCES.map(resource => [`${resource.group}/${resource.version}/${resource.kind}`, resource]));

/** The resource of a group (empty for core), version and plural name. */
export function findResource(group: string, version: string, resource: string): ResourceFacts | undefined {
  return byPath.get(`${group}/${version}/${resource}`);
}

/** The resource that stores objects of an `apiVersion` and kind. */
export function resourceOfKind(apiVersion: string, kind: string): ResourceFacts | undefined {
  return byKind.get(apiVersion.includes('/') ? `${apiVersion}/${kind}` : `/${apiVersion}/${kind}`);
}

/** A built-in resource that must exist: `builtin('pods')`, `builtin('apps', 'deployments')`. */
export function builtin(...words: [string] | [string, string]): ResourceFacts {
  const [group, name] = words.length === 1 ? ['', words[0]] : words;
  const found = RESOURCES.find(resource => resource.group === group && resource.resource === name);
  if (!found) throw new Error(`broken invariant: no built-in resource ${group}/${name}`);
  return found;
}

function read(group: string, version: string, raw: RawResource): ResourceFacts {
  return {
    group,
    version,
    resource: raw.resource,
    kind: raw.kind,
    namespaced: raw.scope === 'Namespaced',
    singular: raw.singular,
    shortNames: raw.short ?? [],
    categories: raw.categories ?? [],
    verbs: raw.verbs,
    subresources: raw.sub ?? [],
    ...(raw.storageVersionHash ? {storageVersionHash: raw.storageVersionHash} : {}),
    columns: (raw.columns ?? []).map(text => {
      const [name = '', type = '', format = '', priority = '0'] = text.split('|');
      return {name, type, format, priority: Number(priority)};
    }),
  };
}
