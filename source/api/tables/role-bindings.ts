// The rows of RoleBindings and ClusterRoleBindings.
import type {ClusterRoleBinding, RoleBinding} from '../kinds/rbac-v1.ts';
import {age, type Cell} from './cells.ts';

/** Name, Role, Age, Users, Groups, ServiceAccounts. */
export function roleBindingRow(binding: RoleBinding | ClusterRoleBinding, nowMs: number): readonly Cell[] {
  const subjects = binding.subjects ?? [];
  const named = (kind: string) => subjects.filter(subject => subject.kind === kind).map(({name}) => name);
  const accounts = subjects
    .filter(({kind}) => kind === 'ServiceAccount')
    .map(({namespace, name}) => `${namespace ?? ''}/${name}`);
  const lists = [named('User'), named('Group'), accounts].map(list => list.join(', '));
  return [binding.metadata.name, `${binding.roleRef.kind}/${binding.roleRef.name}`, age(binding, nowMs), ...lists];
}
