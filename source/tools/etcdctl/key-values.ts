// Keys and values in all the ways that etcdctl writes them. Values of the API server are objects here, where a real etcd holds
// protobuf: they are shown as JSON.
import type {KeyValue} from '../../api/wire/etcd.ts';
import {decimal, leaseText} from './go-values.ts';
import {Raw} from './print/json.ts';

/** A value as text. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** As `get` prints it: the key, then the value. */
export function pairText({key, value}: KeyValue, {hex = false, keys = true, values = true} = {}): string {
  const shown = (text: string) => (hex ? hexText(text) : text);
  return `${keys ? `${shown(key)}\n` : ''}${values ? shown(valueText(value)) : ''}\n`;
}

/** As `-w json` has it. */
export function pairJson(kv: KeyValue): Record<string, unknown> {
  const value = valueText(kv.value);
  return {
    key: base64(kv.key),
    create_revision: kv.createRevision || undefined,
    mod_revision: kv.modRevision || undefined,
    version: kv.version || undefined,
    value: value === '' ? undefined : base64(value),
    lease: kv.lease === 0 ? undefined : new Raw(decimal(kv.lease)),
  };
}

/** As `-w fields` has it. */
export function pairFields(kv: KeyValue, prefix = ''): string {
  const {key, createRevision, modRevision, version, value, lease} = kv;
  return [
    `"${prefix}Key" : ${JSON.stringify(key)}`,
    `"${prefix}CreateRevision" : ${createRevision}`,
    `"${prefix}ModRevision" : ${modRevision}`,
    `"${prefix}Version" : ${version}`,
    `"${prefix}Value" : ${JSON.stringify(valueText(value))}`,
    `"${prefix}Lease" : ${lease === 0 ? 0 : leaseText(lease)}`,
    '',
  ].join('\n');
}

export function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

function hexText(text: string): string {
  return [...Buffer.from(text, 'utf8')].map(byte => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}
