// `kubectl create service …` and `create ingress`.
import {checkPortName, checkPortNumber, checkSubdomain} from '../../../api/meta/names.ts';
import {fail, Failure} from '../../failure.ts';
import type {Session} from '../../session.ts';
import {intOrText} from './accounts.ts';
import {generatorCommand, type Draft, type Generator} from './generator.ts';

interface Sort {
  readonly word: string;
  readonly type: string;
  readonly short: string;
  readonly flags: readonly string[];
}

function serviceCommand({word, type, short, flags}: Sort) {
  const generator: Generator = {
    path: `kubectl create service ${word}`,
    short,
    flags,
    refusal: `failed to create ${type} service:`,
    examples: [
      `kubectl create service ${word} web ${word === 'externalname' ? '--external-name=db.example.com' : '--tcp=80:8080'}`,
    ],
    ...(word === 'externalname' ? {required: ['external-name']} : {}),
    make: (session, name) => service(session, name, type),
  };
  return generatorCommand(generator);
}

export const createServiceClusterIP = serviceCommand({
  word: 'clusterip',
  type: 'ClusterIP',
  short: 'Create a service inside the cluster',
  flags: ['clusterip', 'tcp'],
});
export const createServiceNodePort = serviceCommand({
  word: 'nodeport',
  type: 'NodePort',
  short: 'Create a service on a port of every node',
  flags: ['node-port', 'tcp'],
});
export const createServiceLoadBalancer = serviceCommand({
  word: 'loadbalancer',
  type: 'LoadBalancer',
  short: 'Create a service behind a load balancer',
  flags: ['tcp'],
});
export const createServiceExternalName = serviceCommand({
  word: 'externalname',
  type: 'ExternalName',
  short: 'Create a service that is another name',
  flags: ['external-name', 'tcp'],
});

function service(session: Session, name: string, type: string): Draft | Failure {
  const {flags} = session;
  const clusterIP = type === 'ClusterIP' ? flags.text('clusterip') : '';
  const ports: object[] = [];
  for (const text of flags.list('tcp')) {
    const port = readPort(text);
    if (port instanceof Failure) return port;
    ports.push(type === 'NodePort' && flags.number('node-port') > 0 ? {...port, nodePort: flags.number('node-port')} : port);
  }
  if (ports.length === 0 && clusterIP !== 'None' && type !== 'ExternalName')
    return fail('at least one tcp port specifier must be provided');
  const external = flags.text('external-name');
  if (type === 'ExternalName' && checkSubdomain(external).length > 0) return fail(`invalid service external name ${external}`);
  const labels = {app: name};
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {name, labels},
    status: {loadBalancer: {}},
    spec: {
      type,
      selector: labels,
      ...(ports.length > 0 ? {ports} : {}),
      ...(clusterIP === '' ? {} : {clusterIP}),
      ...(type === 'ExternalName' ? {externalName: external} : {}),
    },
  };
}

function readPort(text: string): object | Failure {
  const [first = '', second] = text.split(':');
  const port = Number(first);
  if (!/^\d+$/.test(first)) return fail(`strconv.ParseUint: parsing ${JSON.stringify(first)}: invalid syntax`);
  if (port > 65_535) return fail(`strconv.ParseUint: parsing ${JSON.stringify(first)}: value out of range`);
  const targetPort = second === undefined ? port : intOrText(second);
  const wrong = second === undefined ? [] : typeof targetPort === 'number' ? checkPortNumber(targetPort) : checkPortName(second);
  if (wrong.length > 0) return fail(wrong.join(','));
  return {name: text.replaceAll(':', '-'), port, protocol: 'TCP', targetPort};
}

export const createIngress = generatorCommand({
  path: 'kubectl create ingress',
  short: 'Create an ingress',
  examples: ['kubectl create ingress shop --rule="shop.example.com/*=web:80"'],
  flags: ['annotation', 'class', 'default-backend', 'rule'],
  refusal: 'failed to create ingress:',
  make: ingress,
});

const RULE = /^(?<host>[\w*\-.]*)(?<path>\/[^=]*)=(?<service>[\w-]+:[\w-]+)(?:,(?<option>[^=]*)(?:=(?<secret>.*))?)?$/;
const ANNOTATION = /^[\w*\-./]+=.*$/;

function ingress({flags}: Session, name: string): Draft | Failure {
  const rules = flags.list('rule');
  if (rules.length === 0 && flags.text('default-backend') === '')
    return fail(
      'not enough information provided: every ingress has to either specify a default-backend (which catches all traffic) or a list of rules (which catch specific paths)',
    );
  const hosts = new Map<string, object[]>();
  const tls = new Map<string, string[]>();
  for (const text of rules) {
    const {host = '', path = '', service: backend = '', option: secure, secret = ''} = RULE.exec(text)?.groups ?? {};
    if (path === '') return fail(`rule ${text} is invalid and should be in format host/path=svcname:svcport[,tls[=secret]]`);
    const isPrefix = path.endsWith('*');
    hosts.set(host, [
      ...(hosts.get(host) ?? []),
      {path: isPrefix ? path.slice(0, -1) : path, pathType: isPrefix ? 'Prefix' : 'Exact', backend: backendOf(backend)},
    ]);
    if (secure !== undefined) tls.set(secret, [...(tls.get(secret) ?? []), ...(host === '' ? [] : [host])]);
  }
  const wrong = flags.list('annotation').find(text => !ANNOTATION.test(text));
  if (wrong !== undefined) return fail(`annotation ${wrong} is invalid and should be in format key=[value]`);
  const fallback = flags.text('default-backend');
  if (fallback !== '' && fallback.split(':').length !== 2)
    return fail('default-backend should be in format servicename:serviceport');
  const annotations = Object.fromEntries(
    flags.list('annotation').map(text => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]),
  );
  const spec = {
    ...(flags.text('class') === '' ? {} : {ingressClassName: flags.text('class')}),
    ...(fallback === '' ? {} : {defaultBackend: backendOf(fallback)}),
    ...(tls.size > 0
      ? {
          tls: [...tls].map(([secretName, names]) => ({
            ...(names.length > 0 ? {hosts: [...new Set(names)]} : {}),
            ...(secretName === '' ? {} : {secretName}),
          })),
        }
      : {}),
    ...(hosts.size > 0 ? {rules: [...hosts].map(([host, paths]) => ({...(host === '' ? {} : {host}), http: {paths}}))} : {}),
  };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {name, ...(Object.keys(annotations).length > 0 ? {annotations} : {})},
    spec,
    status: {loadBalancer: {}},
  };
}

function backendOf(text: string): object {
  const [name = '', port = ''] = text.split(':');
  return {service: {name, port: /^\d+$/.test(port) ? {number: Number(port)} : {name: port}}};
}
