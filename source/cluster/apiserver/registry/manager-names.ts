// The names of managers of fields: those that a request gives, and those in a list of owners that a client sends.
import type {ManagedFieldsEntry} from '../../../api/kinds/meta.ts';
import {FieldPath, invalid, tooLong, type FieldError} from '../../../api/meta/field-error.ts';

const MOST_NAME = 128;
const MOST_SUBRESOURCE = 256;
/** What Go counts as printable. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** What is wrong with the name of a manager. */
export function managerErrors(name: string, path: FieldPath | string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(name, 'utf8') > MOST_NAME) errors.push(tooLong(path, MOST_NAME));
  let at = 0;
  for (const character of name) {
    if (!PRINTABLE.test(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      errors.push(invalid(path, name, `invalid character U+${code} (at position ${at})`));
    }
    at += Buffer.byteLength(character, 'utf8');
  }
  return errors;
}

/** What is wrong with owners that a client tells of, where they can be read at all. */
export function ownerErrors(entries: readonly ManagedFieldsEntry[]): readonly FieldError[] {
  const list = new FieldPath('metadata').child('managedFields');
  return entries.flatMap(({manager = '', subresource = ''}, index) => {
    const path = list.index(index);
    const errors = managerErrors(manager, path.child('manager'));
    if (Buffer.byteLength(subresource, 'utf8') <= MOST_SUBRESOURCE) return errors;
    return [...errors, tooLong(path.child('subresource'), MOST_SUBRESOURCE)];
  });
}
