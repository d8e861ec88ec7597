// Authorization: masters may do everything; a kubelet is judged by the node authorizer first; everybody by RBAC.
import type {User} from '../auth/user.ts';
import {YES, type Access, type Decision} from './access.ts';
import type {RbacIndex} from './index.ts';

/** May the user do it? */
export function authorizer(
  rbac: RbacIndex,
  node?: (user: User, access: Access) => Decision,
): (user: User, access: Access) => Decision {
  return (user, access) => {
    if (user.master) return YES;
    if (user.node === undefined || !node) return rbac.decide(user, access);
    const decision = node(user, access);
    if (decision.allowed) return decision;
    const granted = rbac.decide(user, access);
    return granted.allowed || decision.reason === '' ? granted : decision;
  };
}
