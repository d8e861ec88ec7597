// The row of a Service.
import type {Service, ServicePort} from '../kinds/core-v1.ts';
import {labelsText} from '../meta/selector.ts';
import {age, type Cell, NONE, or, balancerAddresses} from './cells.ts';

/** Name, Type, Cluster-IP, External-IP, Port(s), Age, Selector. */
export function serviceRow(service: Service, nowMs: number): readonly Cell[] {
  const {spec} = service;
  return [
    service.metadata.name,
    spec?.type ?? '',
    or(spec?.clusterIPs?.[0] ?? spec?.clusterIP, NONE),
    externalAddress(service),
    or((spec?.ports ?? []).map(portText).join(','), NONE),
    age(service, nowMs),
    labelsText(spec?.selector),
  ];
}

function portText({port, nodePort, protocol}: ServicePort): string {
  return `${port}${nodePort ? `:${nodePort}` : ''}/${protocol ?? 'TCP'}`;
}

function externalAddress({spec, status}: Service): string {
  const external = spec?.externalIPs ?? [];
  switch (spec?.type) {
    case 'ClusterIP':
    case 'NodePort':
      return or(external.join(','), NONE);
    case 'LoadBalancer':
      return or([...balancerAddresses(status?.loadBalancer?.ingress), ...external].join(','), '<pending>');
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}
