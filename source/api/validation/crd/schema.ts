// The schema of a version, as a whole: what is allowed anywhere in it (here), that it is structural, that its defaults fit, and
// that its rules can be evaluated.
import type {JSONSchemaProps} from '../../kinds/apiextensions-v1.ts';
import {type FieldPath, forbiddenField, invalid, notSupported, required} from '../../meta/field-error.ts';
import {isFields} from '../../meta/fields.ts';
import {itemsOf, OBJECT_FIELDS, valuesOf} from '../../custom/structural.ts';
import type {Errors} from '../rules.ts';
import {inField, inItems, RuleCosts, ruleErrors, ruleForms, type RulesAt} from './rules.ts';
import {defaultErrors} from './schema-defaults.ts';
import {structuralErrors} from './structural.ts';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
/** With a status of its own, the status is judged by its part of the schema alone: rules at the root could not see it. */
const ROOT_FIELDS = new Set([
  'description',
  'type',
  'format',
  'title',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
  'required',
  'items',
  'properties',
  'externalDocs',
  'example',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
]);

/** The schema of a version. */
export function validateSchema(
  schema: JSONSchemaProps | undefined,
  at: {path: FieldPath; hasStatus: boolean},
  errors: Errors,
): void {
  if (!schema) return;
  const path = at.path.child('openAPIV3Schema');
  if (at.hasStatus) rootFields(schema, path, errors);
  if (schema.nullable) errors.push(forbiddenField(path.child('nullable'), 'nullable cannot be true at the root'));
  const structural = structuralErrors(schema, path);
  const whole = structural === undefined || structural.length > 0 ? structural : defaultErrors(schema, path);
  const costs = whole?.length === 0 ? new RuleCosts() : undefined;
  const found: Errors = [];
  walk(
    schema,
    {path, isRoot: true, inMeta: false, defaults: undefined, costs, rules: {path, isObject: true, times: 1, apart: undefined}},
    found,
  );
  for (const error of found) errors.push(error);
  for (const error of whole ?? []) errors.push(error);
  costs?.report(path, errors);
}

function rootFields(schema: JSONSchemaProps, path: FieldPath, errors: Errors): void {
  if (schema.type !== undefined && schema.type !== 'object') {
    errors.push(
      invalid(
        path.child('type'),
        schema.type,
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
      ),
    );
    return;
  }
  const names =
    '[Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations]';
  if (Object.keys(schema).some(name => !ROOT_FIELDS.has(name)))
    errors.push(
      invalid(path, schema, `only ${names} fields are allowed at the root of the schema if the status subresource is enabled`),
    );
}

interface At {
  readonly path: FieldPath;
  readonly isRoot: boolean;
  /** Inside of an object's own metadata, kind or apiVersion. */
  readonly inMeta: boolean;
  /** Why there may be no default here. */
  readonly defaults: string | undefined;
  /** Undefined when the schema is not sound enough for rules to be looked at. */
  readonly costs: RuleCosts | undefined;
  readonly rules: RulesAt;
}

