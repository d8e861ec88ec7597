// The rules of a role, from the flags of `create role` and `create clusterrole`.
import {compareStrings} from '../../../api/meta/go-text.ts';
import {fail, Failure, failRaw} from '../../failure.ts';
import type {Kinds} from '../../resources/kinds.ts';
import type {Session} from '../../session.ts';

const VERBS = [
  'get',
  'delete',
  'list',
  'create',
  'update',
  'patch',
  'watch',
  'proxy',
  'deletecollection',
  'use',
  'bind',
  'escalate',
  'impersonate',
  '*',
];
/** Verbs of paths that are no resources. */
const URL_VERBS = ['get', 'put', 'post', 'head', 'options', 'delete', 'patch', '*'];
/** What these verbs may be done to, as `group/resource`. */
const SPECIAL: Readonly<Record<string, readonly string[]>> = {
  use: ['policy/podsecuritypolicies', 'extensions/podsecuritypolicies'],
  bind: ['rbac.authorization.k8s.io/roles', 'rbac.authorization.k8s.io/clusterroles'],
  escalate: ['rbac.authorization.k8s.io/roles', 'rbac.authorization.k8s.io/clusterroles'],
  impersonate: ['/users', '/serviceaccounts', '/groups', 'authentication.k8s.io/userextras'],
};

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

/** What a word of `--resource` names. */
interface Named {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
}

/** The verbs; `*` stands for all others. */
export function verbsOf({flags}: Session): readonly string[] {
  const verbs = [...new Set(flags.list('verb'))];
  return verbs.includes('*') ? ['*'] : verbs;
}

/** One rule for each group of resources. */
export async function resourceRules(session: Session, verbs: readonly string[]): Promise<readonly Rule[] | Failure> {
  const words = session.flags.list('resource');
  const names = session.flags.list('resource-name');
  if (words.length === 0) return [];
  for (const verb of verbs) if (!VERBS.includes(verb)) await session.err(`Warning: '${verb}' is not a standard resource verb\n`);
  const kinds = await session.kinds();
  if (kinds instanceof Failure) return kinds;
  const groups = new Map<string, string[]>();
  for (const word of words) {
    const named = namedBy(kinds, word, verbs);
    if (named instanceof Failure) return named;
    const {group, resource, subresource} = named;
    groups.set(group, [...(groups.get(group) ?? []), subresource === '' ? resource : `${resource}/${subresource}`]);
  }
  return [...groups]
    .toSorted(([a], [b]) => compareStrings(a, b))
    .map(([group, resources]) => ({
      apiGroups: [group],
      resources: [...new Set(resources)],
      ...(names.length > 0 ? {resourceNames: names} : {}),
      verbs,
    }));
}

/** `deployments.apps/scale`: before the slash a resource and its group, after it a subresource. */
function namedBy(kinds: Kinds, word: string, verbs: readonly string[]): Named | Failure {
  const slash = word.indexOf('/');
  const [whole, subresource] = slash < 0 ? [word, ''] : [word.slice(0, slash), word.slice(slash + 1)];
  const dot = whole.indexOf('.');
  const [name, group] = dot < 0 ? [whole, ''] : [whole.slice(0, dot), whole.slice(dot + 1)];
  if (name === '') return fail('resource must be specified if apiGroup/subresource specified');
  if (name === '*') return {group, resource: '*', subresource};
  const found = resourceIn(kinds, name, group) ?? specialOf(name, group, verbs);
  if (!found) {
    const where = group === '' ? '' : ` in group ${JSON.stringify(group)}`;
    return failRaw(`the server doesn't have a resource type ${JSON.stringify(name)}${where}\n`);
  }
  const misfit = verbs.find(verb => SPECIAL[verb] && !SPECIAL[verb].includes(`${found.group}/${found.resource}`));
  if (misfit !== undefined) return fail(`can not perform '${misfit}' on '${found.resource}' in group '${found.group}'`);
  return {...found, subresource};
}

function resourceIn(kinds: Kinds, name: string, group: string): Omit<Named, 'subresource'> | undefined {
  const fits = (kind: Kinds['all'][number]) => kind.resource === name || kind.singular === name || kind.shortNames.includes(name);
  return kinds.all.find(kind => fits(kind) && (group === '' || kind.group === group));
}

/** Resources that no server serves, and that only these verbs can be done to. */
function specialOf(name: string, group: string, verbs: readonly string[]): Omit<Named, 'subresource'> | undefined {
  const known = verbs
    .flatMap(verb => SPECIAL[verb] ?? [])
    .find(one => one.endsWith(`/${name}`) && (group === '' || one.startsWith(`${group}/`)));
  return known === undefined ? undefined : {group: known.split('/')[0] ?? '', resource: name};
}

/** The rule for paths that are no resources; nothing without them. */
export function urlRules(urls: readonly string[], verbs: readonly string[]): readonly Rule[] | Failure {
  if (urls.length === 0) return [];
  const wrongVerb = verbs.find(verb => !URL_VERBS.includes(verb));
  if (wrongVerb !== undefined) return fail(`invalid verb: '${wrongVerb}' for nonResourceURL`);
  for (const url of urls) {
    if (url === '*') continue;
    if (!url.startsWith('/')) return fail('nonResourceURL should start with /');
    if (url.slice(0, -1).includes('*')) return fail("nonResourceURL only supports wildcard matches when '*' is at the end");
  }
  return [{nonResourceURLs: urls, verbs}];
}
