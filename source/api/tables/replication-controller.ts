// The row of a ReplicationController.
import type {ReplicationController} from '../kinds/core-v1.ts';
import {labelsText} from '../meta/selector.ts';
import {age, type Cell, containerCells} from './cells.ts';

/** Name, Desired, Current, Ready, Age, Containers, Images, Selector. */
export function replicationControllerRow(controller: ReplicationController, nowMs: number): readonly Cell[] {
  const {spec, status} = controller;
  const counts = [spec.replicas ?? 0, status?.replicas ?? 0, status?.readyReplicas ?? 0];
  const containers = containerCells(spec.template?.spec?.containers);
  return [controller.metadata.name, ...counts, age(controller, nowMs), ...containers, labelsText(spec.selector)];
}
