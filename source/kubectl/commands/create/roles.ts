// `kubectl create role`, `clusterrole` and their bindings.
import {parseSelector} from '../../../api/meta/selector-parser.ts';
import {fail, Failure, failRaw} from '../../failure.ts';
import {findKind, type Kinds} from '../../resources/kinds.ts';
import type {Session} from '../../session.ts';
import {generatorCommand, type Draft} from './generator.ts';

const RBAC = 'rbac.authorization.k8s.io';
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
const SPECIAL: Readonly<Record<string, readonly string[]>> = {
  use: ['podsecuritypolicies'],
  bind: ['roles', 'clusterroles'],
  escalate: ['roles', 'clusterroles'],
  impersonate: ['users', 'serviceaccounts', 'groups', 'userextras'],
};

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

export const createRole = generatorCommand({
  path: 'kubectl create role',
  short: 'Create a role with one rule',
  examples: ['kubectl create role reader --verb=get,list --resource=pods'],
  flags: ['resource', 'resource-name', 'verb'],
  make: async (session, name) => {
    const verbs = verbsOf(session);
    if (verbs.length === 0) return fail('at least one verb must be specified');
    const rules = await resourceRules(session, verbs);
    if (rules instanceof Failure) return rules;
    if (rules.length === 0) return fail('at least one resource must be specified');
    return {apiVersion: `${RBAC}/v1`, kind: 'Role', metadata: {name}, rules};
  },
});

export const createClusterRole = generatorCommand({
  path: 'kubectl create clusterrole',
  short: 'Create a cluster role with one rule',
  examples: [
    'kubectl create clusterrole reader --verb=get,list --resource=pods',
    'kubectl create clusterrole health --verb=get --non-resource-url=/healthz',
  ],
  flags: ['aggregation-rule', 'non-resource-url', 'resource', 'resource-name', 'verb'],
  make: clusterRole,
});

async function clusterRole(session: Session, name: string): Promise<Draft | Failure> {
  const {flags} = session;
  const verbs = verbsOf(session);
  const urls = flags.list('non-resource-url');
  const head = {apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: {name}};
  if (flags.text('aggregation-rule') !== '') {
    const parsed = parseSelector(flags.text('aggregation-rule'));
    if ('error' in parsed) return fail(parsed.error);
    const matchLabels = Object.fromEntries(parsed.requirements.map(({key, values}) => [key, values[0] ?? '']));
    return {...head, aggregationRule: {clusterRoleSelectors: [{matchLabels}]}, rules: null};
  }
  if (verbs.length === 0) return fail('at least one verb must be specified');
  if (flags.list('resource').length === 0 && urls.length === 0)
    return fail('one of resource or nonResourceURL must be specified');
  const rules = await resourceRules(session, verbs);
  if (rules instanceof Failure) return rules;
  return {...head, rules: [...rules, ...(urls.length > 0 ? [{nonResourceURLs: urls, verbs}] : [])]};
}

/** `*` stands for all others. */
function verbsOf({flags}: Session): readonly string[] {
  const verbs = [...new Set(flags.list('verb'))];
  return verbs.includes('*') ? ['*'] : verbs;
}

/** One rule for each group of resources. */
async function resourceRules(session: Session, verbs: readonly string[]): Promise<readonly Rule[] | Failure> {
  const {flags} = session;
  const words = flags.list('resource');
  const names = flags.list('resource-name');
  if (words.length === 0) return [];

  for (const verb of verbs) if (!VERBS.includes(verb)) await session.err(`Warning: '${verb}' is not a standard resource verb\n`);
  const kinds = await session.kinds(words.map(word => word.split('/')[0] ?? '').filter(word => word !== '*'));
  if (kinds instanceof Failure) return kinds;
  const groups = new Map<string, string[]>();
  for (const word of words) {
    const found = resourceOf(kinds, word, verbs);
    if (found instanceof Failure) return found;
    groups.set(found.group, [...(groups.get(found.group) ?? []), found.resource]);
  }
  return [...groups].map(([group, resources]) => ({
    apiGroups: [group],
    resources: [...new Set(resources)],
    ...(names.length > 0 ? {resourceNames: names} : {}),
    verbs,
  }));
}

function resourceOf(kinds: Kinds, word: string, verbs: readonly string[]): {group: string; resource: string} | Failure {
  const [name = '', subresource] = word.split('/');
  if (name === '*') return {group: '', resource: '*'};
  const special = verbs.flatMap(verb => SPECIAL[verb] ?? []);
  const kind = findKind(kinds, name);
  if (!kind) {
    if (special.includes(name)) return {group: '', resource: name};
    return failRaw(`the server doesn't have a resource type ${JSON.stringify(name.split('.')[0] ?? name)}\n`);
  }
  return {group: kind.group, resource: subresource ? `${kind.resource}/${subresource}` : kind.resource};
}

export const createRoleBinding = generatorCommand({
  path: 'kubectl create rolebinding',
  short: 'Bind a role to users, groups or service accounts',
  examples: [
    'kubectl create rolebinding readers --role=reader --user=nina',
    'kubectl create rolebinding robots --clusterrole=view --serviceaccount=shop:robot',
  ],
  flags: ['clusterrole', 'group', 'role', 'serviceaccount', 'user'],
  refusal: 'failed to create rolebinding:',
  make: (session, name) => {
    const [role, clusterRole] = [session.flags.text('role'), session.flags.text('clusterrole')];
    if ((role === '') === (clusterRole === '')) return fail('exactly one of clusterrole or role must be specified');
    const roleRef = {apiGroup: RBAC, kind: role === '' ? 'ClusterRole' : 'Role', name: role || clusterRole};
    return binding(session, {name, kind: 'RoleBinding', roleRef});
  },
});

export const createClusterRoleBinding = generatorCommand({
  path: 'kubectl create clusterrolebinding',
  short: 'Bind a cluster role to users, groups or service accounts',
  examples: ['kubectl create clusterrolebinding admins --clusterrole=cluster-admin --user=nina'],
  flags: ['clusterrole', 'group', 'serviceaccount', 'user'],
  required: ['clusterrole'],
  refusal: 'failed to create clusterrolebinding:',
  make: (session, name) =>
    binding(session, {
      name,
      kind: 'ClusterRoleBinding',
      roleRef: {apiGroup: RBAC, kind: 'ClusterRole', name: session.flags.text('clusterrole')},
    }),
});

function binding({flags}: Session, {name, kind, roleRef}: {name: string; kind: string; roleRef: object}): Draft | Failure {
  const subjects: object[] = [
    ...flags.list('user').map(user => ({apiGroup: RBAC, kind: 'User', name: user})),
    ...flags.list('group').map(group => ({apiGroup: RBAC, kind: 'Group', name: group})),
  ];
  for (const account of flags.list('serviceaccount')) {
    const parts = account.split(':');
    const [namespace = '', accountName = ''] = parts;
    if (parts.length !== 2 || namespace === '' || accountName === '') return fail('serviceaccount must be <namespace>:<name>');
    subjects.push({kind: 'ServiceAccount', name: accountName, namespace});
  }
  return {apiVersion: `${RBAC}/v1`, kind, metadata: {name}, roleRef, ...(subjects.length > 0 ? {subjects} : {})};
}
