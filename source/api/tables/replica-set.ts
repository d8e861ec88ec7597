// The row of a ReplicaSet.
import type {ReplicaSet} from '../kinds/apps-v1.ts';
import {selectorText} from '../meta/selector.ts';
import {age, type Cell, containerCells} from './cells.ts';

/** Name, Desired, Current, Ready, Age, Containers, Images, Selector. */
export function replicaSetRow(set: ReplicaSet, nowMs: number): readonly Cell[] {
  const {spec, status} = set;
  const counts = [spec.replicas ?? 0, status?.replicas ?? 0, status?.readyReplicas ?? 0];
  return [
    set.metadata.name,
    ...counts,
    age(set, nowMs),
    ...containerCells(spec.template?.spec?.containers),
    selectorText(spec.selector),
  ];
}
