// The row of a ResourceSlice.
import type {ResourceSlice} from '../kinds/resource-v1.ts';
import {age, type Cell, or, UNSET} from './cells.ts';

/** Name, Node, Driver, Pool, Age. */
export function resourceSliceRow(slice: ResourceSlice, nowMs: number): readonly Cell[] {
  return [slice.metadata.name, or(slice.spec.nodeName, UNSET), slice.spec.driver, slice.spec.pool.name, age(slice, nowMs)];
}
