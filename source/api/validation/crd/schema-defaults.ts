// The defaults of a schema must fit it: nothing unknown in them, and no error.
import type {JSONSchemaProps} from '../../kinds/apiextensions-v1.ts';
import {type FieldError, type FieldPath, invalid} from '../../meta/field-error.ts';
import {judge} from '../../custom/judge.ts';
import {prune} from '../../custom/prune.ts';
import {itemsOf} from '../../custom/structural.ts';

/** What is wrong with the defaults in a structural schema. */
export function defaultErrors(schema: JSONSchemaProps, path: FieldPath): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (schema.default !== undefined) errors.push(...oneDefault(schema, path.child('default')));
  const items = itemsOf(schema);
  if (items) errors.push(...defaultErrors(items, path.child('items')));
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    errors.push(...defaultErrors(field, path.child('properties').key(name)));
  return errors;
}

function oneDefault(schema: JSONSchemaProps, path: FieldPath): readonly FieldError[] {
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const {unknown} = prune(schema.default, schema, embedded);
  const pruned = unknown.length > 0 ? [invalid(path, schema.default, 'must not have unknown fields')] : [];
  return [...pruned, ...judge(schema.default, schema, {prefix: String(path)})];
}
