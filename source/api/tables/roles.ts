// The rows of Roles and ClusterRoles.
import type {ClusterRole, Role} from '../kinds/rbac-v1.ts';
import {type Cell, createdAt} from './cells.ts';

/** Name, Created At. */
export function roleRow(role: Role | ClusterRole): readonly Cell[] {
  return [role.metadata.name, createdAt(role)];
}
