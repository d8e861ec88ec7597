// IP addresses and ranges.
import type {FieldPath} from '../meta/field-error.ts';
import {invalid} from '../meta/field-error.ts';
import type {Errors} from './rules.ts';

const NOT_IP = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const NOT_RANGE = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

/** 4, 6, or undefined when it is no address. Leading zeros were allowed once; `lenient` still allows them. */
export function familyOf(text: string, lenient = false): 4 | 6 | undefined {
  if (text.includes(':')) return isIPv6(text) ? 6 : undefined;
  const parts = text.split('.');
  const form = lenient ? /^\d{1,3}$/ : /^(0|[1-9]\d{0,2})$/;
  return parts.length === 4 && parts.every(part => form.test(part) && Number(part) <= 255) ? 4 : undefined;
}

function isIPv6(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap(half => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1) ?? '';
  const tail = last.includes('.') ? 1 : 0;
  if (tail === 1 && familyOf(last) !== 4) return false;
  if (!groups.slice(0, groups.length - tail).every(group => /^[0-9a-fA-F]{1,4}$/.test(group))) return false;
  const count = groups.length + tail;
  return halves.length === 2 ? count < 8 : count === 8;
}

/** An address of either family. */
export function ipAddress(value: string, path: FieldPath, errors: Errors): boolean {
  if (familyOf(value, true) !== undefined) return true;
  errors.push(invalid(path, value, NOT_IP));
  return false;
}

/** A range of addresses. */
export function ipRange(value: string, path: FieldPath, errors: Errors): void {
  const [address = '', bits = ''] = value.split('/');
  const family = familyOf(address, true);
  const most = family === 4 ? 32 : 128;
  const good = value.split('/').length === 2 && family !== undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= most;
  if (!good) errors.push(invalid(path, value, NOT_RANGE));
}

/** No address that means something on every machine. */
export function ordinaryAddress(value: string, path: FieldPath, errors: Errors): void {
  if (value === '0.0.0.0' || value === '::') errors.push(invalid(path, value, `may not be unspecified (${value})`));
  if (value.startsWith('127.') || value === '::1')
    errors.push(invalid(path, value, 'may not be in the loopback range (127.0.0.0/8, ::1/128)'));
  if (value.startsWith('169.254.') || /^fe[89ab]/i.test(value)) {
    errors.push(invalid(path, value, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'));
  }
  if (/^224\.0\.0\.|^ff02/i.test(value))
    errors.push(invalid(path, value, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'));
}
