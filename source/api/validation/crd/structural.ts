// Is a schema structural? Every field has its type where it is described, and the logical parts (allOf, anyOf, oneOf, not) only
// narrow values that are described outside of them. Errors are sorted by their text.
import type {JSONSchemaProps} from '../../kinds/apiextensions-v1.ts';
import {type FieldError, fieldErrorText, type FieldPath, forbiddenField, invalid, required} from '../../meta/field-error.ts';
import {compareStrings} from '../../meta/go-text.ts';
import {compileRegex} from '../../regex/regex.ts';
import {sameJson} from '../../schema/merge/index.ts';
import {itemsOf, valuesOf} from '../../custom/structural.ts';
import type {Errors} from '../rules.ts';

type Level = 'root' | 'item' | 'field';

/** What keeps a schema from being structural; undefined when it cannot even be read as one. */
export function structuralErrors(schema: JSONSchemaProps, path: FieldPath): readonly FieldError[] | undefined {
  if (isUnreadable(schema)) return undefined;
  const errors: Errors = [];
  invariants(schema, {level: 'root', path}, errors);
  completeness(schema, schema, {schemaPath: path, path}, errors);
  return errors
    .map(error => ({error, text: fieldErrorText(error)}))
    .sort((a, b) => compareStrings(a.text, b.text))
    .map(({error}) => error);
}

/** Some words have no place in a structural schema at all. */
function isUnreadable(schema: JSONSchemaProps): boolean {
  if (
    schema.$ref !== undefined ||
    schema.id ||
    schema.patternProperties ||
    schema.definitions ||
    schema.dependencies ||
    schema.additionalItems !== undefined ||
    schema.uniqueItems ||
    Array.isArray(schema.items)
  )
    return true;
  const values = valuesOf(schema);
  const parts = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    schema.not,
    itemsOf(schema),
    values === true ? undefined : values,
  ];
  return parts.some(part => part !== undefined && isUnreadable(part));
}

interface At {
  readonly level: Level;
  readonly path: FieldPath;
}

function invariants(schema: JSONSchemaProps, {level, path}: At, errors: Errors): void {
  const items = itemsOf(schema);
  if (schema.type === 'array' && !items) errors.push(required(path.child('items'), 'must be specified'));
  if (items) invariants(items, {level: 'item', path: path.child('items')}, errors);
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    invariants(field, {level: 'field', path: path.child('properties').key(name)}, errors);
  const values = valuesOf(schema);
  if (values && level === 'root') errors.push(forbiddenField(path.child('additionalProperties'), 'must not be used at the root'));
  if (values && values !== true) invariants(values, {level: 'field', path: path.child('additionalProperties')}, errors);
  extensions(schema, path, errors);
  const numberOrText = [{type: 'integer'}, {type: 'string'}];
  const isPair = (choices: unknown): boolean => sameJson(choices ?? null, numberOrText);
  valueRules(schema, {path, skipAnyOf: isPair(schema.anyOf), skipFirst: isPair(schema.allOf?.[0]?.anyOf)}, errors);
  types(schema, {level, path}, errors);
  meta(schema, {level, path}, errors);
}

function extensions(schema: JSONSchemaProps, path: FieldPath, errors: Errors): void {
  if (!schema['x-kubernetes-int-or-string']) return;
  const words = 'must be false if x-kubernetes-int-or-string is true';
  for (const name of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const)
    if (schema[name]) errors.push(invalid(path.child(name), true, words));
}

const MISSING: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function types(schema: JSONSchemaProps, {level, path}: At, errors: Errors): void {
  const {type} = schema;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const at = path.child('type');
  if (embedded && type !== 'object') {
    const words = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(type ? invalid(at, type, words) : required(at, words));
  } else if (!type && !schema['x-kubernetes-int-or-string'] && !schema['x-kubernetes-preserve-unknown-fields'])
    errors.push(required(at, MISSING[level]));
  if (embedded && schema.additionalProperties !== undefined)
    errors.push(forbiddenField(path.child('additionalProperties'), 'must not be used if x-kubernetes-embedded-resource is set'));
  if (level === 'root' && type && type !== 'object') errors.push(invalid(at, type, 'must be object at the root'));
}

