// The name of a CSI driver, wherever one is named.
import {type FieldPath, required, tooLong} from '../meta/field-error.ts';
import {checkSubdomain} from '../meta/names.ts';
import {type Errors, sentences} from './rules.ts';

const LONGEST = 63;

/** A driver's name: a short domain, in letters of either size. */
export function driverName(name: string | undefined, path: FieldPath, errors: Errors): void {
  if (!name) {
    errors.push(required(path));
    return;
  }
  if (name.length > LONGEST) errors.push(tooLong(path, LONGEST));
  sentences(checkSubdomain(name.toLowerCase()), {path, value: name}, errors);
}
