// The row of a CSINode.
import type {CSINode} from '../kinds/storage-v1.ts';
import {age, type Cell} from './cells.ts';

/** Name, Drivers, Age. */
export function csiNodeRow(node: CSINode, nowMs: number): readonly Cell[] {
  return [node.metadata.name, node.spec.drivers?.length ?? 0, age(node, nowMs)];
}
