// The row of a RuntimeClass.
import type {RuntimeClass} from '../kinds/node-v1.ts';
import {age, type Cell} from './cells.ts';

/** Name, Handler, Age. */
export function runtimeClassRow(runtimeClass: RuntimeClass, nowMs: number): readonly Cell[] {
  return [runtimeClass.metadata.name, runtimeClass.handler, age(runtimeClass, nowMs)];
}
