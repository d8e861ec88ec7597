// Ingresses and their classes.
import type {HTTPIngressPath, Ingress, IngressBackend, IngressClass, IngressRule} from '../kinds/networking-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {invalid, notSupported, required, root} from '../meta/field-error.ts';
import {checkDomainPath, checkLabel1035, checkPortName, checkPortNumber, checkSubdomain, checkWildcard} from '../meta/names.ts';
import {familyOf} from './addresses.ts';
import {type Errors, immutable, sentences} from './rules.ts';

const NEVER_IN_PATH = ['//', '/./', '/../', '%2f', '%2F'];
const NEVER_AT_END = ['/..', '/.'];

/** An Ingress. */
export function validateIngress(ingress: Ingress, errors: Errors): void {
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

function hostTexts(host: string): readonly string[] {
  return host.includes('*') ? checkWildcard(host) : checkSubdomain(host);
}

function ingressRule(rule: IngressRule, path: FieldPath, errors: Errors): void {
  if (rule.host) {
    const isAddress = familyOf(rule.host, true) !== undefined;
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
  if (!type) errors.push(required(path.child('pathType'), 'pathType must be specified'));
  else if (type === 'Exact' || type === 'Prefix') {
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

export function validateIngressClass(ingressClass: IngressClass, errors: Errors): void {
  const controller = ingressClass.spec?.controller;
  if (!controller) return;
  const path = root('spec', 'controller');
  if (controller.length > 250) errors.push(invalid(path, controller, 'must be no more than 250 characters'));
  sentences(checkDomainPath(controller), {path, value: controller}, errors);
}

export function validateIngressClassUpdate(ingressClass: IngressClass, before: IngressClass, errors: Errors): void {
  immutable(ingressClass.spec?.controller, before.spec?.controller, {path: root('spec', 'controller'), errors});
}
