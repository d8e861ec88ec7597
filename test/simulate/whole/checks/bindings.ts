// The scheduler may only choose a node where the pod may be, as it was known a moment ago; and at rest no pod waits for which there
// is such a node. What is bound never exceeds the node.
import type {Node, Pod} from '../../../../source/api/kinds/core-v1.ts';
import {isTerminal} from '../../../../source/api/meta/pod.ts';
import type {State} from '../ledger.ts';
import type {Check} from './check.ts';
import {overfull, refusal, residents} from './fitting.ts';
import {listOf, nameOf, podsOf} from './reading.ts';

/** So old may what the scheduler knew be: a bind that waits for volumes takes some seconds. */
const KNOWN_MS = 3000;

function whyNot(state: State, key: string, pod: Pod): string | undefined {
  const node = state.all('nodes').get(pod.spec.nodeName ?? '') as Node | undefined;
  if (!node || !state.all('pods').has(key)) return undefined;
  return refusal(state, node, pod);
}

/** Why a pod waits though it need not. */
function waiting(state: State, pod: Pod): readonly string[] {
  if (pod.spec.nodeName || isTerminal(pod) || pod.metadata.deletionTimestamp || pod.spec.schedulingGates?.length) return [];
  const claims = (pod.spec.volumes ?? []).flatMap(({persistentVolumeClaim}) => persistentVolumeClaim?.claimName ?? []);
  // Volumes bind a pod to places: those that have one are left to the checks of claims.
  if (claims.length > 0) return [];
  const free = listOf<Node>(state, 'nodes').find(node => refusal(state, node, pod) === undefined);
  return free ? [`${nameOf(pod)} waits, and ${nameOf(free)} would take it: ${JSON.stringify(pod.status?.conditions?.[0])}`] : [];
}

export const BINDINGS: Check = {
  change({resource, key, before, after, verb, who}, {ledger}) {
    if (resource !== 'pods' || !after) return undefined;
    const pod = after as unknown as Pod;
    const isBound = Boolean(pod.spec.nodeName) && before !== undefined && !(before as unknown as Pod).spec.nodeName;
    if (!isBound || !who.includes('scheduler')) return undefined;
    let first: string | undefined;
    for (const state of ledger.recent(KNOWN_MS)) {
      const why = whyNot(state, key, pod);
      if (why === undefined) return undefined;
      first ??= why;
    }
    return `${verb}: ${nameOf(pod)} was bound to ${pod.spec.nodeName}: ${first}`;
  },
  rest: state =>
    listOf<Node>(state, 'nodes').flatMap(node => {
      const why = overfull(node, residents(state, node.metadata.name ?? ''));
      return why === undefined ? [] : [`${nameOf(node)} is overfull, ${why}`];
    }),
  late: state => podsOf(state).flatMap(pod => waiting(state, pod)),
};
