// `kubectl auth reconcile`: makes roles and bindings allow at least what files say, or no more than that.
//
// What is there is compared in simple rules, so that it does not matter how rules are put together. Only what is missing is added;
// extra rules and subjects go when the flags say so.
import type {ClusterRole, PolicyRule, RoleBinding} from '../../../api/kinds/rbac-v1.ts';
import {pathOf, type AnyObject} from '../../../api/meta/object.ts';
import {sameJson} from '../../../api/schema/merge/index.ts';
import {fail, Failure, gather} from '../../failure.ts';
import {type Found, visitEach} from '../../resources/found.ts';
import {missingRules} from '../../resources/rules.ts';
import {select} from '../../resources/select.ts';
import type {Session} from '../../session.ts';
import {COMMON_FLAGS, FILE_FLAGS, PRINT_FLAGS, type Command, type Outcome} from '../command.ts';
import {dryRunOf, dryRunWords, type DryRun} from '../dry-run.ts';
import {printResult} from '../result.ts';

type Subject = NonNullable<RoleBinding['subjects']>[number];

export const reconcile: Command = {
  path: 'kubectl auth reconcile',
  short: 'Make roles and bindings allow what files say',
  examples: [
    'kubectl auth reconcile -f roles.yaml',
    'kubectl auth reconcile -f roles.yaml --remove-extra-permissions --remove-extra-subjects',
  ],
  does: [...COMMON_FLAGS, ...FILE_FLAGS, ...PRINT_FLAGS, 'dry-run', 'remove-extra-permissions', 'remove-extra-subjects'],
  run,
};

/** What is to be done with one object, and the lines that tell why. */
interface Plan {
  readonly operation: 'none' | 'create' | 'update' | 'recreate';
  readonly object: AnyObject;
  readonly reasons: string;
}

async function run(session: Session): Promise<Outcome> {
  const {flags} = session;
  if (!session.hasFiles) return fail('must specify one of -f and -k');
  if (session.args.length > 0) return fail('no arguments are allowed');
  const dryRun = await dryRunOf(session);
  if (dryRun instanceof Failure) return dryRun;
  if (dryRun === 'server') return fail('--dry-run=server for command reconcile is not supported yet');
  const selected = await select(session, {files: session.files, recursive: flags.on('recursive'), typed: true});
  if (selected instanceof Failure) return selected;
  return gather(await visitEach(selected, found => reconcileOne(session, found, dryRun)));
}

async function reconcileOne(session: Session, found: Found, dryRun: DryRun): Promise<Failure | undefined> {
  const {kind, namespace, name, object} = found;
  const isRole = kind.kind === 'Role' || kind.kind === 'ClusterRole';
  // Other kinds are passed over without a word.
  if (!object || (!isRole && kind.kind !== 'RoleBinding' && kind.kind !== 'ClusterRoleBinding')) return undefined;
  const api = session.api();
  if (api instanceof Failure) return api;
  const there = await api.ask<AnyObject>({method: 'GET', path: pathOf(kind, namespace, name)});
  if (there instanceof Failure && !there.is('NotFound')) return there;
  const before = there instanceof Failure ? undefined : there;
  const plan = isRole ? planRole(session, before, object) : planBinding(session, before, object);
  const done = dryRun === 'none' ? await carryOut(session, found, plan) : plan.object;
  if (done instanceof Failure) return done;
  const failure = await printResult(session, done, dryRunWords('reconciled', dryRun));
  if (plan.operation !== 'none') await session.err(`\treconciliation required ${plan.operation}\n${plan.reasons}`);
  return failure;
}

