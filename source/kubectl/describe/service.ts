// The page of a service, with the addresses behind each of its ports.
import type {Service} from '../../api/kinds/core-v1.ts';
import type {EndpointSlice} from '../../api/kinds/discovery-v1.ts';
import {labelsText} from '../../api/meta/selector.ts';
import type {Describer} from './describer.ts';
import {addressesText, slicesOf} from './endpoints.ts';
import {addEvents, eventsOf} from './events.ts';
import {Lines} from './lines.ts';
import {addAnnotations, addLabels} from './maps.ts';

export const describeService: Describer = async (object, around) => {
  const service = object as unknown as Service;
  const lines = new Lines();
  lines.field(0, 'Name', service.metadata.name);
  lines.field(0, 'Namespace', service.metadata.namespace ?? '');
  addLabels(lines, 'Labels', service.metadata.labels);
  addAnnotations(lines, 'Annotations', service.metadata.annotations);
  addAddresses(lines, service);
  addPorts(lines, service, await slicesOf(service.metadata.name, service.metadata.namespace ?? '', around));
  addTraffic(lines, service);
  addEvents(lines, await eventsOf(object, around), around.session.now);
  return lines.text();
};

function addAddresses(lines: Lines, {spec, status}: Service): void {
  lines.field(0, 'Selector', labelsText(spec?.selector));
  lines.field(0, 'Type', spec?.type ?? '');
  if (spec?.ipFamilyPolicy !== undefined) lines.field(0, 'IP Family Policy', spec.ipFamilyPolicy);
  lines.field(0, 'IP Families', (spec?.ipFamilies ?? []).join(',') || '<none>');
  lines.field(0, 'IP', spec?.clusterIP ?? '');
  lines.field(0, 'IPs', (spec?.clusterIPs ?? []).join(',') || '<none>');
  if ((spec?.externalIPs ?? []).length > 0) lines.field(0, 'External IPs', (spec?.externalIPs ?? []).join(','));
  if (spec?.loadBalancerIP) lines.field(0, 'Desired LoadBalancer IP', spec.loadBalancerIP);
  if (spec?.externalName) lines.field(0, 'External Name', spec.externalName);
  const ingress = status?.loadBalancer?.ingress ?? [];
  if (ingress.length > 0)
    lines.field(
      0,
      'LoadBalancer Ingress',
      ingress.map(({ip, hostname, ipMode}) => `${ip ?? hostname ?? ''}${ipMode ? ` (${ipMode})` : ''}`).join(', '),
    );
}

function addPorts(lines: Lines, {spec}: Service, slices: readonly EndpointSlice[]): void {
  for (const {name = '', port, protocol = 'TCP', targetPort, nodePort} of spec?.ports ?? []) {
    const shown = name || '<unset>';
    lines.add(0, `Port:\t${shown}\t${port}/${protocol}`);
    lines.field(0, 'TargetPort', `${targetPort ?? port}/${protocol}`);
    if (nodePort) lines.add(0, `NodePort:\t${shown}\t${nodePort}/${protocol}`);
    lines.field(0, 'Endpoints', addressesText(slices, name));
  }
}

function addTraffic(lines: Lines, {spec}: Service): void {
  lines.field(0, 'Session Affinity', spec?.sessionAffinity ?? '');
  if (spec?.externalTrafficPolicy) lines.field(0, 'External Traffic Policy', spec.externalTrafficPolicy);
  if (spec?.internalTrafficPolicy) lines.field(0, 'Internal Traffic Policy', spec.internalTrafficPolicy);
  if (spec?.healthCheckNodePort) lines.field(0, 'HealthCheck NodePort', String(spec.healthCheckNodePort));
  if ((spec?.loadBalancerSourceRanges ?? []).length > 0)
    lines.field(0, 'LoadBalancer Source Ranges', (spec?.loadBalancerSourceRanges ?? []).join(','));
  if (spec?.trafficDistribution) lines.field(0, 'Traffic Distribution', spec.trafficDistribution);
}
