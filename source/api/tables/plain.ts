// The rows of kinds that show nothing of their own.
import type {KubeObject} from '../meta/object.ts';
import {age, type Cell} from './cells.ts';

/** Name and Age: kinds that show nothing of their own. */
export function plainRow(object: KubeObject, nowMs: number): readonly Cell[] {
  return [object.metadata.name, age(object, nowMs)];
}
