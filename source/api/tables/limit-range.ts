// The row of a LimitRange.
import type {LimitRange} from '../kinds/core-v1.ts';
import {type Cell, createdAt} from './cells.ts';

/** Name, Created At. */
export function limitRangeRow(range: LimitRange): readonly Cell[] {
  return [range.metadata.name, createdAt(range)];
}
