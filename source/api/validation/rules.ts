// Rules that many kinds share. A rule adds what is wrong to a list; nothing is added when all is well. The order in which
// rules are asked is the order in which the server lists the errors.
import type {FieldError, FieldPath} from '../meta/field-error.ts';
import {invalid, notSupported, required} from '../meta/field-error.ts';
import type {LabelSelector} from '../kinds/meta.ts';
import {forbiddenField} from '../meta/field-error.ts';
import {sortStrings} from '../meta/go-text.ts';
import {
  checkLabelValue,
  checkPortName,
  checkPortNumber,
  checkQualifiedName,
  checkSubdomain,
  checkUrlPath,
} from '../meta/names.ts';
import {sameJson} from '../schema/merge/index.ts';

/** Where a rule puts what it finds. */
export type Errors = FieldError[];

export const NOT_NEGATIVE = 'must be greater than or equal to 0';
const IMMUTABLE = 'field is immutable';

/** One error for each sentence about a value. */
export function sentences(texts: readonly string[], at: {path: FieldPath; value: unknown}, errors: Errors): void {
  for (const text of texts) errors.push(invalid(at.path, at.value, text));
}

/** Not below 0. */
export function notNegative(value: number | undefined, path: FieldPath, errors: Errors): void {
  if (value !== undefined && value < 0) errors.push(invalid(path, value, NOT_NEGATIVE));
}

/** One of a few words; the list is printed as it is given. */
export function oneOf(value: string | undefined, at: {path: FieldPath; of: readonly string[]}, errors: Errors): void {
  if (!at.of.includes(value ?? '')) errors.push(notSupported(at.path, value ?? '', at.of));
}

/** Something must stand there, and be one of a few words. */
export function requiredOneOf(value: string | undefined, at: {path: FieldPath; of: readonly string[]}, errors: Errors): void {
  if (value === undefined || value === '') errors.push(required(at.path));
  else oneOf(value, at, errors);
}

/** The same as before. */
export function immutable(value: unknown, before: unknown, at: {path: FieldPath; errors: Errors; printed?: unknown}): void {
  if (!sameJson(value ?? null, before ?? null)) at.errors.push(invalid(at.path, at.printed ?? value, IMMUTABLE));
}

/** Labels of an object or of a plain selector. */
export function labels(map: Readonly<Record<string, string>> | undefined, path: FieldPath, errors: Errors): void {
  if (!map) return;
  for (const key of sortStrings(Object.keys(map))) {
    const value = map[key] ?? '';
    sentences(checkQualifiedName(key), {path, value: key}, errors);
    sentences(checkLabelValue(value), {path, value}, errors);
  }
}

/** The key of a label. */
export function labelKey(key: string, path: FieldPath, errors: Errors): void {
  sentences(checkQualifiedName(key), {path, value: key}, errors);
}

/** A LabelSelector. */
export function labelSelector(selector: LabelSelector | undefined, path: FieldPath, errors: Errors): void {
  if (!selector) return;
  labels(selector.matchLabels, path.child('matchLabels'), errors);
  selector.matchExpressions?.forEach(({key, operator, values}, i) => {
    const at = path.child('matchExpressions').index(i);
    const given = (values?.length ?? 0) > 0;
    if (operator === 'In' || operator === 'NotIn') {
      if (!given) errors.push(required(at.child('values'), "must be specified when `operator` is 'In' or 'NotIn'"));
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (given)
        errors.push(forbiddenField(at.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
    } else errors.push(invalid(at.child('operator'), operator, 'not a valid selector operator'));
    labelKey(key, at.child('key'), errors);
    values?.forEach((value, n) => sentences(checkLabelValue(value), {path: at.child('values').index(n), value}, errors));
  });
}

/** A domain, a slash and a path: what is wrong is said of the part that is wrong. */
export function domainPath(value: string, path: FieldPath, errors: Errors): void {
  const at = value.indexOf('/');
  const [domain, rest] = [value.slice(0, Math.max(at, 0)), value.slice(at + 1)];
  if (value === '') errors.push(required(path));
  else if (domain === '' || rest === '')
    errors.push(invalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")'));
  else {
    sentences(checkSubdomain(domain), {path, value: domain}, errors);
    sentences(checkUrlPath(rest), {path, value: rest}, errors);
  }
}

/** A port, by number or by name. */
export function portNumberOrName(port: number | string | undefined, path: FieldPath, errors: Errors): void {
  const value = port ?? 0;
  sentences(typeof value === 'number' ? checkPortNumber(value) : checkPortName(value), {path, value}, errors);
}

const PERCENT = /^[0-9]+%$/;
const PERCENT_TEXT =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** A count that is not negative, or a percentage. */
export function countOrPercent(value: number | string | undefined, path: FieldPath, errors: Errors): void {
  if (typeof value === 'number') notNegative(value, path, errors);
  else if (value !== undefined && !PERCENT.test(value)) errors.push(invalid(path, value, PERCENT_TEXT));
}

/** A percentage of not more than all. */
export function notAbove100(value: number | string | undefined, path: FieldPath, errors: Errors): void {
  if (typeof value === 'string' && PERCENT.test(value) && Number.parseInt(value, 10) > 100) {
    errors.push(invalid(path, value, 'must not be greater than 100%'));
  }
}

/** The number in a count or percentage; 0 for what is neither. */
export function countIn(value: number | string | undefined): number {
  if (typeof value === 'number') return value;
  return /^[+-]?\d+%?$/.test(value ?? '') ? Number.parseInt(value ?? '0', 10) : 0;
}

/** JSON with its keys in an order, as Go prints a struct. */
export function inOrder(value: object, keys: readonly string[]): object {
  const record = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(keys.filter(key => record[key] !== undefined).map(key => [key, record[key]]));
}
