// Environment variables and where their values come from.
import type {
  EnvFromSource,
  EnvVar,
  EnvVarSource,
  FileKeySelector,
  ObjectFieldSelector,
  ResourceFieldSelector,
} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {invalid, notSupported, required} from '../meta/field-error.ts';
import {checkConfigKey, checkEnvName, checkLabel, checkQualifiedName, checkSubdomain} from '../meta/names.ts';
import {canonicalQuantity} from '../meta/quantity.ts';
import {noBackSteps} from './paths.ts';
import {type Errors, sentences} from './rules.ts';

const POD_FIELDS = new Set([
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.serviceAccountName',
  'spec.schedulerName',
  'status.phase',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]);
const ENV_FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
const RESOURCES = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];
const BYTE_DIVISORS = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

/** The variables of a container. */
export function envVars(list: readonly EnvVar[] | undefined, path: FieldPath, errors: Errors): void {
  list?.forEach((variable, i) => {
    const at = path.index(i);
    if (!variable.name) errors.push(required(at.child('name')));
    else sentences(checkEnvName(variable.name), {path: at.child('name'), value: variable.name}, errors);
    if (variable.valueFrom) valueFrom(variable, variable.valueFrom, {path: at.child('valueFrom'), errors});
  });
}

function valueFrom(variable: EnvVar, source: EnvVarSource, {path, errors}: {path: FieldPath; errors: Errors}): void {
  const {fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef} = source;
  if (fieldRef) fieldSelector(fieldRef, {path: path.child('fieldRef'), fields: ENV_FIELDS}, errors);
  if (resourceFieldRef) resourceSelector(resourceFieldRef, {path: path.child('resourceFieldRef'), volume: false}, errors);
  if (configMapKeyRef) keySelector(configMapKeyRef, path.child('configMapKeyRef'), errors);
  if (secretKeyRef) keySelector(secretKeyRef, path.child('secretKeyRef'), errors);
  if (fileKeyRef) fileSelector(fileKeyRef, path.child('fileKeyRef'), errors);
  const count = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter(Boolean).length;
  if (count === 0) {
    const text = 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    errors.push(invalid(path, '', text));
  } else if (variable.value) errors.push(invalid(path, '', 'may not be specified when `value` is not empty'));
  else if (count > 1) errors.push(invalid(path, '', 'may not have more than one field specified at a time'));
}

/** A variable in a file of a volume. */
function fileSelector({key, volumeName, path: file}: FileKeySelector, path: FieldPath, errors: Errors): void {
  if (!key) errors.push(required(path.child('key')));
  else sentences(checkEnvName(key), {path: path.child('key'), value: key}, errors);
  if (!volumeName) errors.push(required(path.child('volumeName')));
  else sentences(checkLabel(volumeName), {path: path.child('volumeName'), value: volumeName}, errors);
  if (!file) errors.push(required(path.child('path')));
  else noBackSteps(file, path.child('path'), errors);
}

const SUBSCRIPTED = new Set(['metadata.labels', 'metadata.annotations']);

/** A field of the pod itself. */
export function fieldSelector(
  selector: ObjectFieldSelector,
  at: {path: FieldPath; fields: readonly string[]},
  errors: Errors,
): void {
  const {path} = at;
  const field = selector.fieldPath;
  const unreadable = (why: string) => errors.push(invalid(path.child('fieldPath'), field, `error converting fieldPath: ${why}`));
  if (!selector.apiVersion) errors.push(required(path.child('apiVersion')));
  else if (!field) errors.push(required(path.child('fieldPath')));
  else if (selector.apiVersion !== 'v1') unreadable(`unsupported pod version: ${selector.apiVersion}`);
  else {
    const [, base = field, key] = /^(.*?)\['(.*)'\]$/.exec(field) ?? [];
    // The node's name had another name once.
    const known = field === 'spec.host' ? 'spec.nodeName' : field;
    if (key !== undefined && !SUBSCRIPTED.has(base)) unreadable(`field label does not support subscript: ${field}`);
    else if (key !== undefined)
      sentences(checkQualifiedName(base === 'metadata.annotations' ? key.toLowerCase() : key), {path, value: key}, errors);
    else if (!POD_FIELDS.has(known)) unreadable(`field label not supported: ${field}`);
    else if (!at.fields.includes(known)) errors.push(notSupported(path.child('fieldPath'), known, at.fields));
  }
}

/** A request or limit of a container. */
export function resourceSelector(selector: ResourceFieldSelector, at: {path: FieldPath; volume: boolean}, errors: Errors): void {
  const {path} = at;
  const {resource} = selector;
  const {whole, kind = ''} = /^(?:limits|requests)\.(?<whole>(?<kind>hugepages-|).*)$/.exec(resource)?.groups ?? {};
  if (at.volume && !selector.containerName) errors.push(required(path.child('containerName')));
  else if (!resource) errors.push(required(path.child('resource')));
  else if (!RESOURCES.includes(resource) && kind === '') errors.push(notSupported(path.child('resource'), resource, RESOURCES));
  const divisor = canonicalQuantity(selector.divisor ?? '0');
  const name = kind === '' ? DIVIDED[whole ?? ''] : 'hugepages';
  if (divisor === '0' || name === undefined) return;
  if (name === 'cpu' && divisor !== '1' && divisor !== '1m') {
    errors.push(invalid(path.child('divisor'), resource, "only divisor's values 1m and 1 are supported with the cpu resource"));
  } else if (name !== 'cpu' && !BYTE_DIVISORS.includes(divisor)) {
    const text = `only divisor's values ${BYTE_DIVISORS.join(', ')} are supported with the ${name} resource`;
    errors.push(invalid(path.child('divisor'), resource, text));
  }
}

/** What can be divided, and what it is called then. */
const DIVIDED: Readonly<Record<string, string>> = {cpu: 'cpu', memory: 'memory', 'ephemeral-storage': 'local ephemeral storage'};

function keySelector(selector: {readonly name?: string; readonly key: string}, path: FieldPath, errors: Errors): void {
  sentences(checkSubdomain(selector.name ?? ''), {path: path.child('name'), value: selector.name ?? ''}, errors);
  if (!selector.key) errors.push(required(path.child('key')));
  else sentences(checkConfigKey(selector.key), {path: path.child('key'), value: selector.key}, errors);
}

/** Whole ConfigMaps and Secrets as variables. */
export function envFrom(list: readonly EnvFromSource[] | undefined, path: FieldPath, errors: Errors): void {
  list?.forEach(({prefix, configMapRef, secretRef}, i) => {
    const at = path.index(i);
    if (prefix) sentences(checkEnvName(prefix), {path: at.child('prefix'), value: prefix}, errors);
    if (configMapRef) reference(configMapRef, at.child('configMapRef'), errors);
    if (secretRef) reference(secretRef, at.child('secretRef'), errors);
    if (!configMapRef && !secretRef) errors.push(invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
    else if (configMapRef && secretRef) errors.push(invalid(path, '', 'may not have more than one field specified at a time'));
  });
}

function reference(source: {readonly name?: string}, path: FieldPath, errors: Errors): void {
  if (!source.name) errors.push(required(path.child('name')));
  else sentences(checkSubdomain(source.name), {path: path.child('name'), value: source.name}, errors);
}
