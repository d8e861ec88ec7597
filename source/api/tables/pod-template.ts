// The row of a PodTemplate.
import type {PodTemplate} from '../kinds/core-v1.ts';
import {labelsText} from '../meta/selector.ts';
import {type Cell, containerCells} from './cells.ts';

/** Name, Containers, Images, Pod Labels. */
export function podTemplateRow(template: PodTemplate): readonly Cell[] {
  const inner = template.template;
  return [template.metadata.name, ...containerCells(inner?.spec?.containers), labelsText(inner?.metadata?.labels)];
}
