// The row of a Namespace.
import type {Namespace} from '../kinds/core-v1.ts';
import {age, type Cell} from './cells.ts';

/** Name, Status, Age. */
export function namespaceRow(namespace: Namespace, nowMs: number): readonly Cell[] {
  return [namespace.metadata.name, namespace.status?.phase ?? '', age(namespace, nowMs)];
}
