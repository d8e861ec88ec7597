// The pages of ingresses and ingress classes. A backend is shown with the addresses of its service.
import type {Ingress, IngressBackend, IngressClass} from '../../api/kinds/networking-v1.ts';
import type {Service} from '../../api/kinds/core-v1.ts';
import {pathOf} from '../../api/meta/object.ts';
import {builtin} from '../../api/meta/resources.ts';
import {Failure} from '../failure.ts';
import type {Describer, Surroundings} from './describer.ts';
import {addressesText, slicesOf} from './endpoints.ts';
import {addEvents, eventsOf} from './events.ts';
import {Lines} from './lines.ts';
import {addAnnotations, addLabels} from './maps.ts';

export const describeIngress: Describer = async (object, around) => {
  const ingress = object as unknown as Ingress;
  const {metadata, spec, status} = ingress;
  const namespace = metadata.namespace ?? '';
  const lines = new Lines();
  lines.field(0, 'Name', metadata.name);
  addLabels(lines, 'Labels', metadata.labels);
  lines.field(0, 'Namespace', namespace);
  lines.field(0, 'Address', (status?.loadBalancer?.ingress ?? []).map(({ip, hostname}) => ip || hostname || '').join(','));
  lines.field(0, 'Ingress Class', spec?.ingressClassName ?? '<none>');
  const fallback = spec?.defaultBackend ? await backendText(spec.defaultBackend, namespace, around) : '<default>';
  lines.field(0, 'Default backend', fallback);
  addTls(lines, ingress);
  lines.raw('Rules:\n  Host\tPath\tBackends\n  ----\t----\t--------\n');
  const rules = (spec?.rules ?? []).flatMap(({host, http}) => (http ? [{host, paths: http.paths}] : []));
  for (const {host, paths} of rules) {
    lines.add(1, `${host || '*'}\t`);
    for (const {path = '', backend} of paths) lines.add(2, `\t${path} \t${await backendText(backend, namespace, around)}`);
  }
  if (rules.length === 0) lines.add(1, `*\t*\t${fallback}`);
  addAnnotations(lines, 'Annotations', metadata.annotations);
  addEvents(lines, await eventsOf(object, around), around.session.now);
  return lines.text();
};

function addTls(lines: Lines, {spec}: Ingress): void {
  const all = spec?.tls ?? [];
  if (all.length > 0) lines.add(0, 'TLS:');
  for (const {hosts = [], secretName} of all)
    lines.add(1, secretName ? `${secretName} terminates ${hosts.join(',')}` : `SNI routes ${hosts.join(',')}`);
}

async function backendText({service, resource}: IngressBackend, namespace: string, around: Surroundings): Promise<string> {
  if (!service)
    return resource ? `APIGroup: ${resource.apiGroup ?? '<none>'}, Kind: ${resource.kind}, Name: ${resource.name}` : '';
  const {name, port} = service;
  const what = `${name}:${port?.name || (port?.number ?? 0)}`;
  const api = around.session.api();
  if (api instanceof Failure) return what;
  const there = await api.ask<Service>({method: 'GET', path: pathOf(builtin('services'), namespace, name)});
  if (there instanceof Failure) return `${what} (<error: ${there.message}>)`;
  const fits = (one: {port: number; name?: string}) => (port?.number ? one.port === port.number : one.name === port?.name);
  const portName = there.spec?.ports?.findLast(fits)?.name ?? '';
  return `${what} (${addressesText(await slicesOf(name, namespace, around), portName)})`;
}

export const describeIngressClass: Describer = async (object, around) => {
  const {metadata, spec} = object as unknown as IngressClass;
  const lines = new Lines();
  lines.field(0, 'Name', metadata.name);
  addLabels(lines, 'Labels', metadata.labels);
  addAnnotations(lines, 'Annotations', metadata.annotations);
  lines.field(0, 'Controller', spec?.controller ?? '');
  const parameters = spec?.parameters;
  if (parameters) {
    lines.add(0, 'Parameters:');
    if (parameters.apiGroup !== undefined) lines.field(1, 'APIGroup', parameters.apiGroup);
    lines.field(1, 'Kind', parameters.kind);
    lines.field(1, 'Name', parameters.name);
  }
  addEvents(lines, await eventsOf(object, around), around.session.now);
  return lines.text();
};
