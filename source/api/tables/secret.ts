// The row of a Secret.
import type {Secret} from '../kinds/core-v1.ts';
import {age, type Cell} from './cells.ts';

/** Name, Type, Data, Age. */
export function secretRow(secret: Secret, nowMs: number): readonly Cell[] {
  return [secret.metadata.name, secret.type ?? '', Object.keys(secret.data ?? {}).length, age(secret, nowMs)];
}
