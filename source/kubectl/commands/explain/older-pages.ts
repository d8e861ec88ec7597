// The pages of `kubectl explain -o plaintext-openapiv2`.
import type {KindInfo} from '../../resources/kinds.ts';
import {entriesOf, type Page} from './pages.ts';
import type {Node, Schemas} from './schemas.ts';
import {linesOf, wordsOf} from './words.ts';

const WIDTH = 75;

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
  const words = `DESCRIPTION:\n${described(schemas, node)}`;
  if (!isObject) return `${head}${field}${words}`;
  return `${head}${field}${words}\nFIELDS:\n${olderFields(schemas, inner, {level: 1, recursive, above: []})}`;
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
      return `${head}${indented(field.description ?? '')}\n`;
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

function described(schemas: Schemas, node: Node): string {
  const words = wordsOf(schemas, node);
  return words.length === 0 ? '     <empty>\n' : words.map(indented).join('\n');
}

/** Here runs of spaces are one. */
function indented(text: string): string {
  if (text === '') return '';
  const plain = text.replaceAll(/ +/g, ' ').replaceAll(/^ | $/gm, '');
  return linesOf(plain, WIDTH)
    .map(line => (line === '' ? '\n' : `     ${line}\n`))
    .join('');
}
