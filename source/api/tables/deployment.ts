// The row of a Deployment.
import type {Deployment} from '../kinds/apps-v1.ts';
import {requirementsText, selectorRequirements} from '../meta/selector.ts';
import {age, type Cell, containerCells} from './cells.ts';

/** Name, Ready, Up-to-date, Available, Age, Containers, Images, Selector. */
export function deploymentRow(deployment: Deployment, nowMs: number): readonly Cell[] {
  const {spec, status} = deployment;
  return [
    deployment.metadata.name,
    `${status?.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
    status?.updatedReplicas ?? 0,
    status?.availableReplicas ?? 0,
    age(deployment, nowMs),
    ...containerCells(spec.template.spec?.containers),
    requirementsText(selectorRequirements(spec.selector ?? {})),
  ];
}
