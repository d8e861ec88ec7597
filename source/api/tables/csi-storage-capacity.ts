// The row of a CSIStorageCapacity.
import type {CSIStorageCapacity} from '../kinds/storage-v1.ts';
import {type Cell, createdAt} from './cells.ts';

/** Name, Created At. */
export function csiStorageCapacityRow(capacity: CSIStorageCapacity): readonly Cell[] {
  return [capacity.metadata.name, createdAt(capacity)];
}
