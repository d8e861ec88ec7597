// Reads manifests as kubectl does: documents between `---`, JSON where a document begins with a brace, else YAML 1.1
// (`on` is true, `0644` is 420, dates are text). Keys come out sorted, as Go's maps do; a key that stands twice counts the
// last time, unless the reader asks for an error.
//
// Bad input gives an error value with its place, and never harms: the size, the depth and the use of aliases are bounded,
// and keys such as `__proto__` are plain keys.
import {LineCounter, visit, type Document, type YAMLParseError} from 'yaml';
import {compareStrings, goQuote} from '../meta/go-text.ts';
import {readJsonAt} from '../schema/parse-json.ts';
import {goYamlError} from './go-error.ts';
import {parseInSteps, type ParseOptions} from './parse-steps.ts';
import {quickYaml} from './quick.ts';
import {goScalars, goTags, plainScalars, plainTags} from './tags.ts';

/** One document, with the line (from 1) where it begins. */
export interface YamlDocument {
  readonly value: unknown;
  readonly line: number;
  /** As it stands there, where it is JSON. */
  readonly json?: string;
}

/** What is wrong, in kubectl's words and in words for people, and where. */
export interface YamlError {
  /** As kubectl says it after `error parsing FILE: `. */
  readonly message: string;
  /** One sentence for people. */
  readonly sentence: string;
  /** From 1, in the whole text. */
  readonly line: number;
  readonly column: number;
  /** The line and a caret under the place. */
  readonly excerpt: string;
}

/** The documents before the first error, and that error. */
export interface YamlRead {
  readonly documents: readonly YamlDocument[];
  readonly error?: YamlError;
}

export interface ReadOptions {
  /** Are keys that stand twice an error? kubectl takes the last. */
  readonly uniqueKeys?: boolean;
  /** Are only `true` and `false` truth values, and `yes`, `on` and `n` text? So kustomize reads. */
  readonly plainWords?: boolean;
  /** Is nothing wanted but the first document? */
  readonly first?: boolean;
}

const MOST_BYTES = 10 * 1024 * 1024;
const DEEPEST = 500;

/** Reads all documents of a text; empty ones are left out. */
export function readYaml(text: string, options: ReadOptions = {}): YamlRead {
  const steps = yamlSteps(text, options);
  for (;;) {
    const {done, value} = steps.next();
    if (done) return value;
  }
}

/** The same with stops: of a long text, others may have their turn between them. */
export function* yamlSteps(text: string, options: ReadOptions = {}): Generator<void, YamlRead> {
  if (text.length > MOST_BYTES) return {documents: [], error: plainError('the text is larger than 10 MB', 1)};
  const documents: YamlDocument[] = [];
  for (const chunk of splitDocuments(text, options.first)) {
    const read: ChunkRead = chunk.error ? {error: chunk.error} : yield* readChunk(chunk, options);
    if ('error' in read) return {documents, error: read.error};
    for (const [i, value] of read.values.entries()) {
      const json = read.texts?.[i];
      if (value !== null && value !== undefined) documents.push({value, line: chunk.line, ...(json === undefined ? {} : {json})});
    }
    if (options.first && documents.length > 0) break;
    yield;
  }
  return {documents};
}

interface Chunk {
  readonly text: string;
  readonly line: number;
  /** The line that should divide documents, and does not. */
  readonly error?: YamlError;
}

type ChunkRead = {readonly values: readonly unknown[]; readonly texts?: readonly string[]} | {readonly error: YamlError};

