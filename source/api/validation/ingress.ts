// Ingresses and their classes.
import type {TypedLocalObjectReference} from '../kinds/core-v1.ts';
import type {
  HTTPIngressPath,
  Ingress,
  IngressBackend,
  IngressClass,
  IngressClassParametersReference,
  IngressRule,
} from '../kinds/networking-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {forbiddenField, invalid, notSupported, required, root, tooLong} from '../meta/field-error.ts';
import {
  checkLabel,
  checkLabel1035,
  checkPathSegment,
  checkPortName,
  checkPortNumber,
  checkSubdomain,
  checkWildcard,
} from '../meta/names.ts';
import {oldIpFamily} from '../meta/ip.ts';
import {ipAddress} from './addresses.ts';
import {domainPath, type Errors, immutable, oneOf, sentences} from './rules.ts';

const NEVER_IN_PATH = ['//', '/./', '/../', '%2f', '%2F'];
const NEVER_AT_END = ['/..', '/.'];

/** An Ingress. */
function validateIngress(ingress: Ingress, errors: Errors): void {
  const spec = ingress.spec ?? {};
  const path = root('spec');
  if ((spec.rules?.length ?? 0) === 0 && !spec.defaultBackend) {
    errors.push(invalid(path, null, 'either `defaultBackend` or `rules` must be specified'));
  }
  if (spec.defaultBackend) backend(spec.defaultBackend, path.child('defaultBackend'), errors);
  spec.rules?.forEach((rule, i) => ingressRule(rule, path.child('rules').index(i), errors));
  spec.tls?.forEach(({hosts, secretName}, i) => {
    const at = path.child('tls').index(i);
    hosts?.forEach((host, n) => sentences(hostTexts(host), {path: at.child('hosts').index(n), value: host}, errors));
    if (secretName) sentences(checkSubdomain(secretName), {path: at.child('secretName'), value: secretName}, errors);
  });
  const name = spec.ingressClassName;
  if (name !== undefined) sentences(checkSubdomain(name), {path: path.child('ingressClassName'), value: name}, errors);
}

/** A changed Ingress; whether both ways to name its class agree is asked of a new one alone. */
export function validateIngressUpdate(ingress: Ingress, _before: Ingress, errors: Errors): void {
  validateIngress(ingress, errors);
}

const CLASS = 'kubernetes.io/ingress.class';

/** A new Ingress: both ways to name its class must agree. */
export function validateNewIngress(ingress: Ingress, errors: Errors): void {
  validateIngress(ingress, errors);
  const said = ingress.metadata.annotations?.[CLASS];
  const name = ingress.spec?.ingressClassName;
  if (said === undefined || name === undefined || said === name) return;
  errors.push(invalid(root('annotations', CLASS), said, 'must match `ingressClassName` when both are specified'));
}

/** Where an Ingress says that it listens. */
export function validateIngressStatus({status}: Ingress, _before: Ingress, errors: Errors): void {
  status?.loadBalancer?.ingress?.forEach(({ip, hostname}, i) => {
    const at = root('status', 'loadBalancer', 'ingress').index(i);
    if (ip) ipAddress(ip, at.child('ip'), errors);
    if (!hostname) return;
    sentences(checkSubdomain(hostname), {path: at.child('hostname'), value: hostname}, errors);
    if (oldIpFamily(hostname) !== undefined)
      errors.push(invalid(at.child('hostname'), hostname, 'must be a DNS name, not an IP address'));
  });
}

function hostTexts(host: string): readonly string[] {
  return host.includes('*') ? checkWildcard(host) : checkSubdomain(host);
}

function ingressRule(rule: IngressRule, path: FieldPath, errors: Errors): void {
  if (rule.host) {
    const isAddress = oldIpFamily(rule.host) !== undefined;
    if (isAddress) errors.push(invalid(path.child('host'), rule.host, 'must be a DNS name, not an IP address'));
    else sentences(hostTexts(rule.host), {path: path.child('host'), value: rule.host}, errors);
  }
  if (!rule.http) return;
  const paths = path.child('http', 'paths');
  if (rule.http.paths.length === 0) errors.push(required(paths));
  rule.http.paths.forEach((one, i) => httpPath(one, paths.index(i), errors));
}

