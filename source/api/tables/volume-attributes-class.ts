// The row of a VolumeAttributesClass.
import type {VolumeAttributesClass} from '../kinds/storage-v1.ts';
import {age, type Cell} from './cells.ts';

/** Name, DriverName, Age. */
export function volumeAttributesClassRow(attributesClass: VolumeAttributesClass, nowMs: number): readonly Cell[] {
  return [attributesClass.metadata.name, attributesClass.driverName, age(attributesClass, nowMs)];
}
