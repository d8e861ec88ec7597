// The row of a ResourceQuota.
import type {ResourceQuota} from '../kinds/core-v1.ts';
import {compareStrings} from '../meta/go-text.ts';
import {canonicalQuantity} from '../meta/quantity.ts';
import {age, type Cell} from './cells.ts';

/** What is limited by `limits.…` stands in a column of its own. */
export function resourceQuotaRow(quota: ResourceQuota, nowMs: number): readonly Cell[] {
  const hard = quota.status?.hard ?? {};
  const used = quota.status?.used ?? {};
  const names = Object.keys(hard).sort(compareStrings);
  const texts = (limits: boolean) =>
    names
      .filter(name => name.startsWith('limits.') === limits)
      .map(name => `${name}: ${canonicalQuantity(used[name] ?? '0')}/${canonicalQuantity(hard[name] ?? '0')}`)
      .join(', ');
  return [quota.metadata.name, texts(false), texts(true), age(quota, nowMs)];
}
