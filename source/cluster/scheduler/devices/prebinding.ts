// Before a pod with claims is bound, its claims are: one that is new gets its devices (and the finalizer that keeps it), and each is
// reserved for the pod.
import type {
  DeviceAllocationConfiguration,
  DeviceRequestAllocationResult,
  ResourceClaim,
} from '../../../api/kinds/resource-v1.ts';
import type {NodeSelector} from '../../../api/kinds/core-v1.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {failedAs, type Result} from '../../../client/client.ts';
import {get, update} from '../../../client/verbs.ts';
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
  for (const {results = []} of plans) {
    for (const {driver, pool, device, adminAccess} of results)
      if (!adminAccess) takes.set(`device ${driver}/${pool}/${device}`, {});
  }
  return {takes, carryOut: errand => bindClaims(context, plans, errand)};
}

function* bindClaims(context: Context, plans: readonly ClaimPlan[], errand: Errand): Task<string | undefined> {
  for (const plan of plans) {
    const failed = yield* bindClaim(context, plan, errand);
    if (failed !== undefined) return failed;
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

/** What drivers are told: by the classes first, then by the claim. */
function configOf(
  {spec}: ResourceClaim,
  results: readonly DeviceRequestAllocationResult[],
  ofClass: (name: string) => readonly {readonly opaque?: DeviceAllocationConfiguration['opaque']}[],
): readonly DeviceAllocationConfiguration[] {
  const config: DeviceAllocationConfiguration[] = [];
  const names = new Set(results.map(({request}) => request));
  for (const {name, exactly, firstAvailable = []} of spec.devices?.requests ?? []) {
    const asked = exactly
      ? [{full: name, className: exactly.deviceClassName}]
      : firstAvailable.map(each => ({full: `${name}/${each.name}`, className: each.deviceClassName}));
    for (const {full, className} of asked) {
      if (!names.has(full)) continue;
      for (const {opaque} of ofClass(className))
        config.push({source: 'FromClass', requests: [full], ...(opaque ? {opaque} : {})});
    }
  }
  for (const {requests, opaque} of spec.devices?.config ?? []) {
    config.push({source: 'FromClaim', ...(requests ? {requests} : {}), ...(opaque ? {opaque} : {})});
  }
  return config;
}