/** Every object has kind, apiVersion and metadata; a schema may narrow the name and nothing else of them. */
function meta(schema: JSONSchemaProps, {level, path}: At, errors: Errors): void {
  const {properties = {}} = schema;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const isObject = level === 'root' || embedded;
  for (const name of ['kind', 'apiVersion']) {
    const field = properties[name];
    if (isObject && field && field.type !== 'string')
      errors.push(invalid(path.child('properties').key(name).child('type'), field.type ?? '', 'must be string'));
  }
  const metadata = properties['metadata'];
  if (metadata) metadataRules(metadata, {isObject, level, path: path.child('properties').key('metadata')}, errors);
  if (embedded && !schema['x-kubernetes-preserve-unknown-fields'] && Object.keys(properties).length === 0)
    errors.push(
      required(
        path.child('properties'),
        'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      ),
    );
}

function metadataRules(metadata: JSONSchemaProps, {isObject, level, path}: At & {isObject: boolean}, errors: Errors): void {
  if (isObject && metadata.type !== 'object') errors.push(invalid(path.child('type'), metadata.type ?? '', 'must be object'));
  if (level !== 'root') return;
  const {type: _type, default: _default, properties = {}, ...rest} = metadata;
  const onlyNames = Object.keys(properties).every(name => name === 'name' || name === 'generateName');
  if (!onlyNames || Object.keys(rest).length > 0)
    errors.push(
      forbiddenField(path, 'must not specify anything other than name and generateName, but metadata is implicitly specified'),
    );
}

interface ValuesAt {
  readonly path: FieldPath;
  readonly skipAnyOf: boolean;
  readonly skipFirst: boolean;
}

function valueRules(schema: JSONSchemaProps, {path, skipAnyOf, skipFirst}: ValuesAt, errors: Errors): void {
  if (!skipAnyOf)
    schema.anyOf?.forEach((part, i) =>
      nested(part, {path: path.child('anyOf').index(i), skipAnyOf: false, skipFirst: false}, errors),
    );
  schema.allOf?.forEach((part, i) =>
    nested(part, {path: path.child('allOf').index(i), skipAnyOf: skipFirst && i === 0, skipFirst: false}, errors),
  );
  schema.oneOf?.forEach((part, i) =>
    nested(part, {path: path.child('oneOf').index(i), skipAnyOf: false, skipFirst: false}, errors),
  );
  if (schema.not) nested(schema.not, {path: path.child('not'), skipAnyOf: false, skipFirst: false}, errors);
  if (!schema.pattern) return;
  const regex = compileRegex(schema.pattern);
  if ('error' in regex)
    errors.push(invalid(path.child('pattern'), schema.pattern, `must be a valid regular expression, but isn't: ${regex.error}`));
}

/** What may not stand inside of a logical part, and how that is said. */
const NOT_NESTED: readonly (readonly [keyof JSONSchemaProps, string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['externalDocs', 'must be undefined to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

function nested(schema: JSONSchemaProps, at: ValuesAt, errors: Errors): void {
  const {path} = at;
  valueRules(schema, at, errors);
  const items = itemsOf(schema);
  if (items) nested(items, {path: path.child('items'), skipAnyOf: false, skipFirst: false}, errors);
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    nested(field, {path: path.child('properties').key(name), skipAnyOf: false, skipFirst: false}, errors);
  for (const [name, words] of NOT_NESTED) if (schema[name]) errors.push(forbiddenField(path.child(name), words));
  if (schema.properties?.['metadata'])
    errors.push(forbiddenField(path.child('properties').key('metadata'), 'must not be specified in a nested context'));
}

interface Paths {
  /** Where the structure describes the value. */
  readonly schemaPath: FieldPath;
  readonly path: FieldPath;
}

/** What a logical part speaks of must be described outside of it. */
function completeness(
  part: JSONSchemaProps,
  structure: JSONSchemaProps | undefined,
  {schemaPath, path}: Paths,
  errors: Errors,
): void {
  const inside = (each: JSONSchemaProps, at: FieldPath): void => described(each, structure, {schemaPath, path: at}, errors);
  if (part.not) inside(part.not, path.child('not'));
  for (const name of ['allOf', 'anyOf', 'oneOf'] as const)
    part[name]?.forEach((each, i) => inside(each, path.child(name).index(i)));
}

function described(part: JSONSchemaProps, structure: JSONSchemaProps | undefined, at: Paths, errors: Errors): void {
  const {schemaPath, path} = at;
  if (!structure) {
    errors.push(required(schemaPath, `because it is defined in ${String(path)}`));
    return;
  }
  completeness(part, structure, at, errors);
  const items = itemsOf(part);
  if (items) described(items, itemsOf(structure), {schemaPath: schemaPath.child('items'), path: path.child('items')}, errors);
  for (const [name, field] of Object.entries(part.properties ?? {})) {
    const place = {schemaPath: schemaPath.child('properties').key(name), path: path.child('properties').key(name)};
    const own = structure.properties?.[name];
    described(field, own, place, errors);
  }
}
