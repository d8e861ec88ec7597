// The row of a NetworkPolicy.
import type {NetworkPolicy} from '../kinds/networking-v1.ts';
import {selectorText} from '../meta/selector.ts';
import {age, type Cell} from './cells.ts';

/** Name, Pod-Selector, Age. */
export function networkPolicyRow(policy: NetworkPolicy, nowMs: number): readonly Cell[] {
  return [policy.metadata.name, selectorText(policy.spec?.podSelector), age(policy, nowMs)];
}
