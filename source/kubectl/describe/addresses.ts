// The pages of the ranges from which services get their addresses, and of the addresses that were given away.
import type {IPAddress, ServiceCIDR} from '../../api/kinds/networking-v1.ts';
import {timeText, type Describer} from './describer.ts';
import {addEvents, eventsOf} from './events.ts';
import {Lines} from './lines.ts';
import {addAnnotations, addLabels} from './maps.ts';

export const describeServiceCidr: Describer = async (object, around) => {
  const {metadata, spec, status} = object as unknown as ServiceCIDR;
  const lines = new Lines();
  lines.field(0, 'Name', metadata.name);
  addLabels(lines, 'Labels', metadata.labels);
  addAnnotations(lines, 'Annotations', metadata.annotations);
  lines.field(0, 'CIDRs', (spec?.cidrs ?? []).join(', '));
  const conditions = status?.conditions ?? [];
  if (conditions.length > 0) {
    lines.add(0, 'Status:');
    lines.add(0, 'Conditions:');
    lines.add(1, 'Type\tStatus\tLastTransitionTime\tReason\tMessage');
    lines.add(1, '----\t------\t------------------\t------\t-------');
  }
  for (const {type, status: state, lastTransitionTime, reason, message} of conditions)
    lines.add(1, [type, state, timeText(lastTransitionTime), reason, message].join('\t'));
  addEvents(lines, await eventsOf(object, around), around.session.now);
  return lines.text();
};

export const describeIpAddress: Describer = async (object, around) => {
  const {metadata, spec} = object as unknown as IPAddress;
  const lines = new Lines();
  lines.field(0, 'Name', metadata.name);
  addLabels(lines, 'Labels', metadata.labels);
  addAnnotations(lines, 'Annotations', metadata.annotations);
  const parent = spec?.parentRef;
  if (parent) {
    lines.add(0, 'Parent Reference:');
    lines.field(1, 'Group', parent.group ?? '');
    lines.field(1, 'Resource', parent.resource);
    lines.field(1, 'Namespace', parent.namespace ?? '');
    lines.field(1, 'Name', parent.name);
  }
  addEvents(lines, await eventsOf(object, around), around.session.now);
  return lines.text();
};
