// What a version has beside its schema: subresources, printer columns, fields to select by.
import type {
  CustomResourceDefinitionVersion,
  CustomResourceColumnDefinition,
  CustomResourceSubresources,
  SelectableField,
} from '../../kinds/apiextensions-v1.ts';
import {duplicate, type FieldPath, invalid, notSupported, required, tooMany} from '../../meta/field-error.ts';
import {fieldOf, type Structural} from '../../custom/structural.ts';
import type {Errors} from '../rules.ts';

/** The parts that all versions may have in common. */
export type Parts = Pick<
  CustomResourceDefinitionVersion,
  'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields'
>;

const TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
const MOST_SELECTABLE = 8;

/** A word of a few, that must be there. */
export function enumWord(value: string | undefined, at: {path: FieldPath; of: readonly string[]}, errors: Errors): void {
  if (!value) errors.push(required(at.path));
  else if (!at.of.includes(value)) errors.push(notSupported(at.path, value, at.of));
}

/** All parts but the schema. */
export function parts(version: Parts, at: {path: FieldPath; schema: Structural | undefined}, errors: Errors): void {
  const {path, schema} = at;
  scale(version.subresources, path.child('subresources'), errors);
  version.additionalPrinterColumns?.forEach((column, i) =>
    oneColumn(column, path.child('additionalPrinterColumns').index(i), errors),
  );
  if (version.selectableFields) selectable(version.selectableFields, {path: path.child('selectableFields'), schema}, errors);
}

function simplePath(text: string, path: FieldPath, errors: Errors): boolean {
  if (text.startsWith('.')) return true;
  errors.push(invalid(path, text, text === '' ? 'must not be empty' : 'must be a simple json path starting with .'));
  return false;
}

function scale(subresources: CustomResourceSubresources | undefined, path: FieldPath, errors: Errors): void {
  if (!subresources?.scale) return;
  const {specReplicasPath, statusReplicasPath, labelSelectorPath} = subresources.scale;
  const one = (name: string, text: string, under: string): void => {
    const at = path.child('scale', name);
    if (!text) errors.push(required(at));
    else if (simplePath(text, at, errors) && !text.startsWith(`.${under}.`))
      errors.push(invalid(at, text, `should be a json path under .${under}`));
  };
  one('specReplicasPath', specReplicasPath, 'spec');
  one('statusReplicasPath', statusReplicasPath, 'status');
  if (!labelSelectorPath) return;
  const at = path.child('scale', 'labelSelectorPath');
  if (simplePath(labelSelectorPath, at, errors) && !/^\.(spec|status)\./.test(labelSelectorPath))
    errors.push(invalid(at, labelSelectorPath, 'should be a json path under either .spec or .status'));
}

function oneColumn({name, type, format, jsonPath}: CustomResourceColumnDefinition, path: FieldPath, errors: Errors): void {
  if (!name) errors.push(required(path.child('name')));
  if (!type) errors.push(required(path.child('type'), `must be one of ${TYPES.join(',')}`));
  else if (!TYPES.includes(type)) errors.push(invalid(path.child('type'), type, `must be one of ${TYPES.join(',')}`));
  if (format && !FORMATS.includes(format))
    errors.push(invalid(path.child('format'), format, `must be one of ${FORMATS.join(',')}`));
  if (!jsonPath) errors.push(required(path.child('JSONPath')));
  else simplePath(jsonPath, path.child('JSONPath'), errors);
}

function selectable(
  fields: readonly SelectableField[],
  at: {path: FieldPath; schema: Structural | undefined},
  errors: Errors,
): void {
  const {path, schema} = at;
  if (fields.length > MOST_SELECTABLE) errors.push(tooMany(path, fields.length, MOST_SELECTABLE));
  const seen = new Set<string>();
  fields.forEach(({jsonPath}, i) => {
    const place = path.index(i).child('jsonPath');
    if (!jsonPath) {
      errors.push(required(place));
      return;
    }
    const steps = jsonPath.split('.').slice(1);
    const found = steps.reduce<Structural | undefined>((inside, step) => fieldOf(inside, step), schema);
    if (!jsonPath.startsWith('.')) errors.push(invalid(place, jsonPath, `is an invalid path: must start with '.'`));
    else if (steps[0] === 'metadata') errors.push(invalid(place, jsonPath, 'must not point to fields in metadata'));
    else if (!found) errors.push(invalid(place, jsonPath, 'is an invalid path: does not refer to a valid field'));
    else if (!['string', 'boolean', 'integer'].includes(found.type ?? ''))
      errors.push(
        invalid(
          place,
          jsonPath,
          'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
        ),
      );
    else if (seen.has(jsonPath)) errors.push(duplicate(place, jsonPath));
    seen.add(jsonPath);
  });
}
