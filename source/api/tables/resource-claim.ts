// The row of a ResourceClaim.
import type {ResourceClaim} from '../kinds/resource-v1.ts';
import {age, type Cell} from './cells.ts';

/** Name, State, Age. */
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
