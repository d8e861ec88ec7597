// Authorization: masters may do everything. Then the ways are asked that `--authorization-mode` names, until one allows: the node
// authorizer judges kubelets, RBAC everybody. ABAC and webhooks allow nothing here.
import type {User} from '../auth/user.ts';
import {YES, type Access, type Decision} from './access.ts';
import type {RbacIndex} from './index.ts';

type Authorize = (user: User, access: Access) => Decision;

const DENIED: Decision = Object.freeze({allowed: false, reason: 'Everything is forbidden.'});
const SILENT: Decision = Object.freeze({allowed: false, reason: ''});

/** May the user do it? */
export function authorizer(
  modes: readonly string[],
  {rbac, node}: {readonly rbac: RbacIndex; readonly node: Authorize},
): Authorize {
  const bound = modes.includes('RBAC') ? (user: User, access: Access) => rbac.decide(user, access) : () => SILENT;
  const rest: Authorize = modes.includes('AlwaysAllow') ? () => YES : modes.includes('AlwaysDeny') ? denying(bound) : bound;
  const asksNode = modes.includes('Node');
  return (user, access) => {
    if (user.master) return YES;
    if (user.node === undefined || !asksNode) return rest(user, access);
    const decision = node(user, access);
    if (decision.allowed) return decision;
    const granted = rest(user, access);
    return granted.allowed || decision.reason === '' ? granted : decision;
  };
}

function denying(others: Authorize): Authorize {
  return (user, access) => {
    const decision = others(user, access);
    return decision.allowed ? decision : DENIED;
  };
}
