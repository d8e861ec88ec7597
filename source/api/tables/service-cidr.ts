// The row of a ServiceCIDR.
import type {ServiceCIDR} from '../kinds/networking-v1.ts';
import {age, type Cell} from './cells.ts';

/** Name, CIDRs, Age. */
export function serviceCIDRRow(range: ServiceCIDR, nowMs: number): readonly Cell[] {
  return [range.metadata.name, (range.spec?.cidrs ?? []).join(','), age(range, nowMs)];
}
