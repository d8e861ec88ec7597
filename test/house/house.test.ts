// The rules of the house, as far as a program can see them. Each failure is one sentence that says what to do.
import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join, relative, resolve} from 'node:path';
import {parseAst} from 'rolldown/parseAst';
import {expect, test} from 'vitest';
import {BANS, mayImport, roomOf, wallOf} from './walls.ts';

const root = resolve(import.meta.dirname, '../../source');
const FILE_LINES = 400;
const FUNCTION_LINES = 70;
/** Fewer files than this mean that the test went blind. */
const FEWEST_FILES = 100;

interface AstNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly ast: AstNode;
}

const files: readonly SourceFile[] = readdirSync(root, {recursive: true, encoding: 'utf8'})
  .filter(path => /\.tsx?$/.test(path) && !path.startsWith('api/kinds/'))
  .map(path => {
    const text = readFileSync(join(root, path), 'utf8');
    return {path, text, ast: parseAst(text, {lang: path.endsWith('x') ? 'tsx' : 'ts'}, path) as unknown as AstNode};
  });
const product = files.filter(file => !isTest(file.path));

function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || path.split('/').includes('testing');
}

test('the house is seen whole', () => {
  expect(product.length).toBeGreaterThan(FEWEST_FILES);
});

test('imports go down the list, never up, never sideways', () => {
  const broken = files.flatMap(file =>
    importsOf(file).flatMap(target => {
      const from = roomOf(file.path);
      const to = roomOf(target);
      if (mayImport(from, to)) return [];
      return [`${file.path} imports ${target}. ${wallOf(from)?.because ?? `${from} is no room of the house.`}`];
    }),
  );
  expect(broken).toEqual([]);
});

test('no file imports itself in a circle', () => {
  const graph = new Map(product.map(file => [file.path, importsOf(file, true)]));
  const done = new Set<string>();
  const circles: string[] = [];
  const walk = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(' > '));
    if (done.has(path) || way.includes(path)) return;
    for (const next of graph.get(path) ?? []) walk(next, [...way, path]);
    done.add(path);
  };
  for (const path of graph.keys()) walk(path, []);
  expect(circles).toEqual([]);
});

test('files and functions are small', () => {
  const large = product.flatMap(file => {
    const lines = file.text.split('\n').length - 1;
    const problems =
      lines > FILE_LINES ? [`${file.path} has ${lines} lines: at most ${FILE_LINES}, split it by what it knows`] : [];
    visit(file.ast, node => {
      if (!/Function/.test(node.type) || node.type.startsWith('TS') || node['body'] === null) return;
      const length = file.text.slice(node.start, node.end).split('\n').length;
      const line = file.text.slice(0, node.start).split('\n').length;
      if (length > FUNCTION_LINES)
        problems.push(`${file.path}:${line} is a function of ${length} lines: at most ${FUNCTION_LINES}`);
    });
    return problems;
  });
  expect(large).toEqual([]);
});

test('below game nobody names the host', () => {
  const below = product.filter(file => /^(sim|api|client|cluster|tools|kubectl|shell|world)\//.test(file.path));
  const named = below.flatMap(file =>
    withoutComments(file)
      .split('\n')
      .flatMap((line, index) =>
        BANS.filter(ban => ban.pattern.test(line) && !ban.except?.some(room => room.test(file.path))).map(
          ban => `${file.path}:${index + 1} ${line.trim()} -- use ${ban.use}`,
        ),
      ),
  );
  expect(named).toEqual([]);
});

test('components wait in tasks, not in promises', () => {
  const promising = product
    .filter(file => /^(sim|api|client|cluster)\//.test(file.path) && !/^sim\/process\/|^cluster\/runtime\//.test(file.path))
    .filter(file => /\basync\b|\bawait\b|\bnew Promise\b/.test(withoutComments(file)))
    .map(file => `${file.path} waits for a promise: use a task (sim/task.ts)`);
  expect(promising).toEqual([]);
});

test('names say what a thing is', () => {
  const vague = product.flatMap(file => {
    const parts = file.path.replace(/\.tsx?$/, '').split('/');
    const name = parts.at(-1) ?? '';
    const folder = parts.at(-2) ?? '';
    const problems: string[] = [];
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) problems.push(`${file.path}: file names are kebab-case`);
    if (/^(utils?|helpers?|manager|common|misc)$/.test(name) || /^(utils?|helpers?|common|misc)$/.test(folder))
      problems.push(`${file.path}: name it after what it does`);
    if (folder !== '' && name.startsWith(`${folder}-`)) problems.push(`${file.path} repeats its folder's name`);
    return problems;
  });
  expect(vague).toEqual([]);
});

test('exports are named', () => {
  expect(product.filter(file => /^export default/m.test(file.text)).map(file => `${file.path}: no default exports`)).toEqual([]);
});

// `any` is the lint's to find: it knows a type from the text of a message.
test('no type is waved through', () => {
  const waved = product.flatMap(file =>
    /@ts-ignore|@ts-expect-error|@ts-nocheck/.test(withoutComments(file)) ? [`${file.path}: say the type`] : [],
  );
  expect(waved).toEqual([]);
});

function importsOf(file: SourceFile, valuesOnly = false): string[] {
  const found: string[] = [];
  visit(file.ast, node => {
    const source = node['source'] as {value?: unknown} | undefined | null;
    if (typeof source?.value !== 'string' || !source.value.startsWith('.')) return;
    if (valuesOnly && (node['importKind'] === 'type' || node['exportKind'] === 'type' || allTypes(node))) return;
    found.push(relative(root, resolve(root, dirname(file.path), source.value)));
  });
  return found.filter(path => !path.endsWith('.json') && !path.startsWith('..'));
}

function allTypes(node: AstNode): boolean {
  const specifiers = node['specifiers'] as readonly {importKind?: string}[] | undefined;
  return specifiers !== undefined && specifiers.length > 0 && specifiers.every(each => each.importKind === 'type');
}

function visit(node: unknown, see: (node: AstNode) => void): void {
  if (Array.isArray(node)) for (const each of node) visit(each, see);
  else if (typeof node === 'object' && node !== null) {
    if (typeof (node as AstNode).type === 'string') see(node as AstNode);
    for (const value of Object.values(node)) if (typeof value === 'object') visit(value, see);
  }
}

/** The text with comments and strings' insides left alone, but comments blanked line by line. */
function withoutComments(file: SourceFile): string {
  return file.text
    .replaceAll(/\/\*[\s\S]*?\*\//g, comment => comment.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/(?<=^|\s)\/\/.*$/gm, '');
}
