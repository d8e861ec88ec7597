// The row of a Lease.
import type {Lease} from '../kinds/coordination-v1.ts';
import {age, type Cell} from './cells.ts';

/** Name, Holder, Age. */
export function leaseRow(lease: Lease, nowMs: number): readonly Cell[] {
  return [lease.metadata.name, lease.spec?.holderIdentity ?? '', age(lease, nowMs)];
}
