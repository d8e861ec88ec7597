// The row of a PriorityClass.
import type {PriorityClass} from '../kinds/scheduling-v1.ts';
import {age, type Cell} from './cells.ts';

/** Name, Value, Global-Default, Age, PreemptionPolicy. */
export function priorityClassRow(priorityClass: PriorityClass, nowMs: number): readonly Cell[] {
  const {metadata, value, globalDefault, preemptionPolicy} = priorityClass;
  return [metadata.name, value, globalDefault ?? false, age(priorityClass, nowMs), preemptionPolicy ?? ''];
}
