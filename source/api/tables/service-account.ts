// The row of a ServiceAccount.
import type {ServiceAccount} from '../kinds/core-v1.ts';
import {age, type Cell} from './cells.ts';

/** Name, Age. */
export function serviceAccountRow(account: ServiceAccount, nowMs: number): readonly Cell[] {
  return [account.metadata.name, age(account, nowMs)];
}
