// The pages of `kubectl explain`: a head with the kind, then one field, and the fields inside it.
import type {KindInfo} from '../../resources/kinds.ts';
import type {Node, Schemas} from './schemas.ts';

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
  const whole = `${head}${list}${gap}DESCRIPTION:\n${wrapped(describing(schemas, node), 4, '<empty>')}`;
  if (!inner.properties) return `${whole}\n`;
  return `${whole}FIELDS:\n${recursive ? `${tree(schemas, inner, {level: 1, above: []})}\n` : `${plainList(schemas, inner)}\n`}`;
}

function describing(schemas: Schemas, node: Node): string {
  return node.description || schemas.resolve(node).description || schemas.inside(node).description || '';
}

/** Lines of a text, broken at spaces. */
function wrapped(text: string, indent: number, absent: string): string {
  const space = ' '.repeat(indent);
  if (text === '') return `${space}${absent}\n`;
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line !== '' && line.length + 1 + word.length > WIDTH) {
        lines.push(line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines.map(line => (line === '' ? '\n' : `${space}${line}\n`)).join('');
}

function plainList(schemas: Schemas, node: Node): string {
  return entriesOf(node)
    .map(
      ([name, field]) =>
        `${line(schemas, node, {name, field, indent: '  '})}${wrapped(describing(schemas, field), 4, '<no description>')}\n`,
    )
    .join('');
}

function entriesOf({properties = {}}: Node): readonly (readonly [string, Node])[] {
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

/** The page in the older form: types of objects have no names. */
export function olderPage(schemas: Schemas, node: Node, {name, recursive, kind}: Page & {kind: KindInfo}): string {
  const inner = schemas.inside(node);
  const version = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
  const head = `KIND:     ${kind.kind}\nVERSION:  ${version}\n\n`;
  const isObject = inner.properties !== undefined;
  const field =
    name === undefined
      ? ''
      : `${isObject ? 'RESOURCE' : 'FIELD'}:${isObject ? ' ' : '    '}${name} <${olderType(schemas, node)}>\n\n`;
  const described = `DESCRIPTION:\n${wrapped(describing(schemas, node), 5, '<empty>')}`;
  if (!isObject) return `${head}${field}${described}`;
  return `${head}${field}${described}\nFIELDS:\n${olderFields(schemas, inner, {level: 1, recursive, above: []})}`;
}

interface Older {
  readonly level: number;
  readonly recursive: boolean;
  readonly above: readonly Node[];
}

function olderFields(schemas: Schemas, node: Node, {level, recursive, above}: Older): string {
  if (above.some(one => one.properties === node.properties)) return '';
  const {required = []} = node;
  const indent = '   '.repeat(level);
  return entriesOf(node)
    .map(([name, field]) => {
      const head = `${indent}${name}\t<${olderType(schemas, field)}>${required.includes(name) && !recursive ? ' -required-' : ''}\n`;
      if (recursive)
        return `${head}${olderFields(schemas, schemas.inside(field), {level: level + 1, recursive, above: [...above, node]})}`;
      const text = describing(schemas, field);
      return `${head}${text === '' ? '' : wrapped(text, 5, '')}\n`;
    })
    .join('');
}

function olderType(schemas: Schemas, node: Node): string {
  const at = schemas.resolve(node);
  if (at.type === 'array') return `[]${at.items ? olderType(schemas, at.items) : 'Object'}`;
  if (at.type === undefined && at !== node && !at.properties) return 'string';
  if (at.type !== undefined && at.type !== 'object') return at.type;
  if (at.type === 'object' && !at.properties && at.additionalProperties === undefined) return 'map[string]';
  return typeof at.additionalProperties === 'object' && !at.properties
    ? `map[string]${olderType(schemas, at.additionalProperties)}`
    : 'Object';
}
