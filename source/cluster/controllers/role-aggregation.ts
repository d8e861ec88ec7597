// ClusterRole aggregation: a cluster role may be the sum of others, chosen by their labels. Its rules are theirs, in the order of
// their names, each once; whatever else somebody writes into it is overwritten.
import type {ClusterRole, PolicyRule} from '../../api/kinds/rbac-v1.ts';
import {compareStrings} from '../../api/meta/go-text.ts';
import {builtin} from '../../api/meta/resources.ts';
import {selectorMatcher} from '../../api/meta/selector.ts';
import {update} from '../../client/verbs.ts';
import type {Outcome} from '../../client/work-queue.ts';
import type {Task} from '../../sim/task.ts';
import type {Context, Controller} from './context.ts';
import {isSameValue} from './same-value.ts';

const clusterroles = builtin('rbac.authorization.k8s.io', 'clusterroles');

/** Keeps the sums. */
export const roleAggregationController: Controller = {
  name: 'clusterrole-aggregation-controller',
  account: 'clusterrole-aggregation-controller',
  start: context => {
    const queue = context.queue({reconcile: key => aggregate(context, key)});
    const roles = context.informers.of<ClusterRole>(clusterroles);
    const changed = () => {
      for (const role of roles.store.values()) if (role.aggregationRule) queue.add(role.metadata.name);
    };
    roles.on({added: changed, updated: changed, deleted: changed});
  },
};

function* aggregate({client, informers}: Context, name: string): Task<Outcome> {
  const roles = informers.of<ClusterRole>(clusterroles);
  const role = roles.get(name);
  if (!role?.aggregationRule || role.metadata.deletionTimestamp !== undefined) return undefined;
  const rules = planRules(role, roles.store.values());
  if (isSameValue(rules, role.rules ?? [])) return undefined;
  const result = yield* client.ask(update(clusterroles, {...role, rules}));
  return result.ok || result.status.reason === 'NotFound' ? undefined : 'again';
}

/** The rules that a role gathers. */
export function planRules(role: ClusterRole, all: Iterable<ClusterRole>): readonly PolicyRule[] {
  const sorted = [...all].sort((a, b) => compareStrings(a.metadata.name, b.metadata.name));
  const rules: PolicyRule[] = [];
  for (const selector of role.aggregationRule?.clusterRoleSelectors ?? []) {
    const matches = selectorMatcher(selector);
    for (const other of sorted) {
      if (other.metadata.name === role.metadata.name || !matches(other.metadata.labels)) continue;
      for (const rule of other.rules ?? []) if (!rules.some(known => isSameValue(known, rule))) rules.push(rule);
    }
  }
  return rules;
}