function httpPath(one: HTTPIngressPath, path: FieldPath, errors: Errors): void {
  const type = one.pathType as string | undefined;
  const text = one.path ?? '';
  const at = path.child('path');
  if (!type) {
    errors.push(required(path.child('pathType'), 'pathType must be specified'));
    return;
  }
  if (type === 'Exact' || type === 'Prefix') {
    if (!text.startsWith('/')) errors.push(invalid(at, text, 'must be an absolute path'));
    for (const part of NEVER_IN_PATH) if (text.includes(part)) errors.push(invalid(at, text, `must not contain '${part}'`));
    for (const end of NEVER_AT_END) if (text.endsWith(end)) errors.push(invalid(at, text, `cannot end with '${end}'`));
  } else if (type === 'ImplementationSpecific') {
    if (text !== '' && !text.startsWith('/')) errors.push(invalid(at, text, 'must be an absolute path'));
  } else errors.push(notSupported(path.child('pathType'), type, ['Exact', 'ImplementationSpecific', 'Prefix']));
  backend(one.backend, path.child('backend'), errors);
}

function backend(one: IngressBackend | undefined, path: FieldPath, errors: Errors): void {
  const service = one?.service;
  if (one?.resource && service) errors.push(invalid(path, '', 'cannot set both resource and service backends'));
  else if (!service) {
    if (!one?.resource) errors.push(invalid(path, '', 'resource or service backend is required'));
    else reference(one.resource, path.child('resource'), errors);
  } else {
    const at = path.child('service');
    if (!service.name) errors.push(required(at.child('name')));
    else sentences(checkLabel1035(service.name), {path: at.child('name'), value: service.name}, errors);
    const {name, number} = service.port ?? {};
    if (name && number) errors.push(invalid(path, '', 'cannot set both port name & port number'));
    else if (name) sentences(checkPortName(name), {path: at.child('port', 'name'), value: name}, errors);
    else if (number) sentences(checkPortNumber(number), {path: at.child('port', 'number'), value: number}, errors);
    else errors.push(required(path, 'port name or number is required'));
  }
}

/** An object of some other group. */
function reference({apiGroup, kind, name}: TypedLocalObjectReference, path: FieldPath, errors: Errors): void {
  if (apiGroup !== undefined) sentences(checkSubdomain(apiGroup), {path: path.child('apiGroup'), value: apiGroup}, errors);
  for (const [field, value] of [
    ['kind', kind],
    ['name', name],
  ] as const) {
    if (!value) errors.push(required(path.child(field), `${field} is required`));
    else sentences(checkPathSegment(value), {path: path.child(field), value}, errors);
  }
}

const LONGEST_CONTROLLER = 250;

export function validateIngressClass({spec}: IngressClass, errors: Errors): void {
  const {controller = '', parameters} = spec ?? {};
  const path = root('spec');
  const at = path.child('controller');
  if (controller.length > LONGEST_CONTROLLER) errors.push(tooLong(at, LONGEST_CONTROLLER));
  domainPath(controller, at, errors);
  if (parameters) parametersOf(parameters, path.child('parameters'), errors);
}

/** What a controller is told: an object of the cluster or of a namespace. */
function parametersOf(parameters: IngressClassParametersReference, path: FieldPath, errors: Errors): void {
  const {scope, namespace} = parameters;
  const at = path.child('namespace');
  reference(parameters, path, errors);
  if (scope === undefined) {
    errors.push(required(path.child('scope')));
    return;
  }
  oneOf(scope, {path: path.child('scope'), of: ['Cluster', 'Namespace']}, errors);
  if (scope === 'Namespace') {
    if (namespace === undefined) errors.push(required(at, "`parameters.scope` is set to 'Namespace'"));
    else sentences(checkLabel(namespace), {path: at, value: namespace}, errors);
  }
  if (scope === 'Cluster' && namespace !== undefined) errors.push(forbiddenField(at, "`parameters.scope` is set to 'Cluster'"));
}

export function validateIngressClassUpdate(ingressClass: IngressClass, before: IngressClass, errors: Errors): void {
  immutable(ingressClass.spec?.controller, before.spec?.controller, {path: root('spec', 'controller'), errors});
  validateIngressClass(ingressClass, errors);
}
