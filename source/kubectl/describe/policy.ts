// The pages of disruption budgets and of priority classes.
import type {PodDisruptionBudget} from '../../api/kinds/policy-v1.ts';
import type {PriorityClass} from '../../api/kinds/scheduling-v1.ts';
import {labelsText, selectorText} from '../../api/meta/selector.ts';
import type {Describer} from './describer.ts';
import {addEvents, eventsOf} from './events.ts';
import {Lines} from './lines.ts';

export const describeBudget: Describer = async (object, around) => {
  const {metadata, spec, status} = object as unknown as PodDisruptionBudget;
  const lines = new Lines();
  lines.field(0, 'Name', metadata.name);
  lines.field(0, 'Namespace', metadata.namespace ?? '');
  if (spec?.minAvailable !== undefined) lines.field(0, 'Min available', String(spec.minAvailable));
  else if (spec?.maxUnavailable !== undefined) lines.field(0, 'Max unavailable', String(spec.maxUnavailable));
  lines.field(0, 'Selector', spec?.selector ? selectorText(spec.selector) : '<unset>');
  lines.add(0, 'Status:');
  lines.field(2, 'Allowed disruptions', String(status?.disruptionsAllowed ?? 0));
  lines.field(2, 'Current', String(status?.currentHealthy ?? 0));
  lines.field(2, 'Desired', String(status?.desiredHealthy ?? 0));
  lines.field(2, 'Total', String(status?.expectedPods ?? 0));
  addEvents(lines, await eventsOf(object, around), around.session.now);
  return lines.text();
};

export const describePriorityClass: Describer = async (object, around) => {
  const {metadata, value, globalDefault, preemptionPolicy, description} = object as unknown as PriorityClass;
  const lines = new Lines();
  lines.field(0, 'Name', metadata.name);
  lines.field(0, 'Value', String(value));
  lines.field(0, 'GlobalDefault', String(globalDefault ?? false));
  lines.field(0, 'PreemptionPolicy', preemptionPolicy ?? '');
  lines.field(0, 'Description', description ?? '');
  lines.field(0, 'Annotations', labelsText(metadata.annotations));
  addEvents(lines, await eventsOf(object, around), around.session.now);
  return lines.text();
};
