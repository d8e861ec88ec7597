// The names of a custom kind.
import type {CustomResourceDefinitionNames} from '../../kinds/apiextensions-v1.ts';
import {type FieldPath, invalid, required} from '../../meta/field-error.ts';
import {checkLabel1035} from '../../meta/names.ts';
import type {Errors} from '../rules.ts';

const MIXED = 'may have mixed case, but should otherwise match: ';

/** The names that a definition asks for; all but short names and categories must be there. */
export function names(names: CustomResourceDefinitionNames, path: FieldPath, errors: Errors, needed = true): void {
  const {plural, singular = '', kind, listKind = '', shortNames = [], categories = []} = names;
  if (needed)
    for (const [field, name] of Object.entries({plural, singular, kind, listKind}))
      if (!name) errors.push(required(path.child(field)));
  const label = (name: string, at: FieldPath): void => {
    const wrong = name === '' ? [] : checkLabel1035(name);
    if (wrong.length > 0) errors.push(invalid(at, name, wrong.join(',')));
  };
  const mixed = (name: string, at: FieldPath): void => {
    const wrong = name === '' ? [] : checkLabel1035(name.toLowerCase());
    if (wrong.length > 0) errors.push(invalid(at, name, MIXED + wrong.join(',')));
  };
  label(plural, path.child('plural'));
  label(singular, path.child('singular'));
  mixed(kind, path.child('kind'));
  mixed(listKind, path.child('listKind'));
  shortNames.forEach((name, i) => label(name, path.child('shortNames').index(i)));
  if (kind && kind === listKind) errors.push(invalid(path.child('listKind'), listKind, 'kind and listKind may not be the same'));
  categories.forEach((name, i) => label(name, path.child('categories').index(i)));
}
