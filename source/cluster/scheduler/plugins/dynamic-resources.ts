// Devices by claim. A claim that has its devices keeps the pod to the nodes that reach them; for one that has none yet, each node
// is asked whether its devices would do (devices/allocate.ts). Once a node is decided on, they are written down and reserved for
// the pod (devices/prebinding.ts).
//
// A node on which a request gets an earlier one of its alternatives is liked better.
//
// Not modelled: taking devices back from claims that nobody uses when no node is left.
import type {ResourceClaim} from '../../../api/kinds/resource-v1.ts';
import {compileTerms} from '../../../api/meta/node-selector.ts';
import type {ClusterState} from '../state/cluster-state.ts';
import {allocate} from '../devices/allocate.ts';
import {allocatedDevices, devicesOn, nodesOf} from '../devices/inventory.ts';
import {preBindClaims, type ClaimPlan} from '../devices/prebinding.ts';
import {selects} from '../devices/selectors.ts';
import {stretch, type Context, type Plugin, type Verdict} from '../framework.ts';
import type {NodeInfo} from '../state/node-info.ts';
import type {PodInfo} from '../state/pod-info.ts';

interface State {
  readonly context: Context;
  readonly claims: readonly ResourceClaim[];
  readonly allocated: ReadonlySet<string>;
}

const REFUSED: Verdict = {code: 'unresolvable', reasons: ['cannot allocate all claims']};
const ELSEWHERE: Verdict = {code: 'unresolvable', reasons: ['resourceclaim not available on the node']};
const MOST_CONSUMERS = 256;
const MOST_ALTERNATIVES = 8;

export const dynamicResources: Plugin<State, State> = {
  name: 'DynamicResources',
  preEnqueue({cluster, pod}) {
    for (const name of claimNames(pod)) {
      if (name === undefined || !cluster.lookups.resourceClaim(pod.namespace, name)) return 'waiting for resource claim';
    }
    return undefined;
  },
  preFilter(context) {
    const {cluster, pod} = context;
    if (!pod.pod.spec.resourceClaims?.length) return 'skip';
    const claims: ResourceClaim[] = [];
    for (const name of claimNames(pod)) {
      const claim = name === undefined ? undefined : cluster.lookups.resourceClaim(pod.namespace, name);
      if (!claim) return refused(`resourceclaim ${JSON.stringify(name ?? '')} not found`);
      const why = whyUnusable(cluster, pod, claim);
      if (why !== undefined) return refused(why);
      claims.push(claim);
    }
    return {state: {context, claims, allocated: allocatedDevices(cluster.lookups.resourceClaims())}};
  },
  filter(state, _pod, node) {
    const plans = planClaims(state, node);
    return plans === 'elsewhere' ? ELSEWHERE : plans === 'none' ? REFUSED : undefined;
  },
  preScore(context) {
    if (!context.pod.pod.spec.resourceClaims?.length) return 'skip';
    const state = stateOf(context);
    const chooses = ({spec, status}: ResourceClaim) =>
      !status?.allocation && spec.devices?.requests?.some(({firstAvailable}) => firstAvailable !== undefined);
    return state.claims.some(chooses) ? {state} : 'skip';
  },
  score(state, _pod, nodes, scores) {
    for (const [index, node] of nodes.entries()) {
      const plans = planClaims(state, node);
      scores[index] = typeof plans === 'string' ? 0 : plans.reduce((sum, plan) => sum + liking(plan), 0);
    }
  },
  normalize: (_state, scores) => stretch(scores, false),
  preBind(context, node) {
    const {pod} = context;
    if (!pod.pod.spec.resourceClaims?.length) return undefined;
    const plans = planClaims(stateOf(context), node);
    if (typeof plans === 'string') return undefined;
    const open = plans.filter(({claim, results}) => results || !isReservedFor(claim, pod));
    return open.length > 0 ? preBindClaims(context, open) : undefined;
  },
  postFilter({pod, profile, diagnosis}) {
    const order = profile.filters.map(plugin => plugin.name);
    const before = diagnosis.refusedBefore;
    if (before && order.indexOf(before.plugin) < order.indexOf('DynamicResources')) return {message: 'not found', final: true};
    const refusedHere = before?.plugin === 'DynamicResources';
    return {message: claimNames(pod).length > 0 && !refusedHere ? 'still not schedulable' : 'no new claims to deallocate'};
  },
  worthRetry: event => event.about === 'devices' || event.about === 'itself' || (event.about === 'node' && !event.before),
};

