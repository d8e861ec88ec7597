// Ranges of limits.
import type {LimitRange, LimitRangeItem} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {duplicate, forbiddenField, invalid, required, root} from '../meta/field-error.ts';
import {compareStrings} from '../meta/go-text.ts';
import {checkQualifiedName} from '../meta/names.ts';
import {canonicalQuantity, compareQuantities, parseQuantity} from '../meta/quantity.ts';
import {containerResourceName, isOvercommitted, resourceName} from './resources.ts';
import {type Errors, sentences} from './rules.ts';

/** A range of limits. */
export function validateLimitRange(range: LimitRange, errors: Errors): void {
  const types = new Set<string>();
  range.spec?.limits?.forEach((item, i) => {
    const path = root('spec', 'limits').index(i);
    limitType(item.type, path.child('type'), errors);
    if (types.has(item.type)) errors.push(duplicate(path.child('type'), item.type));
    types.add(item.type);
    limitItem(item, path, errors);
  });
}

function limitType(type: string, path: FieldPath, errors: Errors): void {
  const texts = checkQualifiedName(type);
  sentences(texts, {path, value: type}, errors);
  if (texts.length === 0 && !type.includes('/') && !['Pod', 'Container', 'PersistentVolumeClaim'].includes(type)) {
    errors.push(invalid(path, type, 'must be a standard limit type or fully qualified'));
  }
}

const LISTS = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

function limitItem(item: LimitRangeItem, path: FieldPath, errors: Errors): void {
  const {type} = item;
  const named = type === 'Pod' || type === 'Container' ? containerResourceName : resourceName;
  for (const field of LISTS) {
    const names = Object.keys(item[field] ?? {}).sort(compareStrings);
    if (field === 'maxLimitRequestRatio' && type === 'PersistentVolumeClaim') storageLimit(item, path.child('limits'), errors);
    if (type !== 'Pod' || !field.startsWith('default'))
      for (const name of names) named(name, path.child(field).key(name), errors);
    else if (names.length > 0) errors.push(forbiddenField(path.child(field), "may not be specified when `type` is 'Pod'"));
  }
  const used = LISTS.filter(field => type !== 'Pod' || !field.startsWith('default'));
  const names = new Set(used.flatMap(field => Object.keys(item[field] ?? {})));
  for (const name of [...names].sort(compareStrings)) limitsOf(item, {name, path}, errors);
}

function storageLimit({max, min}: LimitRangeItem, path: FieldPath, errors: Errors): void {
  if (max?.['storage'] === undefined && min?.['storage'] === undefined)
    errors.push(required(path, 'either minimum or maximum storage value is required, but neither was provided'));
}

/** The least, the default request, the default and the most must not pass each other. */
function limitsOf(item: LimitRangeItem, {name, path}: {name: string; path: FieldPath}, errors: Errors): void {
  const of = (field: (typeof LISTS)[number]) =>
    item[field]?.[name] === undefined ? undefined : canonicalQuantity(item[field][name]);
  const [max, min, standard, request, ratio] = LISTS.map(of);
  const compare = (a: string | undefined, b: string | undefined) =>
    a === undefined || b === undefined ? 0 : compareQuantities(a, b);
  const push = (field: string, value: string | undefined, text: string) =>
    errors.push(invalid(path.child(field).key(name), value, text));
  if (compare(min, max) > 0) push('min', min, `min value ${min} is greater than max value ${max}`);
  if (compare(min, request) > 0)
    push('defaultRequest', request, `min value ${min} is greater than default request value ${request}`);
  if (compare(request, max) > 0)
    push('defaultRequest', request, `default request value ${request} is greater than max value ${max}`);
  if (compare(request, standard) > 0)
    push('defaultRequest', request, `default request value ${request} is greater than default limit value ${standard}`);
  // The server prints the other value than the one it speaks of, in the next two.
  if (compare(min, standard) > 0) push('default', min, `min value ${min} is greater than default value ${standard}`);
  if (compare(standard, max) > 0) push('default', max, `default value ${standard} is greater than max value ${max}`);
  if (ratio !== undefined && compareQuantities(ratio, '1') < 0)
    push('maxLimitRequestRatio', ratio, `ratio ${ratio} is less than 1`);
  const most = number(max) / number(min);
  if (number(ratio) / 1e9 > most)
    push('maxLimitRequestRatio', ratio, `ratio ${ratio} is greater than max/min = ${most.toFixed(6)}`);
  if (!isOvercommitted(name) && compare(standard, request) !== 0)
    push('defaultRequest', request, `default value ${standard} must equal to defaultRequest value ${request} in ${name}`);
}

function number(quantity: string | undefined): number {
  const parsed = parseQuantity(quantity ?? '');
  return 'error' in parsed ? Number.NaN : Number(parsed.nanos);
}
