// The row of a ConfigMap.
import type {ConfigMap} from '../kinds/core-v1.ts';
import {age, type Cell} from './cells.ts';

/** Name, Data, Age. */
export function configMapRow(map: ConfigMap, nowMs: number): readonly Cell[] {
  return [map.metadata.name, Object.keys(map.data ?? {}).length + Object.keys(map.binaryData ?? {}).length, age(map, nowMs)];
}
