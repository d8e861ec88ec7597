// What an address or a range must be, as the rules of many kinds have it.
import type {FieldPath} from '../meta/field-error.ts';
import {invalid} from '../meta/field-error.ts';
import {oldIpFamily, parseOldCidr} from '../meta/ip.ts';
import type {Errors} from './rules.ts';

const NOT_IP = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const NOT_RANGE = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

/** An address of either family. */
export function ipAddress(value: string, path: FieldPath, errors: Errors): boolean {
  if (oldIpFamily(value) !== undefined) return true;
  errors.push(invalid(path, value, NOT_IP));
  return false;
}

/** A range of addresses. */
export function ipRange(value: string, path: FieldPath, errors: Errors): void {
  if (!parseOldCidr(value)) errors.push(invalid(path, value, NOT_RANGE));
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
