// Devices by claim. A claim that has its devices keeps the pod to the nodes that reach them; for one that has none yet, each node
// is asked whether its devices would do (devices/allocate.ts). Once a node is decided on, they are written down and reserved for
// the pod (devices/prebinding.ts). When no node is left, and a claim that nobody else uses has devices elsewhere, they are given back:
// the next attempt may find others.
//
// A node on which a request gets an earlier one of its alternatives is liked better.
import type {ResourceClaim} from '../../../api/kinds/resource-v1.ts';
import {compileTerms} from '../../../api/meta/node-selector.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {update} from '../../../client/verbs.ts';
import type {ClusterState} from '../state/cluster-state.ts';
import {allocate} from '../devices/allocate.ts';
import {allocatedDevices, devicesOn, nodesOf} from '../devices/inventory.ts';
import {claimsOf, mayHelp} from '../devices/pod-claims.ts';
import {preBindClaims, type ClaimPlan} from '../devices/prebinding.ts';
import {selects} from '../devices/selectors.ts';
import {stretch, type Context, type Failure, type Plugin, type PostFilter, type Verdict} from '../framework.ts';
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
const resourceClaims = builtin('resource.k8s.io', 'resourceclaims');

export const dynamicResources: Plugin<State, State> = {
  name: 'DynamicResources',
  preEnqueue({cluster, pod}) {
    const found = claimsOf(cluster, pod);
    return typeof found === 'string' ? found : undefined;
  },
  preFilter(context) {
    const {cluster, pod} = context;
    const claims = claimsOf(cluster, pod);
    if (typeof claims === 'string') return refused(claims);
    if (claims.length === 0) return 'skip';
    for (const claim of claims) {
      const why = whyUnusable(cluster, pod, claim);
      if (why !== undefined) return refused(why);
    }
    return {state: {context, claims, allocated: allocatedDevices(cluster.lookups.resourceClaims())}};
  },
  filter(state, _pod, node) {
    const plans = planClaims(state, node);
    return 'code' in plans ? plans : undefined;
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
      scores[index] = 'code' in plans ? 0 : plans.reduce((sum, plan) => sum + liking(plan), 0);
    }
  },
  normalize: (_state, scores) => stretch(scores, false),
  preBind(context, node) {
    const {pod} = context;
    if (!pod.pod.spec.resourceClaims?.length) return undefined;
    const plans = planClaims(stateOf(context), node);
    if ('code' in plans) return undefined;
    const open = plans.filter(({claim, results}) => results || !isReservedFor(claim, pod));
    return open.length > 0 ? preBindClaims(context, open) : undefined;
  },
  postFilter(failure) {
    const {cluster, pod, profile, diagnosis} = failure;
    const order = profile.filters.map(plugin => plugin.name);
    const before = diagnosis.refusedBefore;
    if (before && order.indexOf(before.plugin) < order.indexOf('DynamicResources')) return {message: 'not found', final: true};
    const claims = before?.plugin === 'DynamicResources' ? [] : claimsOf(cluster, pod);
    if (typeof claims === 'string' || claims.length === 0) return {message: 'no new claims to deallocate'};
    return giveBack(failure, claims);
  },
  worthRetry: mayHelp,
};

/** The devices of a claim that was in the way, and that nobody else has, are given back. */
function giveBack({diagnosis, dice, pod}: Failure, claims: readonly ResourceClaim[]): PostFilter {
  const nodes = diagnosis.refusals.filter(({verdict}) => verdict === ELSEWHERE).map(({node}) => node);
  const free = claims.filter(({status}) => {
    const {reservedFor = []} = status ?? {};
    const isOurs = reservedFor.length === 0 || (reservedFor.length === 1 && reservedFor[0]?.uid === pod.uid);
    return isOurs && nodes.some(node => !isWithinReach(status, node));
  });
  const claim = free[dice.below(Math.max(1, free.length))];
  if (!claim) return {message: 'still not schedulable'};
  const {allocation: _a, reservedFor: _r, devices: _d, ...status} = claim.status ?? {};
  return {message: 'deallocation of ResourceClaim completed', write: update(resourceClaims, {...claim, status}, 'status')};
}

function stateOf(context: Context): State {
  const {cluster, pod} = context;
  const found = claimsOf(cluster, pod);
  const claims = typeof found === 'string' ? [] : found;
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

function whyUnusable(cluster: ClusterState, pod: PodInfo, claim: ResourceClaim): string | undefined {
  const {allocation, reservedFor = []} = claim.status ?? {};
  if (allocation) {
    const full = !isReservedFor(claim, pod) && reservedFor.length >= MOST_CONSUMERS;
    return full ? 'resourceclaim in use' : undefined;
  }
  const {uid, name: claimName} = claim.metadata;
  const by = cluster.taken.get(`claim ${uid}`);
  if (by && by.uid !== pod.uid) return `resource claim ${pod.namespace}/${claimName} is in the process of being allocated`;
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

function isWithinReach(status: ResourceClaim['status'], node: NodeInfo): boolean {
  const terms = status?.allocation?.nodeSelector?.nodeSelectorTerms;
  return !terms || compileTerms(terms)(node.labels, node.name);
}

/** What the claims would get on a node, or why it is none for them. */
function planClaims({context, claims, allocated}: State, node: NodeInfo): readonly ClaimPlan[] | Verdict {
  const {cluster, pod} = context;
  const {lookups, taken} = cluster;
  const {devices, unfinished} = devicesOn(lookups, node);
  const isTaken = (id: string) => {
    const by = taken.get(`device ${id}`);
    return allocated.has(id) || (by !== undefined && by.uid !== pod.uid);
  };
  const open = claims.filter(({status}) => !status?.allocation);
  const found = allocate(open, {devices, unfinished, isTaken, classOf: name => lookups.deviceClass(name), selects});
  if (!found) return REFUSED;
  if ('error' in found) return {code: 'failed', reasons: [found.error]};
  if (!claims.every(({status}) => isWithinReach(status, node))) return ELSEWHERE;
  return claims.map(claim => {
    const results = found.get(claim);
    if (!results) return {claim};
    const ids = new Set(results.map(({driver, pool, device}) => `${driver}/${pool}/${device}`));
    const got = devices.filter(({id}) => ids.has(id));
    return {claim, results, nodeSelector: nodesOf(got, node.name)};
  });
}