/** Walks a schema; the rules of a place are looked at when nothing else is wrong there or deeper. */
function walk(schema: JSONSchemaProps, at: At, errors: Errors): void {
  const {path, rules} = at;
  const own: Errors = [];
  const deeper: Errors = [];
  forbidden(schema, at, own);
  if (schema.uniqueItems)
    own.push(
      forbiddenField(
        path.child('uniqueItems'),
        'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      ),
    );
  parts(schema, {...at, isRoot: false}, at.isRoot, {own, deeper});
  extensions(schema, path, own);
  lists(schema, path, own);
  ruleForms(schema, path, own);
  const sound = own.length === 0 && !deeper.some(error => !isOfRule(error.field));
  for (const error of own) errors.push(error);
  for (const error of deeper) errors.push(error);
  if (sound && at.costs) ruleErrors(schema, rules, at.costs, errors);
}

/** Errors of rules that compile badly or cost too much do not keep the rules around them from being looked at. */
function isOfRule(field: string): boolean {
  return /\.x-kubernetes-validations\[\d+\]\.(rule|messageExpression|optionalOldSelf)$/.test(field);
}

function parts(schema: JSONSchemaProps, at: At, isRoot: boolean, {own, deeper}: {own: Errors; deeper: Errors}): void {
  const {path, rules} = at;
  additional(schema, at, {own, deeper});
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const meta = (isRoot || schema['x-kubernetes-embedded-resource'] === true) && OBJECT_FIELDS.has(name);
    const defaults = meta && isRoot ? `in top-level ${name}` : at.defaults;
    const place = path.child('properties').key(name);
    walk(
      field,
      {...at, path: place, inMeta: at.inMeta || meta, defaults, rules: inField(field, schema, {...rules, path: place, of: path})},
      deeper,
    );
  }
  const logical = {...at, costs: undefined};
  if (schema.not) walk(schema.not, {...logical, path: path.child('not')}, deeper);
  for (const name of ['allOf', 'oneOf', 'anyOf'] as const)
    schema[name]?.forEach((part, i) => walk(part, {...logical, path: path.child(name).index(i)}, deeper));
  const items = itemsOf(schema);
  if (items) walk(items, {...at, path: path.child('items'), rules: inItems(schema, rules)}, deeper);
}

function forbidden(schema: JSONSchemaProps, {path, inMeta, defaults}: At, errors: Errors): void {
  const not = (name: string, words: string): void => void errors.push(forbiddenField(path.child(name), words));
  if (schema.type && !TYPES.includes(schema.type) && schema.type !== 'null')
    errors.push(notSupported(path.child('type'), schema.type, TYPES));
  if (schema.default !== undefined && defaults !== undefined) not('default', `must not be set ${defaults}`);
  if (schema.id) not('id', 'id is not supported');
  if (schema.additionalItems !== undefined) not('additionalItems', 'additionalItems is not supported');
  if (Object.keys(schema.patternProperties ?? {}).length > 0) not('patternProperties', 'patternProperties is not supported');
  if (Object.keys(schema.definitions ?? {}).length > 0) not('definitions', 'definitions is not supported');
  if (schema.dependencies !== undefined) not('dependencies', 'dependencies is not supported');
  if (schema.$ref !== undefined) not('$ref', '$ref is not supported');
  if (schema.type === 'null') not('type', 'type cannot be set to null, use nullable as an alternative');
  if (Array.isArray(schema.items)) not('items', 'items must be a schema object and not an array');
  if (inMeta && schema['x-kubernetes-embedded-resource'])
    not('x-kubernetes-embedded-resource', 'must not be used inside of resource meta');
}

/** A struct has fields, a map has values; nothing is both. */
function additional(schema: JSONSchemaProps, at: At, {own, deeper}: {own: Errors; deeper: Errors}): void {
  const values = valuesOf(schema);
  const path = at.path.child('additionalProperties');
  if (schema.additionalProperties === false) own.push(forbiddenField(path, 'additionalProperties cannot be set to false'));
  if (!isFields(values)) return;
  if (Object.keys(schema.properties ?? {}).length > 0)
    own.push(forbiddenField(path, 'additionalProperties and properties are mutual exclusive'));
  walk(
    values as JSONSchemaProps,
    {...at, path, rules: inField(values as JSONSchemaProps, schema, {...at.rules, path, of: at.path})},
    deeper,
  );
}

