// The row of a StatefulSet.
import type {StatefulSet} from '../kinds/apps-v1.ts';
import {age, type Cell, containerCells} from './cells.ts';

/** Name, Ready, Age, Containers, Images. */
export function statefulSetRow(set: StatefulSet, nowMs: number): readonly Cell[] {
  const ready = `${set.status?.readyReplicas ?? 0}/${set.spec.replicas ?? 0}`;
  return [set.metadata.name, ready, age(set, nowMs), ...containerCells(set.spec.template.spec?.containers)];
}
