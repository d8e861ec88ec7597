// `kubectl auth can-i`: asks the server whether somebody may do something, or for all that he may do.
import {compareStrings} from '../../../api/meta/go-text.ts';
import {fail, Failure} from '../../failure.ts';
import {tableText} from '../../print/printer.ts';
import {findKind, type Kinds} from '../../resources/kinds.ts';
import type {Session} from '../../session.ts';
import {COMMON_FLAGS, type Command, type Outcome} from '../command.ts';

export const canI: Command = {
  path: 'kubectl auth can-i',
  short: 'Ask whether something is allowed',
  examples: ['kubectl auth can-i create pods', 'kubectl auth can-i list secrets -n shop --as nina', 'kubectl auth can-i --list'],
  does: [...COMMON_FLAGS, 'all-namespaces', 'list', 'no-headers', 'quiet', 'subresource'],
  run,
};

const VERBS = new Set([
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  'use',
  'bind',
  'impersonate',
  '*',
  'approve',
  'sign',
  'escalate',
  'attest',
]);
const URL_VERBS = new Set(['get', 'put', 'post', 'head', 'options', 'delete', 'patch', '*']);
const USAGE =
  "you must specify two arguments: verb resource or verb resource/resourceName.\nSee 'kubectl auth can-i -h' for help and examples.";

interface Review {
  readonly status?: {
    readonly allowed?: boolean;
    readonly denied?: boolean;
    readonly reason?: string;
    readonly evaluationError?: string;
  };
}

