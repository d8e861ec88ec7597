// Paths that stay where they belong.
import type {FieldPath} from '../meta/field-error.ts';
import {invalid} from '../meta/field-error.ts';
import type {Errors} from './rules.ts';

/** No `..` as a part of a path. */
export function noBackSteps(path: string, at: FieldPath, errors: Errors): void {
  if (hasBackSteps(path)) errors.push(invalid(at, path, "must not contain '..'"));
}

/** Does a path lead upwards? */
export function hasBackSteps(path: string): boolean {
  return path.split('/').includes('..');
}

/** A path that stays below where it begins. */
export function descendingPath(path: string, at: FieldPath, errors: Errors): void {
  if (path.startsWith('/')) errors.push(invalid(at, path, 'must be a relative path'));
  noBackSteps(path, at, errors);
}

/** A descending path that does not look like what a volume keeps for itself. */
export function ownPath(path: string, at: FieldPath, errors: Errors): void {
  descendingPath(path, at, errors);
  // What `..` as a part already says need not be said twice.
  if (path.startsWith('..') && !path.startsWith('../')) errors.push(invalid(at, path, "must not start with '..'"));
}
