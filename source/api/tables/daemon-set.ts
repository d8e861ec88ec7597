// The row of a DaemonSet.
import type {DaemonSet} from '../kinds/apps-v1.ts';
import {labelsText, selectorText} from '../meta/selector.ts';
import {age, type Cell, containerCells} from './cells.ts';

/** Name, Desired, Current, Ready, Up-to-date, Available, Node Selector, Age, Containers, Images, Selector. */
export function daemonSetRow(set: DaemonSet, nowMs: number): readonly Cell[] {
  const {spec, status} = set;
  return [
    set.metadata.name,
    status?.desiredNumberScheduled ?? 0,
    status?.currentNumberScheduled ?? 0,
    status?.numberReady ?? 0,
    status?.updatedNumberScheduled ?? 0,
    status?.numberAvailable ?? 0,
    labelsText(spec.template.spec?.nodeSelector),
    age(set, nowMs),
    ...containerCells(spec.template.spec?.containers),
    selectorText(spec.selector),
  ];
}