/** The claims of a pod, as far as they are there. */
function stateOf(context: Context): State {
  const {cluster, pod} = context;
  const found = claimNames(pod).map(name => cluster.lookups.resourceClaim(pod.namespace, name ?? ''));
  const claims = found.filter(claim => claim !== undefined);
  return {context, claims, allocated: allocatedDevices(cluster.lookups.resourceClaims())};
}

/** How early the alternatives are that a claim would get: eight for each that is the first of its request. */
function liking({claim, results = []}: ClaimPlan): number {
  const got = new Set(results.map(({request}) => request));
  let sum = 0;
  for (const {name, firstAvailable = []} of claim.spec.devices?.requests ?? [])
    for (const [index, each] of firstAvailable.entries()) if (got.has(`${name}/${each.name}`)) sum += MOST_ALTERNATIVES - index;
  return sum;
}

function refused(reason: string): {readonly refused: Verdict} {
  return {refused: {code: 'unresolvable', reasons: [reason]}};
}

/** The claims that a pod uses; undefined for one that is still to be made from its template. */
function claimNames({pod}: PodInfo): readonly (string | undefined)[] {
  return (pod.spec.resourceClaims ?? []).map(({name, resourceClaimName}) => {
    return resourceClaimName ?? pod.status?.resourceClaimStatuses?.find(status => status.name === name)?.resourceClaimName;
  });
}

function whyUnusable(cluster: ClusterState, pod: PodInfo, claim: ResourceClaim): string | undefined {
  const {allocation, reservedFor = []} = claim.status ?? {};
  if (claim.metadata.deletionTimestamp) return `resourceclaim ${JSON.stringify(claim.metadata.name)} is being deleted`;
  if (allocation) {
    const full = !isReservedFor(claim, pod) && reservedFor.length >= MOST_CONSUMERS;
    return full ? 'resourceclaim in use' : undefined;
  }
  for (const {name, exactly, firstAvailable = []} of claim.spec.devices?.requests ?? []) {
    const asked = exactly
      ? [{name, className: exactly.deviceClassName}]
      : firstAvailable.map(each => ({name: `${name}/${each.name}`, className: each.deviceClassName}));
    for (const each of asked) {
      if (!cluster.lookups.deviceClass(each.className))
        return `request ${each.name}: device class ${each.className} does not exist`;
    }
  }
  return undefined;
}

function isReservedFor({status}: ResourceClaim, {uid}: PodInfo): boolean {
  return status?.reservedFor?.some(each => each.uid === uid) === true;
}

/** What the claims would get on a node. */
function planClaims({context, claims, allocated}: State, node: NodeInfo): readonly ClaimPlan[] | 'elsewhere' | 'none' {
  const {cluster, pod} = context;
  const {lookups, taken} = cluster;
  for (const {status} of claims) {
    const terms = status?.allocation?.nodeSelector?.nodeSelectorTerms;
    if (terms && !compileTerms(terms)(node.labels, node.name)) return 'elsewhere';
  }
  const open = claims.filter(({status}) => !status?.allocation);
  if (open.length === 0) return claims.map(claim => ({claim}));
  const devices = devicesOn(lookups, node);
  const isTaken = (id: string) => {
    const by = taken.get(`device ${id}`);
    return allocated.has(id) || (by !== undefined && by.uid !== pod.uid);
  };
  const found = allocate(open, {devices, isTaken, classOf: name => lookups.deviceClass(name), selects});
  if (!found) return 'none';
  return claims.map(claim => {
    const results = found.get(claim);
    if (!results) return {claim};
    const ids = new Set(results.map(({driver, pool, device}) => `${driver}/${pool}/${device}`));
    return {
      claim,
      results,
      nodeSelector: nodesOf(
        devices.filter(({id}) => ids.has(id)),
        node.name,
      ),
    };
  });
}
