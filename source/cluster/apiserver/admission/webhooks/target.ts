// Where a webhook is: a URL, or a Service of the cluster. The address that is written in errors names the Service; what is
// dialled is its cluster address, as a control plane does not ask the cluster's DNS.
import type {Service} from '../../../../api/kinds/core-v1.ts';
import type {WebhookClientConfig} from '../../../../api/kinds/admissionregistration-v1.ts';
import {readCertificates, trusted} from '../../../../api/pki/certificate.ts';
import {pemBlocks} from '../../../../api/pki/pem.ts';
import type {ClientHello} from '../../../../api/wire/tls.ts';
import type {Core} from '../../core.ts';

/** A webhook's place as its configuration says it. */
export interface Address {
  /** As errors show it. */
  readonly url: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The name that its certificate must have. */
  readonly name: string;
  /** Finds what to dial, or says why there is nothing. */
  find(core: Core): {readonly host: string; readonly port: number} | {readonly error: string};
}

/** The address of a webhook. */
export function addressOf({service, url = ''}: WebhookClientConfig, timeoutSeconds: number): Address {
  const query = {timeout: `${timeoutSeconds}s`};
  if (!service) {
    const [, host = '', port = '', path = ''] = /^https:\/\/([^/:]+)(?::(\d+))?(\/.*)?$/.exec(url) ?? [];
    const found = {host, port: port === '' ? 443 : Number(port)};
    const shown = `https://${host}${port === '' ? '' : `:${port}`}${path || '/'}?timeout=${timeoutSeconds}s`;
    return {url: shown, path: path || '/', query, name: host, find: () => found};
  }
  const {namespace, name, path = '', port = 443} = service;
  const host = `${name}.${namespace}.svc`;
  const at = path.startsWith('/') ? path : `/${path}`;
  return {
    url: `https://${host}:${port}${at}?timeout=${timeoutSeconds}s`,
    path: at,
    query,
    name: host,
    find: core => resolve(core, {namespace, name, port}),
  };
}

function resolve({resources}: Core, wanted: {namespace: string; name: string; port: number}): ReturnType<Address['find']> {
  const {namespace, name, port} = wanted;
  const service = resources.of('services').cache.get(`${namespace}/${name}`) as Service | undefined;
  if (!service) return {error: `service ${JSON.stringify(name)} not found`};
  const {type = 'ClusterIP', clusterIP = '', externalName = '', ports = []} = service.spec ?? {};
  if (type === 'ExternalName') return {host: externalName, port};
  if (clusterIP === 'None') return {error: 'cannot route to service with ClusterIP "None"'};
  if (!ports.some(each => each.port === port))
    return {error: `no service port ${port} found for service ${JSON.stringify(name)}`};
  return {host: clusterIP, port};
}

/** How the server greets a webhook: it trusts the bundle of the configuration and nobody else. A text says what is wrong with that. */
export function greetingOf(bundle: string | undefined, {name}: Address, now: number): ClientHello | string {
  if (bundle === undefined || bundle === '') return {trusts: [], name, now};
  const pem = Buffer.from(bundle, 'base64').toString('utf8');
  if (pemBlocks(pem).length === 0) return 'unable to load root certificates: unable to parse bytes as PEM block';
  return {trusts: readCertificates(pem).map(trusted), name, now};
}