function extensions(schema: JSONSchemaProps, path: FieldPath, errors: Errors): void {
  const typed = (extension: string, type: string): void => {
    if (schema.type === type) return;
    const words = `must be ${type} if ${extension} is specified`;
    errors.push(schema.type ? invalid(path.child('type'), schema.type, words) : required(path.child('type'), words));
  };
  const preserve = 'x-kubernetes-preserve-unknown-fields';
  if (schema[preserve] === false) errors.push(invalid(path.child(preserve), false, 'must be true or undefined'));
  const map = schema['x-kubernetes-map-type'];
  if (map !== undefined) {
    typed('x-kubernetes-map-type', 'object');
    if (map !== 'atomic' && map !== 'granular')
      errors.push(notSupported(path.child('x-kubernetes-map-type'), map, ['atomic', 'granular']));
  }
  const list = schema['x-kubernetes-list-type'];
  if (list === undefined) return;
  typed('x-kubernetes-list-type', 'array');
  if (schema.type === 'array' && list === 'set') setItems(schema, path.child('items'), errors);
  if (!['atomic', 'set', 'map'].includes(list))
    errors.push(notSupported(path.child('x-kubernetes-list-type'), list, ['atomic', 'set', 'map']));
}

/** The items of a set are compared as a whole, so they must be of one piece. */
function setItems(schema: JSONSchemaProps, path: FieldPath, errors: Errors): void {
  const items = itemsOf(schema);
  const words = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const list = items?.['x-kubernetes-list-type'];
  const map = items?.['x-kubernetes-map-type'];
  if (items?.type === 'array' && list !== undefined && list !== 'atomic')
    errors.push(invalid(path.child('x-kubernetes-list-type'), list, words));
  if (items?.type === 'object' && map !== 'atomic') errors.push(invalid(path.child('x-kubernetes-map-type'), map ?? null, words));
}

function lists(schema: JSONSchemaProps, path: FieldPath, errors: Errors): void {
  const list = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const items = itemsOf(schema);
  const at = path.child('items');
  const keysAt = path.child('x-kubernetes-list-map-keys');
  if (keys.length > 0 && list !== 'map') {
    const words = 'must be map if x-kubernetes-list-map-keys is non-empty';
    const place = path.child('x-kubernetes-list-type');
    errors.push(list === undefined ? required(place, words) : invalid(place, list, words));
  }
  if (list === 'map') {
    if (keys.length === 0) errors.push(required(keysAt, 'must not be empty if x-kubernetes-list-type is map'));
    if (!items) errors.push(required(at, 'must have a schema if x-kubernetes-list-type is map'));
    else if (items.type !== 'object')
      errors.push(invalid(at.child('type'), items.type ?? '', "must be object if parent array's x-kubernetes-list-type is map"));
    else mapKeys(keys, {items, at, keysAt}, errors);
  }
  if (!items || (list !== 'set' && list !== 'map')) return;
  if (items.nullable)
    errors.push(forbiddenField(at.child('nullable'), `cannot be nullable when x-kubernetes-list-type is ${list}`));
  if (list === 'map') requiredKeys(keys, items, at, errors);
}

function mapKeys(keys: readonly string[], of: {items: JSONSchemaProps; at: FieldPath; keysAt: FieldPath}, errors: Errors): void {
  const {items, at, keysAt} = of;
  keys.forEach((key, i) => {
    const field = items.properties?.[key];
    if (!field) errors.push(invalid(keysAt, keys, 'entries must all be names of item properties'));
    else if (field.type === 'array' || field.type === 'object')
      errors.push(
        invalid(
          at.child('properties').key(key).child('type'),
          items.type,
          "must be a scalar type if parent array's x-kubernetes-list-type is map",
        ),
      );
    if (keys.indexOf(key) < i) errors.push(invalid(keysAt, keys, 'must not contain duplicate entries'));
  });
}

function requiredKeys(keys: readonly string[], items: JSONSchemaProps, at: FieldPath, errors: Errors): void {
  for (const key of keys) {
    const field = items.properties?.[key];
    if (!field) continue;
    const place = at.child('properties').key(key);
    if (!items.required?.includes(key) && field.default === undefined)
      errors.push(
        required(
          place.child('default'),
          'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
        ),
      );
    if (field.nullable)
      errors.push(
        forbiddenField(place.child('nullable'), 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable'),
      );
  }
}
