// ConfigMaps, Secrets and ServiceAccounts.
import type {ConfigMap, Secret} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {forbiddenField, invalid, required, root, tooLong} from '../meta/field-error.ts';
import {checkConfigKey} from '../meta/names.ts';
import {sortStrings} from '../meta/go-text.ts';
import {parseJson} from '../schema/parse-json.ts';
import {sameJson} from '../schema/merge/index.ts';
import {byteLength} from './metadata.ts';
import {type Errors, immutable, sentences} from './rules.ts';

const MOST_BYTES = 1024 * 1024;
const FROZEN = 'field is immutable when `immutable` is set';
/** Go's path of nothing: the whole object. */
const WHOLE = '[]';

/** A ConfigMap: good keys, each once, not too much. */
export function validateConfigMap(map: ConfigMap, errors: Errors): void {
  let bytes = 0;
  const text = map.data ?? {};
  const binary = map.binaryData ?? {};
  for (const key of sortStrings(Object.keys(text))) {
    const path = root('data').key(key);
    sentences(checkConfigKey(key), {path, value: key}, errors);
    if (Object.hasOwn(binary, key)) errors.push(invalid(path, key, 'duplicate of key present in binaryData'));
    bytes += byteLength(text[key] ?? '');
  }
  for (const key of sortStrings(Object.keys(binary))) {
    sentences(checkConfigKey(key), {path: root('binaryData').key(key), value: key}, errors);
    bytes += bytesOfBase64(binary[key] ?? '');
  }
  if (bytes > MOST_BYTES) errors.push(tooLong(WHOLE, MOST_BYTES));
}

function bytesOfBase64(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

export function validateConfigMapUpdate(map: ConfigMap, before: ConfigMap, errors: Errors): void {
  frozen(map, before, {fields: ['data', 'binaryData'], errors});
  validateConfigMap(map, errors);
}

function frozen<T extends ConfigMap | Secret>(
  now: T,
  before: T,
  {fields, errors}: {fields: readonly (keyof T & string)[]; errors: Errors},
): void {
  if (before.immutable !== true) return;
  if (now.immutable !== true) errors.push(forbiddenField(root('immutable'), FROZEN));
  for (const field of fields) {
    if (!sameJson(now[field] ?? {}, before[field] ?? {})) errors.push(forbiddenField(root(field), FROZEN));
  }
}

/** A Secret: good keys, not too much, and what its type asks for. */
export function validateSecret(secret: Secret, errors: Errors): void {
  let bytes = 0;
  for (const key of sortStrings(Object.keys(secret.data ?? {}))) {
    sentences(checkConfigKey(key), {path: root('data').key(key), value: key}, errors);
    bytes += bytesOfBase64(secret.data?.[key] ?? '');
  }
  if (bytes > MOST_BYTES) errors.push(tooLong(root('data'), MOST_BYTES));
  const data = root('data');
  switch (secret.type) {
    case 'kubernetes.io/service-account-token':
      accountToken(secret, errors);
      break;
    case 'kubernetes.io/basic-auth':
      eitherKey(secret, ['username', 'password'], data, errors);
      break;
    case 'kubernetes.io/ssh-auth':
      if (!secret.data?.['ssh-privatekey']) errors.push(required(data.key('ssh-privatekey')));
      break;
    case 'kubernetes.io/tls':
      wantedKey(secret, 'tls.crt', errors);
      wantedKey(secret, 'tls.key', errors);
      break;
    case 'kubernetes.io/dockerconfigjson':
      dockerConfig(secret, '.dockerconfigjson', errors);
      break;
    case 'kubernetes.io/dockercfg':
      dockerConfig(secret, '.dockercfg', errors);
      break;
    default:
  }
}

function accountToken(secret: Secret, errors: Errors): void {
  const key = 'kubernetes.io/service-account.name';
  if (!secret.metadata.annotations?.[key]) errors.push(required(root('metadata', 'annotations').key(key)));
}

function wantedKey(secret: Secret, key: string, errors: Errors): void {
  if (secret.data?.[key] === undefined) errors.push(required(root('data').key(key)));
}

function eitherKey(secret: Secret, keys: readonly string[], path: FieldPath, errors: Errors): void {
  if (keys.some(key => secret.data?.[key] !== undefined)) return;
  for (const key of keys) errors.push(required(path.key(key)));
}

function dockerConfig(secret: Secret, key: string, errors: Errors): void {
  const bytes = secret.data?.[key];
  const path = root('data').key(key);
  if (bytes === undefined) errors.push(required(path));
  else {
    const parsed = parseJson(Buffer.from(bytes, 'base64').toString('utf8'));
    if ('error' in parsed) errors.push(invalid(path, '<secret contents redacted>', parsed.error));
  }
}

export function validateSecretUpdate(secret: Secret, before: Secret, errors: Errors): void {
  immutable(secret.type, before.type, {path: root('type'), errors});
  frozen(secret, before, {fields: ['data'], errors});
  validateSecret(secret, errors);
}
