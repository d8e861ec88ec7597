// What this room asks of validation (api/validation), in one place.
import {required, type FieldError} from '../../../api/meta/field-error.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import type {Served} from './served.ts';

/** What is wrong with a new object. */
export function validateNew(_served: Served, object: AnyObject): readonly FieldError[] {
  return object.metadata.name === undefined || object.metadata.name === ''
    ? [required('metadata.name', 'name or generateName is required')]
    : [];
}

/** What is wrong with a change. */
export function validateChange(
  _served: Served,
  _object: AnyObject,
  _old: AnyObject,
  _subresource: string,
): readonly FieldError[] {
  return [];
}
