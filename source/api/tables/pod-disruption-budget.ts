// The row of a PodDisruptionBudget.
import type {PodDisruptionBudget} from '../kinds/policy-v1.ts';
import {age, type Cell} from './cells.ts';

/** Name, Min Available, Max Unavailable, Allowed Disruptions, Age. */
export function disruptionBudgetRow(budget: PodDisruptionBudget, nowMs: number): readonly Cell[] {
  const text = (value: string | number | undefined) => (value === undefined ? 'N/A' : String(value));
  const {minAvailable, maxUnavailable} = budget.spec ?? {};
  return [
    budget.metadata.name,
    text(minAvailable),
    text(maxUnavailable),
    budget.status?.disruptionsAllowed ?? 0,
    age(budget, nowMs),
  ];
}
