// Discovery: which groups, versions and resources there are, in the plain form (a document each) and in the aggregated one (all in
// one). The built-in resources never change; definitions and extension servers add theirs.
import type {ResourceFacts} from '../../../api/meta/resources.ts';
import type {Answer} from '../../../api/wire/http.ts';
import type {Core} from '../core.ts';
import {json} from '../http/reply.ts';
import {linesOf, type GroupVersion, type PlainResource} from './discovery-lines.ts';

export type {GroupVersion, PlainResource} from './discovery-lines.ts';

/** Which version of discovery in one document a client takes, whatever the order of the parameters. */
function aggregatedForm(accept = ''): string | undefined {
  for (const clause of accept.split(',')) {
    const given = new Set(clause.split(';').map(part => part.trim()));
    if (!given.has('g=apidiscovery.k8s.io') || !given.has('as=APIGroupDiscoveryList')) continue;
    const version = ['v2', 'v2beta1'].find(each => given.has(`v=${each}`));
    if (version !== undefined) return version;
  }
  return undefined;
}
const known = new WeakMap<readonly ResourceFacts[], readonly GroupVersion[]>();

/** All versions that are built in, in the order of discovery. */
export function builtinVersions(all: readonly ResourceFacts[]): readonly GroupVersion[] {
  const made = known.get(all);
  if (made) return made;
  const byVersion = new Map<string, {group: string; version: string; resources: PlainResource[]}>();
  for (const facts of all) {
    const key = `${facts.group}/${facts.version}`;
    const entry = byVersion.get(key) ?? {group: facts.group, version: facts.version, resources: []};
    entry.resources.push(...linesOf(facts));
    byVersion.set(key, entry);
  }
  const versions = [...byVersion.values()];
  known.set(all, versions);
  return versions;
}

/** Answers a discovery path; undefined when it is none, or when nothing of that name is served. */
export function answerDiscovery(core: Core, path: string, accept: string | undefined): Answer | undefined {
  const parts = path.split('/').filter(part => part !== '');
  const versions = [...builtinVersions(core.builtin), ...core.definitions.versions, ...core.aggregator.versions];
  const form = aggregatedForm(accept);
  const [root, group = '', version = ''] = parts;
  if (root === 'api' && parts.length === 1)
    return form
      ? aggregated(
          form,
          versions.filter(each => each.group === ''),
        )
      : json(200, apiVersions(core));
  if (root === 'api' && parts.length === 2)
    return group === 'v1'
      ? json(200, {kind: 'APIResourceList', groupVersion: 'v1', resources: versions[0]?.resources ?? []})
      : undefined;
  if (root !== 'apis' || parts.length > 3) return undefined;
  const groups = versions.filter(each => each.group !== '');
  if (parts.length === 1)
    return form
      ? aggregated(form, groups)
      : json(200, {kind: 'APIGroupList', apiVersion: 'v1', groups: groupNames(groups).map(name => apiGroup(groups, name))});
  const own = groups.filter(each => each.group === group);
  if (own.length === 0) return undefined;
  if (parts.length === 2) return json(200, {kind: 'APIGroup', apiVersion: 'v1', ...apiGroup(groups, group)});
  const found = own.find(each => each.version === version);
  return (
    found &&
    json(200, {kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${group}/${version}`, resources: found.resources})
  );
}

function apiVersions(core: Core): unknown {
  const {advertiseAddress, port} = core.settings;
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{clientCIDR: '0.0.0.0/0', serverAddress: `${advertiseAddress}:${port}`}],
  };
}

function groupNames(versions: readonly GroupVersion[]): readonly string[] {
  return [...new Set(versions.map(each => each.group))];
}

function apiGroup(all: readonly GroupVersion[], name: string) {
  const versions = all
    .filter(each => each.group === name)
    .map(({group, version}) => ({groupVersion: `${group}/${version}`, version}));
  return {name, versions, preferredVersion: versions[0]};
}

function aggregated(form: string, versions: readonly GroupVersion[]): Answer {
  const items = groupNames(versions).map(name => ({
    metadata: {...(name === '' ? {} : {name}), creationTimestamp: null},
    versions: versions
      .filter(each => each.group === name)
      .map(each => ({version: each.version, resources: nested(each), freshness: 'Current'})),
  }));
  const answer = json(200, {kind: 'APIGroupDiscoveryList', apiVersion: `apidiscovery.k8s.io/${form}`, metadata: {}, items});
  const type = `application/json;g=apidiscovery.k8s.io;v=${form};as=APIGroupDiscoveryList`;
  return {...answer, headers: {'cache-control': 'public', 'content-type': type, vary: 'Accept'}};
}

/** Resources with their subresources inside. */
function nested({group, version, resources}: GroupVersion): unknown {
  const kindOf = (each: PlainResource) => ({group: each.group ?? group, version: each.version ?? version, kind: each.kind});
  return resources
    .filter(each => !each.name.includes('/'))
    .map(each => {
      const subresources = resources
        .filter(sub => sub.name.startsWith(`${each.name}/`))
        .map(sub => ({subresource: sub.name.slice(each.name.length + 1), responseKind: kindOf(sub), verbs: sub.verbs}));
      return {
        resource: each.name,
        responseKind: kindOf(each),
        scope: each.namespaced ? 'Namespaced' : 'Cluster',
        singularResource: each.singularName,
        verbs: each.verbs,
        ...(each.shortNames ? {shortNames: each.shortNames} : {}),
        ...(each.categories ? {categories: each.categories} : {}),
        ...(subresources.length > 0 ? {subresources} : {}),
      };
    });
}
