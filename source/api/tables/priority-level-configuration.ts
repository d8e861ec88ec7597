// The row of a PriorityLevelConfiguration.
import type {PriorityLevelConfiguration} from '../kinds/flowcontrol-v1.ts';
import {age, type Cell, NONE} from './cells.ts';

/** Name, Type, NominalConcurrencyShares, Queues, HandSize, QueueLengthLimit, Age. */
export function priorityLevelRow(level: PriorityLevelConfiguration, nowMs: number): readonly Cell[] {
  const {spec} = level;
  const queuing = spec?.limited?.limitResponse?.queuing;
  const shares = spec?.limited?.nominalConcurrencyShares ?? spec?.exempt?.nominalConcurrencyShares;
  const numbers = [shares, queuing?.queues, queuing?.handSize, queuing?.queueLengthLimit].map(one =>
    one === undefined ? NONE : one,
  );
  return [level.metadata.name, spec?.type ?? '', ...numbers, age(level, nowMs)];
}
