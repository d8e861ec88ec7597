// `kubectl set subject`: adds users, groups and service accounts to bindings.
import type {RoleBinding} from '../../../api/kinds/rbac-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {sameJson} from '../../../api/schema/merge/index.ts';
import {fail, Failure, gather} from '../../failure.ts';
import {type Found, visitEach} from '../../resources/found.ts';
import type {Session} from '../../session.ts';
import type {Command, Outcome} from '../command.ts';
import {dryRunOf, type DryRun} from '../dry-run.ts';
import {printResult, sendAndPrint} from '../result.ts';
import {SET_FLAGS, targetsOf} from './change.ts';

type Subject = NonNullable<RoleBinding['subjects']>[number];

const RBAC = 'rbac.authorization.k8s.io';

export const setSubject: Command = {
  path: 'kubectl set subject',
  short: 'Add users, groups and service accounts to bindings',
  examples: ['kubectl set subject rolebinding readers --user=vera'],
  does: [...SET_FLAGS, 'group', 'serviceaccount', 'user'],
  run,
};

async function run(session: Session): Promise<Outcome> {
  const dryRun = await dryRunOf(session);
  if (dryRun instanceof Failure) return dryRun;
  const selected = await targetsOf(session, session.args);
  if (selected instanceof Failure) return selected;
  const added = subjectsOf(session);
  // Nothing is changed unless all are there.
  const missing = gather(selected.failures);
  if (missing) return missing;
  if (added instanceof Failure) return added;
  return gather(await visitEach(selected, found => changeOne(session, found, {added, dryRun})));
}

function subjectsOf({flags}: Session): readonly Subject[] | Failure {
  const [users, groups, accounts] = [flags.list('user'), flags.list('group'), flags.list('serviceaccount')];
  if (users.length + groups.length + accounts.length === 0)
    return fail('you must specify at least one value of user, group or serviceaccount');
  const found: Subject[] = [
    ...users.map(name => ({apiGroup: RBAC, kind: 'User', name})),
    ...groups.map(name => ({apiGroup: RBAC, kind: 'Group', name})),
  ];
  for (const account of accounts) {
    const [namespace = '', name, more] = account.split(':');
    if (name === undefined || name === '' || more !== undefined) return fail('serviceaccount must be <namespace>:<name>');
    found.push({kind: 'ServiceAccount', name, namespace: namespace || 'default'});
  }
  return found;
}

async function changeOne(
  session: Session,
  found: Found,
  {added, dryRun}: {added: readonly Subject[]; dryRun: DryRun},
): Promise<Failure | undefined> {
  const before = found.object;
  if (!before) return undefined;
  if (before.kind !== 'RoleBinding' && before.kind !== 'ClusterRoleBinding')
    return fail(`${found.kind.resource}/${found.name} setting subjects is only supported for RoleBinding/ClusterRoleBinding`);
  const {subjects: own = []} = before as unknown as RoleBinding;
  const fresh = added.filter(one => !own.some(other => sameJson(one, other)));
  if (fresh.length === 0) return undefined;
  const after = {...before, subjects: [...own, ...fresh]} as unknown as AnyObject;
  if (session.flags.on('local')) return printResult(session, after, 'subjects updated');
  return sendAndPrint(session, {found, before, after, type: 'strategic'}, {operation: 'subjects updated', dryRun});
}
