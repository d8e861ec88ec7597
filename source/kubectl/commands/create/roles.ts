// `kubectl create role`, `clusterrole` and their bindings.
import {fail, Failure} from '../../failure.ts';
import type {Session} from '../../session.ts';
import {generatorCommand, type Draft} from './generator.ts';
import {resourceRules, urlRules, verbsOf} from './rules.ts';

const RBAC = 'rbac.authorization.k8s.io';
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
    if (verbs.length + urls.length + flags.list('resource').length + flags.list('resource-name').length > 0)
      return fail('aggregation rule must be specified without nonResourceURLs, verbs, resources or resourceNames');
    const pairs = flags.text('aggregation-rule').split(',');
    const wrong = pairs.find(pair => !pair.includes('='));
    if (wrong !== undefined)
      return fail(
        `invalid argument ${JSON.stringify(flags.text('aggregation-rule'))} for "--aggregation-rule" flag: malformed pair, expect string=string\nSee 'kubectl create clusterrole --help' for usage.`,
      );
    const matchLabels = Object.fromEntries(
      pairs.map(pair => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    );
    return {...head, aggregationRule: {clusterRoleSelectors: [{matchLabels}]}, rules: null};
  }
  if (verbs.length === 0) return fail('at least one verb must be specified');
  if (flags.list('resource').length === 0 && urls.length === 0)
    return fail('one of resource or nonResourceURL must be specified');
  const forUrls = urlRules(urls, verbs);
  if (forUrls instanceof Failure) return forUrls;
  const rules = await resourceRules(session, verbs);
  return rules instanceof Failure ? rules : {...head, rules: [...rules, ...forUrls]};
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
