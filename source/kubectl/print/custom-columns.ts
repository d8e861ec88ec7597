// `-o custom-columns=NAME:.metadata.name,…`: a header and a path for each column.
import {fail, Failure} from '../failure.ts';
import {evaluate} from '../../api/jsonpath/evaluate.ts';
import {sprint} from '../../api/jsonpath/go-syntax.ts';
import type {ListNode} from '../../api/jsonpath/nodes.ts';
import {parsePath, relaxedPath} from '../../api/jsonpath/parse.ts';
import {escapeTerminal} from './table.ts';

/** One column. */
export interface CustomColumn {
  readonly header: string;
  readonly root: ListNode;
}

const RELAXED = "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'";

/** The columns of a specification. */
export function readColumns(text: string): readonly CustomColumn[] | Failure {
  if (text === '') return fail('custom-columns format specified but no custom columns given');
  const columns: CustomColumn[] = [];
  for (const part of text.split(',')) {
    const at = part.indexOf(':');
    if (at < 0) return fail(`unexpected custom-columns spec: ${part}, expected <header>:<json-path-expr>`);
    const column = readColumn(part.slice(0, at), part.slice(at + 1));
    if (column instanceof Failure) return column;
    columns.push(column);
  }
  return columns;
}

/** The columns of a file: a line of headers, and a line of paths. */
export function readColumnFile(text: string): readonly CustomColumn[] | Failure {
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  const missing = text === '' ? 'header' : lines.length < 2 ? 'spec' : undefined;
  if (missing !== undefined)
    return fail(
      `invalid template, missing ${missing} line. Expected format is one line of space separated headers, one line of space separated column specs.`,
    );
  const [headers = [], paths = []] = lines.map(line => line.split(/\s+/).filter(word => word !== ''));
  if (headers.length !== paths.length)
    return fail(`number of headers (${headers.length}) and field specifications (${paths.length}) don't match`);
  const columns: CustomColumn[] = [];
  for (const [index, header] of headers.entries()) {
    const column = readColumn(header, paths[index] ?? '');
    if (column instanceof Failure) return column;
    columns.push(column);
  }
  return columns;
}

function readColumn(header: string, path: string): CustomColumn | Failure {
  // A column without a path has nothing to show.
  const template = path === '' ? '' : relaxedPath(path);
  if (template === undefined) return fail(RELAXED);
  const parsed = parsePath(template);
  return 'error' in parsed ? fail(parsed.error) : {header, root: parsed.root};
}

/** The line of an object: its cells parted by tabs. */
export function columnsLine(columns: readonly CustomColumn[], object: unknown): string | Failure {
  const cells: string[] = [];
  for (const {root} of columns) {
    const found = evaluate(root, object);
    if ('error' in found) return fail(found.error);
    const values = found.results.flat();
    cells.push(values.length === 0 ? '<none>' : values.map(value => escapeTerminal(sprint(value))).join(','));
  }
  return `${cells.join('\t')}\n`;
}
