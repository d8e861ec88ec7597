// Before a pod with claims is bound, its claims are: one that is new gets its devices (and the finalizer that keeps it), and each is
// reserved for the pod.
import type {
  DeviceAllocationConfiguration,
  DeviceRequestAllocationResult,
  ResourceClaim,
} from '../../../api/kinds/resource-v1.ts';
import type {NodeSelector} from '../../../api/kinds/core-v1.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {failedAs, type Client, type Result} from '../../../client/client.ts';
import {get, patch, update} from '../../../client/verbs.ts';
import type {Task} from '../../../sim/task.ts';
import type {Context, Errand, PreBinding} from '../framework.ts';

/** A claim, and what it is to get if it has nothing yet. */
export interface ClaimPlan {
  readonly claim: ResourceClaim;
  readonly results?: readonly DeviceRequestAllocationResult[];
  readonly nodeSelector?: NodeSelector | undefined;
}

const claims = builtin('resource.k8s.io', 'resourceclaims');
const FINALIZER = 'resource.kubernetes.io/delete-protection';
const TRIES = 5;
const NEWS_MS = 10_000;

/** The errand for a pod's claims. */
export function preBindClaims(context: Context, plans: readonly ClaimPlan[]): PreBinding {
  const takes = new Map<string, object>();
  for (const {claim, results} of plans) {
    if (!results) continue;
    takes.set(`claim ${claim.metadata.uid}`, {});
    for (const {driver, pool, device, adminAccess} of results)
      if (!adminAccess) takes.set(`device ${driver}/${pool}/${device}`, {});
  }
  const reserved: ResourceClaim[] = [];
  return {
    takes,
    carryOut: errand => bindClaims(context, {plans, reserved}, errand),
    undo: client => unreserve(context, reserved, client),
  };
}

function* bindClaims(
  context: Context,
  {plans, reserved}: {readonly plans: readonly ClaimPlan[]; readonly reserved: ResourceClaim[]},
  errand: Errand,
): Task<string | undefined> {
  for (const plan of plans) {
    const failed = yield* bindClaim(context, plan, errand);
    if (failed !== undefined) return failed;
    reserved.push(plan.claim);
  }
  // Others count the devices from what the informer shows: until then they are taken.
  const isShown = ({claim: {metadata}}: ClaimPlan) =>
    context.cluster.lookups
      .resourceClaim(metadata.namespace ?? '', metadata.name)
      ?.status?.reservedFor?.some(({uid}) => uid === context.pod.uid) === true;
  const {clock} = errand.client.daemon;
  const end = clock.now + NEWS_MS;
  while (!plans.every(isShown) && clock.now < end && !errand.isOver()) yield* errand.news(end - clock.now);
  return undefined;
}

/** The pod is not bound after all: its claims are for others again. What they got they keep. */
function unreserve({pod}: Context, reserved: readonly ResourceClaim[], client: Client): void {
  for (const {metadata} of reserved) {
    const {namespace, name, uid} = metadata;
    const body = {metadata: {uid}, status: {reservedFor: [{$patch: 'delete', uid: pod.uid}]}};
    client.send(patch(claims, {namespace, name, subresource: 'status'}, 'strategic', body));
  }
}

function* bindClaim({cluster, pod}: Context, plan: ClaimPlan, {client}: Errand): Task<string | undefined> {
  const place = {namespace: plan.claim.metadata.namespace, name: plan.claim.metadata.name};
  let claim = plan.claim;
  for (let tries = 0; tries < TRIES; tries++) {
    let result: Result<ResourceClaim> = {ok: true, value: claim};
    if (plan.results && !claim.metadata.finalizers?.includes(FINALIZER)) {
      const finalizers = [...(claim.metadata.finalizers ?? []), FINALIZER];
      result = yield* client.ask<ResourceClaim>(update(claims, {...claim, metadata: {...claim.metadata, finalizers}}));
    }
    if (result.ok) {
      const next = {...result.value, status: statusFor(result.value, plan, {cluster, pod})};
      result = yield* client.ask<ResourceClaim>(update(claims, next, 'status'));
    }
    if (result.ok) return undefined;
    if (!failedAs(result, 'Conflict')) return `update resource claim: ${result.status.message}`;
    const latest = yield* client.ask<ResourceClaim>(get(claims, place));
    if (!latest.ok) return `update resource claim: ${latest.status.message}`;
    if (plan.results && latest.value.status?.allocation) return `claim ${place.name} got allocated elsewhere in the meantime`;
    claim = latest.value;
  }
  return `update resource claim: Operation cannot be fulfilled on resourceclaims.resource.k8s.io "${place.name}"`;
}

function statusFor(
  claim: ResourceClaim,
  {results, nodeSelector}: ClaimPlan,
  {cluster, pod}: Context,
): NonNullable<ResourceClaim['status']> {
  const consumer = {resource: 'pods', name: pod.pod.metadata.name, uid: pod.uid};
  const reservedFor = [...(claim.status?.reservedFor ?? []), consumer];
  if (!results) return {...claim.status, reservedFor};
  const config = configOf(claim, results, name => cluster.lookups.deviceClass(name)?.spec.config ?? []);
  const devices = {results, ...(config.length > 0 ? {config} : {})};
  return {...claim.status, allocation: {devices, ...(nodeSelector ? {nodeSelector} : {})}, reservedFor};
}

type Opaque = DeviceAllocationConfiguration['opaque'];

/** What drivers are told: by the classes first, each once with all its requests, then by the claim. */
function configOf(
  {spec}: ResourceClaim,
  results: readonly DeviceRequestAllocationResult[],
  ofClass: (name: string) => readonly {readonly opaque?: Opaque}[],
): readonly DeviceAllocationConfiguration[] {
  const got = new Set(results.map(({request}) => request));
  const requestsOf = new Map<string, string[]>();
  for (const {name, exactly, firstAvailable = []} of spec.devices?.requests ?? []) {
    const asked = exactly
      ? [{full: name, className: exactly.deviceClassName}]
      : firstAvailable.map(each => ({full: `${name}/${each.name}`, className: each.deviceClassName}));
    const chosen = asked.find(({full}) => got.has(full));
    if (chosen) requestsOf.set(chosen.className, [...(requestsOf.get(chosen.className) ?? []), chosen.full]);
  }
  const config = (
    source: DeviceAllocationConfiguration['source'],
    requests: readonly string[],
    opaque: Opaque,
  ): DeviceAllocationConfiguration => ({source, ...(requests.length > 0 ? {requests} : {}), ...(opaque ? {opaque} : {})});
  const served = [...requestsOf.values()].flat();
  const concerns = (name: string) => served.some(full => full === name || full.startsWith(`${name}/`));
  return [
    ...[...requestsOf].flatMap(([name, requests]) => ofClass(name).map(({opaque}) => config('FromClass', requests, opaque))),
    ...(spec.devices?.config ?? [])
      .filter(({requests = []}) => requests.length === 0 || requests.some(concerns))
      .map(({requests = [], opaque}) => config('FromClaim', requests, opaque)),
  ];
}
