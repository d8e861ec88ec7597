// The pages of `kubectl explain`: a head with the kind, then one field, and the fields inside it.
import type {KindInfo} from '../../resources/kinds.ts';
import type {Node, Schemas} from './schemas.ts';
import {linesOf, wordsOf} from './words.ts';

/** More values than these of an enumeration are not shown in a list of fields. */
const MOST_VALUES = 4;
const WIDTH = 76;

/** Group, kind and version. */
export function headText({group, kind, version}: KindInfo): string {
  return `${group === '' ? '' : `GROUP:      ${group}\n`}KIND:       ${kind}\nVERSION:    ${version}\n\n`;
}

/** The field of that name inside lists and maps; undefined when there is none. */
export function stepInto(schemas: Schemas, node: Node, name: string): Node | undefined {
  const {properties} = schemas.inside(node);
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

export interface Page {
  /** Absent: the kind itself. */
  readonly name: string | undefined;
  readonly recursive: boolean;
}

/** The page of one field; of the kind itself without a name. */
export function fieldPage(schemas: Schemas, node: Node, {name, recursive}: Page): string {
  const inner = schemas.inside(node);
  const values = schemas.resolve(node).enum ?? [];
  const head = name === undefined ? '' : `FIELD: ${name} <${schemas.typeText(node)}>\n`;
  const list =
    name === undefined ? '' : values.length > 0 ? `ENUM:\n${values.map(value => `    ${String(value)}\n`).join('')}` : '\n';
  const gap = name === undefined ? '' : '\n';
  const whole = `${head}${list}${gap}DESCRIPTION:\n${described(schemas, node)}`;
  if (!inner.properties) return `${whole}\n`;
  return `${whole}FIELDS:\n${recursive ? `${tree(schemas, inner, {level: 1, above: []})}\n` : `${plainList(schemas, inner)}\n`}`;
}

function described(schemas: Schemas, node: Node): string {
  const words = wordsOf(schemas, node);
  return words.length === 0
    ? '    <empty>\n'
    : linesOf(`${words.join('\n')}\n`, WIDTH)
        .map(line => `    ${line}\n`)
        .join('');
}

function plainList(schemas: Schemas, node: Node): string {
  return entriesOf(node)
    .map(([name, field]) => `${line(schemas, node, {name, field, indent: '  '})}${briefly(field)}\n`)
    .join('');
}

function briefly({description}: Node): string {
  return description
    ? linesOf(description, WIDTH)
        .map(line => `    ${line}\n`)
        .join('')
    : '    <no description>\n';
}

/** The fields of a node by their names, in order. */
export function entriesOf({properties = {}}: Node): readonly (readonly [string, Node])[] {
  return Object.entries(properties).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

interface Line {
  readonly name: string;
  readonly field: Node;
  readonly indent: string;
}

function line(schemas: Schemas, {required = []}: Node, {name, field, indent}: Line): string {
  const values = (schemas.resolve(field).enum ?? []).map(String);
  const shown = values.length > MOST_VALUES ? `${values.slice(0, MOST_VALUES).join(', ')}, ....` : values.join(', ');
  return `${indent}${name}\t<${schemas.typeText(field)}>${required.includes(name) ? ' -required-' : ''}\n${values.length > 0 ? `${indent}enum: ${shown}\n` : ''}`;
}

/** All fields below, each deeper than the one that holds it. A type inside of itself is not opened again. */
function tree(schemas: Schemas, node: Node, {level, above}: {level: number; above: readonly Node[]}): string {
  if (above.some(one => one.properties === node.properties)) return '';
  const indent = '  '.repeat(level);
  return entriesOf(node)
    .map(
      ([name, field]) =>
        `${line(schemas, node, {name, field, indent})}${tree(schemas, schemas.inside(field), {level: level + 1, above: [...above, node]})}`,
    )
    .join('');
}
