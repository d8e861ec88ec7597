// The pod template of a workload, as `describe` and `rollout history` show it.
import type {PodTemplateSpec} from '../../api/kinds/core-v1.ts';
import {addContainers} from './containers.ts';
import {Lines} from './lines.ts';
import {addAnnotations, addLabels} from './maps.ts';
import {addSpreading, addTolerations} from './placement.ts';
import {addVolumes} from './volumes.ts';

const INDENT = '  ';

/** Writes a template. */
export function addTemplate(lines: Lines, template: PodTemplateSpec | undefined): void {
  lines.add(0, 'Pod Template:');
  if (!template) {
    lines.raw('  <unset>');
    return;
  }
  const {metadata, spec} = template;
  addLabels(lines, 'Labels', metadata?.labels, INDENT);
  if (Object.keys(metadata?.annotations ?? {}).length > 0) addAnnotations(lines, 'Annotations', metadata?.annotations, INDENT);
  if (spec?.serviceAccountName) lines.add(1, `Service Account:\t${spec.serviceAccountName}`);
  if ((spec?.initContainers ?? []).length > 0)
    addContainers(lines, 'Init Containers', spec?.initContainers ?? [], {indent: INDENT});
  addContainers(lines, 'Containers', spec?.containers ?? [], {indent: INDENT});
  addVolumes(lines, spec?.volumes, INDENT);
  addSpreading(lines, spec?.topologySpreadConstraints, INDENT);
  if (spec?.priorityClassName) lines.add(1, `Priority Class Name:\t${spec.priorityClassName}`);
  addLabels(lines, 'Node-Selectors', spec?.nodeSelector, INDENT);
  addTolerations(lines, spec?.tolerations, INDENT);
}

/** A template alone, its cells parted by tabs and not aligned. */
export function templateText(template: PodTemplateSpec | undefined): string {
  const lines = new Lines();
  addTemplate(lines, template);
  return lines.plainText();
}
