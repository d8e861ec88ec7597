// The pages of endpoints and endpoint slices, and the addresses of a service in one line.
import type {Endpoints} from '../../api/kinds/core-v1.ts';
import type {EndpointSlice} from '../../api/kinds/discovery-v1.ts';
import {Failure} from '../failure.ts';
import type {Describer, Surroundings} from './describer.ts';
import {addEvents, eventsOf} from './events.ts';
import {Lines} from './lines.ts';
import {addAnnotations, addLabels} from './maps.ts';

/** So many addresses are listed. */
const MOST = 3;

/** The slices of a service. */
export async function slicesOf(name: string, namespace: string, {session}: Surroundings): Promise<readonly EndpointSlice[]> {
  const api = session.api();
  if (api instanceof Failure) return [];
  const query = {labelSelector: `kubernetes.io/service-name=${name}`};
  const path = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`;
  const list = await api.ask<{items?: readonly EndpointSlice[]}>({method: 'GET', path, query});
  return list instanceof Failure ? [] : (list.items ?? []);
}

/** The addresses behind the port of that name. */
export function addressesText(slices: readonly EndpointSlice[], name: string): string {
  if (slices.length === 0) return '<none>';
  const found: string[] = [];
  for (const {ports, endpoints} of slices) {
    // A slice without ports speaks of all of them.
    if ((ports ?? []).length === 0 && ports !== null) found.push(...(endpoints ?? []).flatMap(({addresses}) => addresses));
    for (const port of ports ?? []) {
      if ((port.name ?? '') !== name) continue;
      for (const {addresses, conditions} of endpoints ?? [])
        if (conditions?.ready !== false) found.push(...addresses.slice(0, 1).map(address => joined(address, port.port)));
    }
  }
  return found.length > MOST ? `${found.slice(0, MOST).join(',')} + ${found.length - MOST} more...` : found.join(',');
}

function joined(address: string, port: number | undefined): string {
  return `${address.includes(':') ? `[${address}]` : address}:${port ?? ''}`;
}

function addHead(lines: Lines, {name, namespace, labels, annotations}: EndpointSlice['metadata']): void {
  lines.field(0, 'Name', name);
  lines.field(0, 'Namespace', namespace ?? '');
  addLabels(lines, 'Labels', labels);
  addAnnotations(lines, 'Annotations', annotations);
}

export const describeEndpoints: Describer = async (object, around) => {
  const {metadata, subsets} = object as unknown as Endpoints;
  const lines = new Lines();
  addHead(lines, metadata);
  lines.add(0, 'Subsets:');
  for (const {addresses, notReadyAddresses, ports = []} of subsets ?? []) {
    lines.field(1, 'Addresses', (addresses ?? []).map(({ip}) => ip).join(',') || '<none>');
    lines.field(1, 'NotReadyAddresses', (notReadyAddresses ?? []).map(({ip}) => ip).join(',') || '<none>');
    if (ports.length > 0) lines.raw('  Ports:\n    Name\tPort\tProtocol\n    ----\t----\t--------\n');
    for (const {name, port, protocol = ''} of ports) lines.raw(`    ${name || '<unset>'}\t${port}\t${protocol}\n`);
    lines.raw('\n');
  }
  addEvents(lines, await eventsOf(object, around), around.session.now);
  return lines.text();
};

export const describeEndpointSlice: Describer = async (object, around) => {
  const slice = object as unknown as EndpointSlice;
  const lines = new Lines();
  addHead(lines, slice.metadata);
  lines.field(0, 'AddressType', slice.addressType);
  const ports = slice.ports ?? [];
  if (ports.length === 0) lines.add(0, 'Ports: <unset>');
  else lines.raw('Ports:\n  Name\tPort\tProtocol\n  ----\t----\t--------\n');
  for (const {name, port, protocol = ''} of ports) lines.raw(`  ${name || '<unset>'}\t${port ?? '<unset>'}\t${protocol}\n`);
  addPlaces(lines, slice);
  addEvents(lines, await eventsOf(object, around), around.session.now);
  return lines.text();
};

function addPlaces(lines: Lines, {endpoints}: EndpointSlice): void {
  const all = endpoints ?? [];
  lines.add(0, all.length === 0 ? 'Endpoints: <none>' : 'Endpoints:');
  for (const {addresses, conditions, hostname, targetRef, nodeName, zone} of all) {
    lines.field(1, '- Addresses', addresses.join(', '));
    lines.add(2, 'Conditions:');
    lines.field(3, 'Ready', String(conditions?.ready ?? '<unset>'));
    lines.field(2, 'Hostname', hostname ?? '<unset>');
    if (targetRef) lines.field(2, 'TargetRef', `${targetRef.kind ?? ''}/${targetRef.name ?? ''}`);
    lines.field(2, 'NodeName', nodeName ?? '<unset>');
    lines.field(2, 'Zone', zone ?? '<unset>');
  }
}
