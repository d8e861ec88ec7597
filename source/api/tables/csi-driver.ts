// The row of a CSIDriver.
import type {CSIDriver} from '../kinds/storage-v1.ts';
import {age, type Cell, NONE, or, UNSET} from './cells.ts';

/** Name, AttachRequired, PodInfoOnMount, StorageCapacity, TokenRequests, RequiresRepublish, Modes, Age. */
export function csiDriverRow(driver: CSIDriver, nowMs: number): readonly Cell[] {
  const {spec} = driver;
  const audiences = spec.tokenRequests?.map(({audience}) => audience).join(',');
  return [
    driver.metadata.name,
    spec.attachRequired ?? true,
    spec.podInfoOnMount ?? false,
    spec.storageCapacity ?? false,
    audiences ?? UNSET,
    spec.requiresRepublish ?? false,
    or(spec.volumeLifecycleModes?.join(','), NONE),
    age(driver, nowMs),
  ];
}