/** A line that begins with three dashes ends a document; only a comment may follow them. */
function splitDocuments(text: string, onlyFirst = false): Chunk[] {
  const chunks: Chunk[] = [];
  let lines: string[] = [];
  let start = 1;
  const all = text.replace(/^\ufeff/, '').split('\n');
  for (const [i, line] of all.entries()) {
    if (!line.startsWith('---')) {
      lines.push(line);
      continue;
    }
    const rest = line.slice(3).trim();
    if (rest !== '' && !rest.startsWith('#')) {
      chunks.push({text: line, line: i + 1, error: plainError(`invalid Yaml document separator: ${rest}`, i + 1, line)});
      return chunks;
    }
    chunks.push({text: `${lines.join('\n')}\n`, line: start});
    if (onlyFirst && lines.some(each => /^\s*[^\s#]/.test(each))) return chunks.filter(chunk => chunk.text.trim() !== '');
    lines = [];
    start = i + 2;
  }
  chunks.push({text: lines.join('\n'), line: start});
  return chunks.filter(chunk => chunk.error || chunk.text.trim() !== '');
}

function* readChunk(chunk: Chunk, options: ReadOptions): Generator<void, ChunkRead> {
  if (!/^\s*\{/.test(chunk.text)) return yield* readYamlChunk(chunk, options);
  const json = readJsonChunk(chunk);
  if ('values' in json) return json;
  // With a comma too many JSON may still be good YAML.
  const yaml = yield* readYamlChunk(chunk, options);
  return 'values' in yaml ? yaml : json;
}

function readJsonChunk(chunk: Chunk): ChunkRead {
  const values: unknown[] = [];
  const texts: string[] = [];
  let at = 0;
  while (chunk.text.slice(at).trim() !== '') {
    const read = readJsonAt(chunk.text, at);
    if ('error' in read) return {error: jsonError(chunk, read)};
    values.push(sortKeys(read.value));
    texts.push(chunk.text.slice(at, read.end).trim());
    at = read.end;
  }
  return {values, texts};
}

function jsonError(chunk: Chunk, {error, offset}: {error: string; offset: number}): YamlError {
  const ended = error === 'unexpected end of JSON input';
  const message = ended ? 'unexpected EOF' : `json: offset ${offset}: ${error}`;
  const before = chunk.text.slice(0, Math.max(offset - 1, 0)).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  return makeError({message, sentence: `This is no JSON: ${error}`, chunk, line: before.length, column});
}

/** As plain YAML, where it is; by the whole parser else. */
function* readYamlChunk(chunk: Chunk, options: ReadOptions): Generator<void, ChunkRead> {
  const quick = yield* quickYaml(chunk.text, options.plainWords ? plainScalars() : goScalars());
  return quick ? {values: [quick.value]} : yield* readWholeYaml(chunk, options);
}

function* readWholeYaml(chunk: Chunk, options: ReadOptions): Generator<void, ChunkRead> {
  const deep = tooDeep(chunk);
  if (deep) return {error: deep};
  const lineCounter = new LineCounter();
  const document = yield* parseSafely(chunk, {
    version: '1.1',
    uniqueKeys: options.uniqueKeys === true,
    lineCounter,
    logLevel: 'silent',
    customTags: options.plainWords === true ? plainTags : goTags,
  });
  if (!document) return {error: depthError(chunk, 1)};
  const [error] = document.errors;
  if (error) return {error: syntaxError(chunk, error)};
  if (/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(chunk.text)) {
    return {error: converted(chunk, 'yaml: control characters are not allowed', 'Control characters are not allowed')};
  }
  return toValue(document, chunk);
}

/** Undefined when the nesting is deeper than the parser's own recursion can go. */
function* parseSafely(chunk: Chunk, options: ParseOptions): Generator<void, Document.Parsed | undefined> {
  try {
    return yield* parseInSteps(chunk.text, options);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** What no parser should have to walk: brackets and indentation beyond all sense. Brackets in texts count too, so the bound is wide. */
function tooDeep(chunk: Chunk): YamlError | undefined {
  let depth = 0;
  for (const [i, line] of chunk.text.split('\n').entries()) {
    const indent = /^[ -]*/.exec(line)?.[0].length ?? 0;
    for (const letter of line) {
      if (letter === '[' || letter === '{') depth++;
      else if ((letter === ']' || letter === '}') && depth > 0) depth--;
    }
    if (depth > MOST_BRACKETS || indent > 2 * DEEPEST) return depthError(chunk, i + 1);
  }
  return undefined;
}

function depthError(chunk: Chunk, line: number): YamlError {
  return makeError({message: DEPTH_MESSAGE, sentence: DEPTH_SENTENCE, chunk, line, column: 1});
}

const MOST_BRACKETS = 20_000;
const DEPTH_MESSAGE = `error converting YAML to JSON: yaml: exceeded max depth of ${DEEPEST}`;
const DEPTH_SENTENCE = `This is nested more than ${DEEPEST} levels deep`;

function syntaxError(chunk: Chunk, error: YAMLParseError): YamlError {
  const line = error.linePos?.[0].line ?? 1;
  const column = error.linePos?.[0].col ?? 1;
  const sentence = (error.message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
  return makeError({
    message: `error converting YAML to JSON: ${goYamlError(error, chunk.text, line)}`,
    sentence,
    chunk,
    line,
    column,
  });
}

class Refused extends Error {}

function toValue(document: Document.Parsed, chunk: Chunk): ChunkRead {
  const missing = chunk.text.includes('*') ? missingAnchor(document) : undefined;
  if (missing !== undefined)
    return {error: converted(chunk, `yaml: unknown anchor '${missing}' referenced`, `No anchor is named ${missing}`)};
  try {
    return {values: [convert(document.toJS({mapAsMap: true, maxAliasCount: 100}), {depth: 0, known: new Map()})]};
  } catch (error) {
    if (error instanceof Refused) return {error: converted(chunk, error.message, error.message)};
    if (error instanceof Error && error.message.startsWith('Merge sources'))
      return {error: converted(chunk, BAD_MERGE, error.message)};
    // The library throws this when aliases would unfold too often, and nothing else.
    if (error instanceof ReferenceError) return {error: converted(chunk, EXCESSIVE, 'Aliases unfold too often')};
    throw error;
  }
}

const BAD_MERGE = 'yaml: map merge requires map or sequence of maps as the value';
const EXCESSIVE = 'yaml: document contains excessive aliasing';

function missingAnchor(document: Document.Parsed): string | undefined {
  const anchors = new Set<string>();
  let missing: string | undefined;
  visit(document, {
    Node: (_, node) => {
      if ('anchor' in node && typeof node.anchor === 'string') anchors.add(node.anchor);
    },
    Alias: (_, alias) => {
      if (!anchors.has(alias.source)) missing ??= alias.source;
    },
  });
  return missing;
}

interface Conversion {
  readonly depth: number;
  /** What anchors share stays shared. */
  readonly known: Map<object, unknown>;
}

/** From the parser's values to JSON's: text for keys, sorted. */
function convert(value: unknown, {depth, known}: Conversion): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Refused(`json: unsupported value: ${goInfinity(value)}`);
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (depth > DEEPEST) throw new Refused(DEPTH_MESSAGE);
  const before = known.get(value);
  if (before !== undefined) return before;
  const inside = {depth: depth + 1, known};
  const out = value instanceof Map ? convertMap(value as Map<unknown, unknown>, inside) : convertOther(value, inside);
  known.set(value, out);
  return out;
}

function convertOther(value: object, inside: Conversion): unknown {
  if (Array.isArray(value)) return value.map(item => convert(item, inside));
  if (value instanceof Set) return convertMap(new Map([...value].map(key => [key, null])), inside);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return sortKeys(value);
}

function convertMap(map: ReadonlyMap<unknown, unknown>, inside: Conversion): unknown {
  const entries = new Map<string, unknown>();
  for (const [key, part] of map) entries.set(keyText(key, part), convert(part, inside));
  return Object.fromEntries([...entries].sort(([a], [b]) => compareStrings(a, b)));
}

function keyText(key: unknown, part: unknown): string {
  if (typeof key === 'string') return key;
  if (typeof key === 'number' || typeof key === 'boolean' || typeof key === 'bigint') return String(key);
  const shown = typeof part === 'string' ? goQuote(part) : JSON.stringify(part ?? null);
  throw new Refused(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${shown}`);
}

function goInfinity(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

/** The same JSON value with sorted keys. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => compareStrings(a, b));
  return Object.fromEntries(entries.map(([key, part]) => [key, sortKeys(part)]));
}

function converted(chunk: Chunk, message: string, sentence: string): YamlError {
  return makeError({message: `error converting YAML to JSON: ${message}`, sentence, chunk, line: 1, column: 1});
}

function plainError(sentence: string, line: number, text = ''): YamlError {
  return makeError({message: sentence, sentence, chunk: {text, line}, line: 1, column: 1});
}

function makeError(at: {message: string; sentence: string; chunk: Chunk; line: number; column: number}): YamlError {
  const text = (at.chunk.text.split('\n')[at.line - 1] ?? '').replaceAll('\t', ' ').slice(0, 200);
  const excerpt = `${text}\n${' '.repeat(Math.min(Math.max(at.column - 1, 0), 200))}^`;
  return {message: at.message, sentence: at.sentence, line: at.chunk.line + at.line - 1, column: at.column, excerpt};
}
