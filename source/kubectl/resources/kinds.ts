// The kinds that a server serves, as discovery tells of them, and how a word on the command line finds one: by its plural, its
// singular, a short name or its Kind, with or without a version and a group (`deploy`, `deployments.apps`, `deploy.v1.apps`).
import {RESOURCES} from '../../api/meta/resources.ts';
import type {Resource} from '../../api/meta/object.ts';

/** One kind that the server serves. */
export interface KindInfo extends Resource {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
}

/** All kinds of a server, those that are preferred first. */
export interface Kinds {
  readonly all: readonly KindInfo[];
  /** Group and version pairs, in the server's order. */
  readonly versions: readonly {readonly group: string; readonly version: string}[];
}

interface Discovered {
  readonly items?: readonly {
    readonly metadata?: {readonly name?: string};
    readonly versions?: readonly {readonly version: string; readonly resources?: readonly DiscoveredResource[]}[];
  }[];
}

interface DiscoveredResource {
  readonly resource: string;
  readonly responseKind?: {readonly kind?: string; readonly group?: string; readonly version?: string};
  readonly scope: string;
  readonly singularResource?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs: readonly string[];
}

/** The kinds in aggregated discovery documents: `/api` and `/apis`. */
export function kindsOf(documents: readonly unknown[]): Kinds {
  const all: KindInfo[] = [];
  const versions: {group: string; version: string}[] = [];
  for (const group of documents.flatMap(document => (document as Discovered).items ?? [])) {
    const name = group.metadata?.name ?? '';
    for (const {version, resources = []} of group.versions ?? []) {
      versions.push({group: name, version});
      for (const resource of resources) all.push(readResource(name, version, resource));
    }
  }
  return {all, versions};
}

function readResource(group: string, version: string, found: DiscoveredResource): KindInfo {
  return {
    group,
    version,
    resource: found.resource,
    kind: found.responseKind?.kind ?? '',
    namespaced: found.scope === 'Namespaced',
    singular: found.singularResource ?? '',
    shortNames: found.shortNames ?? [],
    categories: found.categories ?? [],
    verbs: found.verbs,
  };
}

/** The kinds of a fresh server of this version: for one that does not speak aggregated discovery. */
export function builtinKinds(): Kinds {
  const seen = new Map(RESOURCES.map(({group, version}) => [`${group}/${version}`, {group, version}]));
  return {all: RESOURCES, versions: [...seen.values()]};
}

/** The kind that a word means; undefined when there is none. */
export function findKind(kinds: Kinds, word: string): KindInfo | undefined {
  const text = word.toLowerCase();
  const [name = '', version = '', ...rest] = text.split('.');
  const full = rest.length > 0 ? matching(kinds, {name, version, group: rest.join('.')}) : undefined;
  const group = text.includes('.') ? text.slice(text.indexOf('.') + 1) : undefined;
  return full ?? matching(kinds, {name, group}) ?? byKindName(kinds, word);
}

function matching(kinds: Kinds, wanted: {name: string; version?: string; group?: string | undefined}): KindInfo | undefined {
  const candidates = kinds.all.filter(
    kind => (wanted.version === undefined || kind.version === wanted.version) && !kind.resource.includes('/'),
  );
  const exact = candidates.filter(kind => wanted.group === undefined || kind.group === groupWord(wanted.group));
  const loose =
    exact.length > 0 || wanted.group === undefined ? exact : candidates.filter(kind => kind.group.startsWith(wanted.group ?? ''));
  return (
    loose.find(kind => kind.resource === wanted.name) ??
    loose.find(kind => kind.singular === wanted.name || kind.kind.toLowerCase() === wanted.name) ??
    loose.find(kind => kind.shortNames.includes(wanted.name))
  );
}

/** The kinds that a short name could mean besides the one that it means. */
export function othersOfShortName(kinds: Kinds, word: string): readonly KindInfo[] {
  const found = findKind(kinds, word);
  if (!found?.shortNames.includes(word) || found.resource === word || found.singular === word) return [];
  return kinds.all.filter(kind => kind.group !== found.group && kind.shortNames.includes(word));
}

function groupWord(group: string): string {
  return group === 'core' ? '' : group;
}

/** `Deployment.v1.apps`, `Pod`. */
function byKindName(kinds: Kinds, word: string): KindInfo | undefined {
  const [kind = '', ...rest] = word.split('.');
  return kinds.all.find(
    info =>
      info.kind === kind &&
      (rest.length === 0 ||
        rest.join('.') === [info.version, info.group].filter(Boolean).join('.') ||
        rest.join('.') === info.group),
  );
}

/** The kind of an object. */
export function kindOfObject(kinds: Kinds, apiVersion: string, kind: string): KindInfo | undefined {
  const fits = (info: KindInfo) => info.kind === kind || info.kind.toLowerCase() === kind;
  return kinds.all.find(info => fits(info) && apiVersionOf(info) === apiVersion);
}

/** The kind of an object of which nobody is asked: its resource is called like it. */
export function localKind(apiVersion: string, kind: string): KindInfo {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  const word = kind.toLowerCase();
  return {group, version, kind, resource: word, singular: word, namespaced: true, shortNames: [], categories: [], verbs: []};
}

/** `v1`, `apps/v1`. */
export function apiVersionOf({group, version}: {readonly group: string; readonly version: string}): string {
  return group === '' ? version : `${group}/${version}`;
}

/** `pods`, `deployments.apps`. */
export function qualifiedName({group, resource}: {readonly group: string; readonly resource: string}): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** `pod`, `deployment.apps`: what stands before a name in what kubectl says. */
export function kindWord({group, kind}: {readonly group: string; readonly kind: string}): string {
  return `${kind.toLowerCase()}${group === '' ? '' : `.${group}`}`;
}

/** The kinds of a category such as `all`; undefined when no kind is in it. */
export function kindsInCategory(kinds: Kinds, category: string): readonly KindInfo[] | undefined {
  const found = kinds.all.filter(kind => kind.categories.includes(category));
  return found.length > 0 ? found : undefined;
}
