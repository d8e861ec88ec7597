// What somebody applies: the fields that the configuration names, and what the schema has against it.
import {isFields} from '../../meta/fields.ts';
import {goMapText} from '../../meta/go-text.ts';
import {fieldSet, LEAF, NO_FIELDS, type FieldSet} from './field-set.ts';
import {itemsOf, keyedElement} from './items.ts';
import {fieldElement, pathText, valueElement} from './path-element.ts';
import {ANY, type LeafShape, type Shape} from './shape.ts';

/** The fields of a configuration. A struct or a list as such is not owned, only what is named in it; an item and a key of a map are. */
export function fieldsOfConfig(shape: Shape, config: unknown): FieldSet {
  if (shape.sort === 'leaf') return LEAF;
  if (shape.sort === 'struct' || shape.sort === 'map' || shape.sort === 'any') {
    if (isFields(config)) return fieldsOfMap(shape, config);
    return shape.sort === 'any' ? LEAF : NO_FIELDS;
  }
  const parts = new Map<string, FieldSet>();
  for (const {element, shape: inner, value} of itemsOf(shape, config) ?? [])
    parts.set(element, fieldSet(true, fieldsOfConfig(inner, value).parts));
  return fieldSet(false, parts);
}

function fieldsOfMap(
  shape: Extract<Shape, {sort: 'struct' | 'map' | 'any'}>,
  config: Readonly<Record<string, unknown>>,
): FieldSet {
  const parts = new Map<string, FieldSet>();
  for (const [name, value] of Object.entries(config)) {
    const field = shape.sort === 'struct' ? shape.field(name) : shape.sort === 'map' ? shape.of : ANY;
    const inner = fieldsOfConfig(field ?? ANY, value);
    const isKey = shape.sort !== 'struct' || value === null || (isFields(value) && Object.keys(value).length === 0);
    const part = isKey ? fieldSet(true, inner.parts) : inner;
    if (part !== NO_FIELDS) parts.set(fieldElement(name), part);
  }
  return fieldSet(false, parts);
}

/** What the schema has against a configuration, each with its place. */
export function configErrors(shape: Shape, config: unknown, path: readonly string[] = []): readonly string[] {
  if (config === null || config === undefined || shape.sort === 'any') return [];
  if (shape.sort === 'leaf') return leafErrors(shape, config, path);
  if (shape.sort === 'keyed' || shape.sort === 'set') {
    if (!Array.isArray(config)) return [told(path, `expected list, got ${valueText(config)}`)];
    return listErrors(shape, config, path);
  }
  if (!isFields(config)) return [told(path, `expected map, got ${valueText(config)}`)];
  return Object.entries(config).flatMap(([name, value]) => {
    const at = [...path, fieldElement(name)];
    const field = shape.sort === 'struct' ? shape.field(name) : shape.of;
    return field ? configErrors(field, value, at) : [told(at, 'field not declared in schema')];
  });
}

function listErrors(shape: Extract<Shape, {sort: 'keyed' | 'set'}>, list: readonly unknown[], path: readonly string[]): string[] {
  const errors: string[] = [];
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const [index, item] of list.entries()) {
    if (shape.sort === 'keyed') {
      const missing = shape.keys.find(key => key.otherwise === undefined && !(isFields(item) && item[key.name] !== undefined));
      if (missing) {
        errors.push(told(path, `element ${index}: ${keyProblem(missing.name)}`));
        continue;
      }
    }
    const element = shape.sort === 'keyed' ? keyedElement(shape, item) : valueElement(item);
    if (seen.has(element)) twice.add(element);
    seen.add(element);
    if (shape.sort === 'keyed') errors.push(...configErrors(shape.of, item, [...path, element]));
  }
  for (const element of twice) {
    const name = shape.sort === 'keyed' ? 'key' : 'value';
    errors.push(told(path, `duplicate entries for ${name === 'key' ? 'key ' : 'key '}${pathText([element])}`));
  }
  return errors;
}

function keyProblem(key: string): string {
  return `associative list with keys has an element that omits key field ${JSON.stringify(key)} (and doesn't have default value)`;
}

function leafErrors({takes}: LeafShape, value: unknown, path: readonly string[]): string[] {
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  if (takes === 'string') return typeof value === 'string' ? [] : [told(path, `expected string, got ${goSyntax(value)}`)];
  if (takes === 'numeric')
    return typeof value === 'number' ? [] : [told(path, `expected numeric (int or float), got ${goType(value)}`)];
  if (takes === 'boolean') return typeof value === 'boolean' ? [] : [told(path, `expected boolean, got ${valueText(value)}`)];
  if (takes === 'scalar') return isScalar ? [] : [told(path, `expected any scalar, got ${valueText(value)}`)];
  if (takes === 'list') return Array.isArray(value) ? [] : [told(path, `expected list, got ${valueText(value)}`)];
  return isFields(value) ? [] : [told(path, `expected map, got ${valueText(value)}`)];
}

function told(path: readonly string[], problem: string): string {
  const place = pathText(path);
  return place === '' ? problem : `${place}: ${problem}`;
}

/** A value as Go prints the box that it is in. */
function valueText(value: unknown): string {
  return `&{${typeof value === 'string' ? value : goMapText(value)}}`;
}

function goSyntax(value: unknown): string {
  const inner = typeof value === 'string' ? JSON.stringify(value) : goMapText(value);
  return `&value.valueUnstructured{Value:${inner}}`;
}

function goType(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}';
  return typeof value === 'string' ? 'string' : typeof value === 'boolean' ? 'bool' : 'map[string]interface {}';
}

/** Several errors as one text. */
export function errorsText(errors: readonly string[]): string {
  return errors.length === 1 ? (errors[0] ?? '') : `errors:\n${errors.map(error => `  ${error}`).join('\n')}`;
}