async function carryOut(
  session: Session,
  {kind, namespace, name}: Found,
  {operation, object}: Plan,
): Promise<AnyObject | Failure> {
  const api = session.api();
  if (api instanceof Failure) return api;
  const [path, collection] = [pathOf(kind, namespace, name), pathOf(kind, namespace)];
  if (operation === 'none') return object;
  if (operation === 'update') return api.ask<AnyObject>({method: 'PUT', path, body: object});
  if (operation === 'recreate') {
    const gone = await api.ask({method: 'DELETE', path, body: {}});
    if (gone instanceof Failure) return gone;
  }
  return api.ask<AnyObject>({method: 'POST', path: collection, body: object});
}

/** Labels and annotations of both, the wanted ones winning. */
function withWantedMeta(before: AnyObject, wanted: AnyObject): AnyObject {
  const {labels, annotations} = wanted.metadata;
  const metadata = {
    ...before.metadata,
    ...(labels ? {labels: {...before.metadata.labels, ...labels}} : {}),
    ...(annotations ? {annotations: {...before.metadata.annotations, ...annotations}} : {}),
  };
  return {...before, metadata};
}

function planRole({flags}: Session, before: AnyObject | undefined, wanted: AnyObject): Plan {
  const rules = (wanted as unknown as ClusterRole).rules ?? [];
  if (!before) return {operation: 'create', object: wanted, reasons: listText('missing rules added', rules.map(ruleText))};
  const own = (before as unknown as ClusterRole).rules ?? [];
  const missing = missingRules(own, rules);
  const extra = flags.on('remove-extra-permissions') ? missingRules(rules, own) : [];
  const merged = {
    ...withWantedMeta(before, wanted),
    rules: extra.length > 0 ? rules : [...own, ...missing],
  } as unknown as AnyObject;
  const reasons = listText('missing rules added', missing.map(ruleText)) + listText('extra rules removed', extra.map(ruleText));
  return {operation: sameJson(merged, {...before, rules: own}) ? 'none' : 'update', object: merged, reasons};
}

function planBinding({flags}: Session, before: AnyObject | undefined, wanted: AnyObject): Plan {
  const {subjects = [], roleRef} = wanted as unknown as RoleBinding;
  if (!before)
    return {operation: 'create', object: wanted, reasons: listText('missing subjects added', subjects.map(subjectText))};
  const there = before as unknown as RoleBinding;
  const own = there.subjects ?? [];
  const lacks = (list: readonly Subject[], one: Subject) => !list.some(other => subjectText(other) === subjectText(one));
  const missing = subjects.filter(one => lacks(own, one));
  const extra = flags.on('remove-extra-subjects') ? own.filter(one => lacks(subjects, one)) : [];
  const merged = {
    ...withWantedMeta(before, wanted),
    subjects: [...own.filter(one => !extra.includes(one)), ...missing],
    roleRef,
  } as unknown as AnyObject;
  const reasons =
    listText('missing subjects added', missing.map(subjectText)) + listText('extra subjects removed', extra.map(subjectText));
  if (!sameJson(there.roleRef, roleRef)) return {operation: 'recreate', object: withoutIdentity(merged), reasons: ''};
  return {operation: sameJson(merged, {...before, subjects: own}) ? 'none' : 'update', object: merged, reasons};
}

/** A new object has no uid and no version yet. */
function withoutIdentity(object: AnyObject): AnyObject {
  const {uid: _uid, resourceVersion: _version, ...metadata} = object.metadata;
  return {...object, metadata} as unknown as AnyObject;
}

function listText(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `\t${title}:\n${items.map(item => `\t\t${item}\n`).join('')}`;
}

function ruleText({verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = []}: PolicyRule): string {
  const list = (items: readonly string[]) => `[${items.join(' ')}]`;
  return `{Verbs:${list(verbs)} APIGroups:${list(apiGroups)} Resources:${list(resources)} ResourceNames:${list(resourceNames)} NonResourceURLs:${list(nonResourceURLs)}}`;
}

function subjectText({kind, apiGroup = '', name, namespace = ''}: Subject): string {
  return `{Kind:${kind} APIGroup:${apiGroup} Name:${name} Namespace:${namespace}}`;
}
