// The rows of kinds that stand alone in their groups.
import type {CustomResourceDefinition} from '../kinds/apiextensions-v1.ts';
import type {APIService} from '../kinds/apiregistration-v1.ts';
import type {Lease} from '../kinds/coordination-v1.ts';
import type {RuntimeClass} from '../kinds/node-v1.ts';
import type {PodDisruptionBudget} from '../kinds/policy-v1.ts';
import type {ResourceClaim, ResourceSlice} from '../kinds/resource-v1.ts';
import type {PriorityClass} from '../kinds/scheduling-v1.ts';
import type {KubeObject} from '../meta/object.ts';
import {age, type Cell, createdAt, or, UNSET} from './cells.ts';

/** Name and Age: kinds that show nothing of their own. */
export function plainRow(object: KubeObject, nowMs: number): readonly Cell[] {
  return [object.metadata.name, age(object, nowMs)];
}

export function customResourceDefinitionRow(definition: CustomResourceDefinition): readonly Cell[] {
  return [definition.metadata.name, createdAt(definition)];
}

export function apiServiceRow(service: APIService, nowMs: number): readonly Cell[] {
  const reference = service.spec?.service;
  const available = service.status?.conditions?.find(({type}) => type === 'Available');
  const reason = available?.reason ? ` (${available.reason})` : '';
  const text = available === undefined ? 'Unknown' : available.status === 'True' ? 'True' : `${available.status}${reason}`;
  const where = reference ? `${reference.namespace ?? ''}/${reference.name ?? ''}` : 'Local';
  return [service.metadata.name, where, text, age(service, nowMs)];
}

export function leaseRow(lease: Lease, nowMs: number): readonly Cell[] {
  return [lease.metadata.name, lease.spec?.holderIdentity ?? '', age(lease, nowMs)];
}

export function runtimeClassRow(runtimeClass: RuntimeClass, nowMs: number): readonly Cell[] {
  return [runtimeClass.metadata.name, runtimeClass.handler, age(runtimeClass, nowMs)];
}

export function disruptionBudgetRow(budget: PodDisruptionBudget, nowMs: number): readonly Cell[] {
  const text = (value: string | number | undefined) => (value === undefined ? 'N/A' : String(value));
  const {minAvailable, maxUnavailable} = budget.spec ?? {};
  return [
    budget.metadata.name,
    text(minAvailable),
    text(maxUnavailable),
    budget.status?.disruptionsAllowed ?? 0,
    age(budget, nowMs),
  ];
}

export function priorityClassRow(priorityClass: PriorityClass, nowMs: number): readonly Cell[] {
  const {metadata, value, globalDefault, preemptionPolicy} = priorityClass;
  return [metadata.name, value, globalDefault ?? false, age(priorityClass, nowMs), preemptionPolicy ?? ''];
}

export function resourceClaimRow(claim: ResourceClaim, nowMs: number): readonly Cell[] {
  const deleted = claim.metadata.deletionTimestamp !== undefined;
  const allocated = claim.status?.allocation !== undefined;
  const states = [
    deleted ? 'deleted' : '',
    allocated ? 'allocated' : deleted ? '' : 'pending',
    allocated && (claim.status?.reservedFor?.length ?? 0) > 0 ? 'reserved' : '',
  ];
  return [claim.metadata.name, states.filter(state => state !== '').join(','), age(claim, nowMs)];
}

export function resourceSliceRow(slice: ResourceSlice, nowMs: number): readonly Cell[] {
  return [slice.metadata.name, or(slice.spec.nodeName, UNSET), slice.spec.driver, slice.spec.pool.name, age(slice, nowMs)];
}
