// The pages of `kubectl explain`: a head with the kind, then one field, and the fields inside it.
import {resolve, type Schema} from '../../../api/schema/index.ts';
import type {KindInfo} from '../../resources/kinds.ts';

/** More values than these of an enumeration are not shown in a list of fields. */
const MOST_VALUES = 4;

/** Group, kind and version. */
export function headText({group, kind, version}: KindInfo): string {
  return `${group === '' ? '' : `GROUP:      ${group}\n`}KIND:       ${kind}\nVERSION:    ${version}\n\n`;
}

/** The field of that name inside lists and maps; undefined when there is none. */
export function stepInto(schema: Schema, name: string): Schema | undefined {
  const {properties} = inside(schema);
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** The schema of what lists and maps hold. */
function inside(schema: Schema): Schema {
  let at = resolve(schema);
  for (;;) {
    const next = at.type === 'array' ? at.items : at.values;
    if (!next) return at;
    at = resolve(next);
  }
}

/** The page of one field; of the kind itself without a name. */
export function fieldPage(schema: Schema, {name, recursive}: {name: string | undefined; recursive: boolean}): string {
  const {properties} = inside(schema);
  const values = schema.enum ?? [];
  const head = name === undefined ? '' : `FIELD: ${name} <${typeText(schema)}>\n`;
  const list =
    name !== undefined && values.length > 0
      ? `ENUM:\n${values.map(value => `    ${value}\n`).join('')}`
      : name === undefined
        ? ''
        : '\n';
  const gap = name === undefined ? '' : '\n';
  const fields = properties ? `FIELDS:\n${recursive ? tree(inside(schema), 1, []) : plainList(inside(schema))}` : '\n';
  return `${head}${list}${gap}DESCRIPTION:\n${described(schema, '    ') || '    <empty>\n'}${fields}\n${recursive ? '' : '\n'}`;
}

function plainList(schema: Schema): string {
  return entriesOf(schema)
    .map(([name, field]) => `${line(schema, name, {field, indent: '  '})}${prose(field)}\n`)
    .join('');
}

function entriesOf({properties = {}}: Schema): readonly (readonly [string, Schema])[] {
  return Object.entries(properties).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function line({required = []}: Schema, name: string, {field, indent}: {field: Schema; indent: string}): string {
  const values = field.enum ?? [];
  const shown = values.length > MOST_VALUES ? `${values.slice(0, MOST_VALUES).join(', ')}, ....` : values.join(', ');
  return `${indent}${name}\t<${typeText(field)}>${required.includes(name) ? ' -required-' : ''}\n${values.length > 0 ? `${indent}enum: ${shown}\n` : ''}`;
}

/** All fields below, each deeper than the one that holds it. A type inside of itself is not opened again. */
function tree(schema: Schema, level: number, above: readonly Schema[]): string {
  if (above.includes(schema)) return '';
  const indent = '  '.repeat(level);
  return entriesOf(schema)
    .map(([name, field]) => `${line(schema, name, {field, indent})}${tree(inside(field), level + 1, [...above, schema])}`)
    .join('');
}

/** `string`, `[]Container`, `map[string]Quantity`. */
function typeText(schema: Schema): string {
  if (schema.ref !== undefined) return schema.ref.split('.').at(-1) ?? '';
  if (schema.type === 'array') return `[]${schema.items ? typeText(schema.items) : 'Object'}`;
  if (schema.values) return `map[string]${typeText(schema.values)}`;
  return schema.type === undefined || schema.type === 'object' ? 'Object' : schema.type;
}

const WIDTH = 76;

/** The text of a field, in lines. */
function described({description = ''}: Schema, indent: string): string {
  return description
    .split('\n')
    .flatMap(paragraph => wrapped(paragraph))
    .map(text => (text === '' ? '' : `${indent}${text}\n`))
    .join('');
}

function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Kinds that were defined tell of each field what it is, or that nothing was said. */
function prose(field: Schema): string {
  if (field.description === undefined) return '';
  return described(field, '    ') || '    <no description>\n';
}