async function run(session: Session): Promise<Outcome> {
  const {flags, args} = session;
  if (flags.on('list') && (flags.on('quiet') || flags.on('all-namespaces') || flags.text('subresource') !== ''))
    return fail("list option can't be specified with neither quiet, all-namespaces nor subresource options");
  if (flags.on('no-headers') && !flags.on('list')) return fail('--no-headers cannot be set without --list specified');
  if (flags.on('list')) return args.length > 0 ? fail('list option must be specified with no arguments') : listRules(session);
  if (args.length !== 2) return fail(USAGE);
  const spec = await specOf(session);
  if (spec instanceof Failure) return spec;
  const api = session.api();
  if (api instanceof Failure) return api;
  const body = {apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', metadata: {}, spec};
  const review = await api.ask<Review>({method: 'POST', path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', body});
  if (review instanceof Failure) return review;
  const {allowed = false, reason = '', evaluationError = ''} = review.status ?? {};
  if (!flags.on('quiet'))
    await session.out(
      allowed ? 'yes\n' : `no${reason === '' ? '' : ` - ${reason}`}${evaluationError === '' ? '' : ` - ${evaluationError}`}\n`,
    );
  return allowed ? undefined : 1;
}

/** What is asked: a verb on a resource, or on a path. */
async function specOf(session: Session): Promise<object | Failure> {
  const {flags, args} = session;
  const [verb = '', what = ''] = args;
  if (what.startsWith('/')) {
    if (flags.text('subresource') !== '') return fail('--subresource can not be used with NonResourceURL');
    if (!URL_VERBS.has(verb)) await warn(session, `verb '${verb}' is not a known verb`);
    return {nonResourceAttributes: {path: what, verb}};
  }
  return resourceSpec(session, {verb, what});
}

async function resourceSpec(session: Session, {verb, what}: {verb: string; what: string}): Promise<object | Failure> {
  const {flags} = session;
  const namespace = session.namespace();
  if (namespace instanceof Failure) return namespace;
  const [word = '', second = ''] = what.split('/');
  const kinds = await session.kinds([word === '*' ? 'pods' : (word.split('.')[0] ?? word)]);
  if (kinds instanceof Failure) return kinds;
  const found = resourceOf(kinds, word);
  // After the slash stands a name, or a subresource where there is one of that name.
  const isSub = second !== '' && isSubresource(second);
  if (found.warning !== undefined) await warn(session, found.warning);
  else if (!flags.on('all-namespaces') && !found.namespaced && word !== '*')
    await warn(
      session,
      `resource '${found.resource}' is not namespace scoped${found.group === '' ? '' : ` in group '${found.group}'`}`,
    );
  if (!VERBS.has(verb)) await warn(session, `verb '${verb}' is not a known verb`);
  const name = isSub ? '' : second;
  const subresource = flags.text('subresource') || (isSub ? second : '');
  return {
    resourceAttributes: {
      ...(flags.on('all-namespaces') ? {} : {namespace}),
      verb,
      group: found.group,
      resource: found.resource,
      ...(name === '' ? {} : {name}),
      ...(subresource === '' ? {} : {subresource}),
    },
  };
}

function isSubresource(word: string): boolean {
  return [
    'log',
    'exec',
    'attach',
    'portforward',
    'proxy',
    'status',
    'scale',
    'eviction',
    'binding',
    'token',
    'ephemeralcontainers',
    'resize',
    'finalize',
    'approval',
  ].includes(word);
}

async function warn(session: Session, words: string): Promise<void> {
  await session.err(`Warning: ${words}\n\n`);
}

function resourceOf(kinds: Kinds, word: string): {group: string; resource: string; namespaced: boolean; warning?: string} {
  if (word === '*') return {group: '*', resource: '*', namespaced: true};
  const kind = findKind(kinds, word);
  if (kind) return {group: kind.group, resource: kind.resource, namespaced: kind.namespaced};
  const [resource = '', ...group] = word.split('.');
  const words =
    group.length > 0
      ? `the server doesn't have a resource type '${resource}' in group '${group.join('.')}'`
      : `the server doesn't have a resource type '${resource}'`;
  return {group: group.join('.'), resource, namespaced: true, warning: words};
}

interface Rules {
  readonly status?: {
    readonly resourceRules?: readonly ResourceRule[];
    readonly nonResourceRules?: readonly {readonly nonResourceURLs?: readonly string[]; readonly verbs: readonly string[]}[];
    readonly incomplete?: boolean;
    readonly evaluationError?: string;
  };
}

interface ResourceRule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

async function listRules(session: Session): Promise<Outcome> {
  const namespace = session.namespace();
  const api = session.api();
  if (namespace instanceof Failure) return namespace;
  if (api instanceof Failure) return api;
  const body = {apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', metadata: {}, spec: {namespace}};
  const review = await api.ask<Rules>({method: 'POST', path: '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', body});
  if (review instanceof Failure) return review;
  const {resourceRules = [], nonResourceRules = [], incomplete, evaluationError} = review.status ?? {};
  if (incomplete) await session.err(`warning: the list may be incomplete: ${evaluationError ?? ''}\n`);
  const keyed = [
    ...compact(resourceRules).map(rule => ({
      key: `${compactText(rule)}[]`,
      row: [resourceText(rule), '[]', listText(rule.resourceNames), listText(rule.verbs)],
    })),
    ...nonResourceRules.flatMap(({verbs, nonResourceURLs = []}) =>
      nonResourceURLs.map(url => ({key: `${listText(verbs)}[][][][${url}]`, row: ['', `[${url}]`, '[]', listText(verbs)]})),
    ),
  ];
  const rows = keyed.toSorted((a, b) => compareStrings(a.key, b.key)).map(({row}) => row);
  await session.out(
    tableText(session.flags.on('no-headers') ? rows : [['Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs'], ...rows]),
  );
  return undefined;
}

function listText(values: readonly string[] | undefined): string {
  return `[${(values ?? []).join(' ')}]`;
}

function resourceText({apiGroups = [], resources = []}: ResourceRule): string {
  const group = apiGroups[0] ?? '';
  return `${resources[0] ?? ''}${group === '' ? '' : `.${group}`}`;
}

/** One rule for each group, resource and set of names, with all its verbs; those with the longest names of verbs behind. */
function compact(rules: readonly ResourceRule[]): readonly ResourceRule[] {
  const merged = new Map<string, {rule: ResourceRule; verbs: string[]}>();
  for (const rule of rules) {
    for (const group of rule.apiGroups ?? []) {
      for (const resource of rule.resources ?? []) {
        const key = JSON.stringify([group, resource, rule.resourceNames ?? []]);
        const known = merged.get(key) ?? {rule: {...rule, apiGroups: [group], resources: [resource]}, verbs: []};
        known.verbs.push(...rule.verbs.filter(verb => !known.verbs.includes(verb)));
        merged.set(key, known);
      }
    }
  }
  const all = [...merged.values()].map(({rule, verbs}) => ({...rule, verbs}));
  return all.toSorted((a, b) => (compactText(a) < compactText(b) ? -1 : 1));
}

/** What rules are sorted by. */
function compactText({verbs, apiGroups = [], resources = [], resourceNames = []}: ResourceRule): string {
  return `[${verbs.join(' ')}]${listText(apiGroups)}${listText(resources)}${listText(resourceNames)}`;
}
