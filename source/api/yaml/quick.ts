// The YAML that most people write, read many times as fast as all of YAML can be: maps and lists by indentation, words, numbers,
// quoted texts on one line, literal blocks, comments on lines of their own, and JSON as a value. It goes through the lines once and
// says nothing where it meets anything else (anchors, tags, folded or broken texts, mistakes): the whole reader decides then.
// What it reads, it reads as that one does.
import {isScalar, type ScalarTag} from 'yaml';
import {sortStrings} from '../meta/go-text.ts';

interface MapLevel {
  readonly indent: number;
  readonly fields: Record<string, unknown>;
  /** The key whose value is still to come. */
  key: string | undefined;
  inOrder: boolean;
  last: string;
  readonly items?: undefined;
}

interface ListLevel {
  readonly indent: number;
  readonly items: unknown[];
  /** An item has begun, and has nothing yet. */
  open: boolean;
  readonly fields?: undefined;
}

type Level = MapLevel | ListLevel;

/** What a reader of scalars needs of the language. */
export interface Words {
  readonly tags: readonly ScalarTag[];
}

/** Lines that are read in one go. */
const A_GO = 2000;
const DEEPEST = 400;
const ODD = /[\x00-\x08\x0b-\x1f\x7f\u0085\u2028\u2029\ufeff]/;
const KEY = /^([A-Za-z_/][\w./-]*|"[^"\\\t]*"|'[^'\t]*'):(?: +|$)/;
/** What may be a truth value or null, whatever its case. */
const WORD = /^(?:~|null|true|false|yes|no|on|off|y|n)$/i;

/** Reads a document, with stops; undefined where it is not this plain. */
export function* quickYaml(text: string, words: Words): Generator<void, {readonly value: unknown} | undefined> {
  if (ODD.test(text)) return undefined;
  const reader = new QuickReader(text, words);
  for (let lines = 1; reader.more; lines++) {
    if (!reader.readLine()) return undefined;
    if (lines % A_GO === 0) yield;
  }
  return reader.finish();
}

class QuickReader {
  readonly #text: string;
  readonly #words: Words;
  readonly #levels: Level[] = [];
  #at = 0;
  #root: unknown;
  /** No line may stand deeper than this: it would go on with a value that is complete. */
  #deepest = Infinity;

  constructor(text: string, words: Words) {
    this.#text = text;
    this.#words = words;
  }

  get more(): boolean {
    return this.#at < this.#text.length;
  }

  /** Reads one line, or a block; false where it is not plain. */
  readLine(): boolean {
    const line = this.#take();
    const indent = indentOf(line);
    if (indent === line.length || line.charCodeAt(indent) === HASH) return true;
    if (line.includes('\t') || indent > this.#deepest) return false;
    if (indent === 0 && /^(?:---|\.\.\.|%)/.test(line)) return false;
    this.#deepest = Infinity;
    return this.#content(line, indent);
  }

  /** The whole, once all is read. */
  finish(): {readonly value: unknown} | undefined {
    while (this.#levels.length > 0) this.#close();
    return {value: this.#root ?? null};
  }

  #take(): string {
    const end = this.#text.indexOf('\n', this.#at);
    const line = this.#text.slice(this.#at, end < 0 ? this.#text.length : end);
    this.#at = end < 0 ? this.#text.length : end + 1;
    return line;
  }

  #content(line: string, start: number): boolean {
    let indent = start;
    while (line.charCodeAt(indent) === DASH && (indent + 1 === line.length || line.charCodeAt(indent + 1) === SPACE)) {
      if (!this.#item(indent)) return false;
      const next = indent + 1 + indentOf(line.slice(indent + 1));
      if (next >= line.length) return true;
      if (line.charCodeAt(next) === HASH) return false;
      indent = next;
    }
    const rest = line.slice(indent);
    const found = KEY.exec(rest);
    if (found) {
      const [whole, key = ''] = found;
      return this.#field(indent, key) && this.#value(rest.slice(whole.length), indent);
    }
    const top = this.#levels.at(-1);
    return indent > start && top?.items !== undefined && this.#value(rest, top.indent);
  }

  /** An item of a list begins. */
  #item(indent: number): boolean {
    this.#closeBeyond(indent);
    let top = this.#levels.at(-1);
    // A list may stand under its key without indentation.
    if (top?.indent !== indent || !top.items) {
      if (!this.#open({indent, items: [], open: false})) return false;
      top = this.#levels.at(-1);
    }
    if (!top?.items) return false;
    if (top.open) top.items.push(null);
    top.open = true;
    return true;
  }

  #field(indent: number, written: string): boolean {
    this.#closeBeyond(indent);
    let top = this.#levels.at(-1);
    if (top?.items && top.indent === indent) {
      this.#close();
      top = this.#levels.at(-1);
    }
    if (top?.indent !== indent) {
      if (!this.#open({indent, fields: {}, key: undefined, inOrder: true, last: ''})) return false;
      top = this.#levels.at(-1);
    }
    if (!top?.fields) return false;
    const isQuoted = written.startsWith('"') || written.startsWith("'");
    const key = isQuoted ? written.slice(1, -1) : written;
    if (key === '__proto__' || (!isQuoted && WORD.test(key)) || (isQuoted && key.trim() !== key)) return false;
    if (top.key !== undefined) top.fields[top.key] = null;
    // Which of two counts, and whether that is a mistake, is not said here.
    if (Object.hasOwn(top.fields, key)) return false;
    if (key < top.last) top.inOrder = false;
    top.last = key;
    top.key = key;
    return true;
  }

  /** Opens a level in the place that waits for a value. */
  #open(level: Level): boolean {
    const top = this.#levels.at(-1);
    if (!top ? this.#root !== undefined : top.fields ? top.key === undefined : !top.open) return false;
    if (top && (level.indent < top.indent || (level.indent === top.indent && (!top.fields || !level.items)))) return false;
    if (this.#levels.length >= DEEPEST) return false;
    this.#levels.push(level);
    return true;
  }

  #closeBeyond(indent: number): void {
    for (let top = this.#levels.at(-1); top && top.indent > indent; top = this.#levels.at(-1)) this.#close();
  }

  #close(): void {
    const level = this.#levels.pop();
    if (!level) return;
    if (level.items) {
      if (level.open) level.items.push(null);
      return this.#put(level.items);
    }
    if (level.key !== undefined) level.fields[level.key] = null;
    this.#put(level.inOrder ? level.fields : inOrder(level.fields));
  }

  /** Puts a value into the place that waits for it. */
  #put(value: unknown): void {
    const top = this.#levels.at(-1);
    if (!top) this.#root = value;
    else if (top.items) {
      top.items.push(value);
      top.open = false;
    } else if (top.key !== undefined) {
      top.fields[top.key] = value;
      top.key = undefined;
    }
  }

  /** The value behind a key or a dash, on its line. */
  #value(rest: string, indent: number): boolean {
    const text = rest.replace(/ +$/, '');
    if (text === '') return true;
    if (text.charCodeAt(0) === HASH) return false;
    const value = text === '|' || text === '|-' ? this.#block(text === '|', indent) : this.#scalar(text);
    if (value === undefined) return false;
    this.#put(value);
    this.#deepest = indent;
    return true;
  }

  #scalar(text: string): unknown {
    const first = text.charAt(0);
    if (first === '"') return DOUBLE.test(text) ? (JSON.parse(text) as unknown) : undefined;
    if (first === "'") return SINGLE.test(text) ? text.slice(1, -1).replaceAll("''", "'") : undefined;
    if (first === '[' || first === '{') return jsonIn(text);
    if (NOT_PLAIN.test(text)) return undefined;
    if (/[A-Za-z/_]/.test(first) && !WORD.test(text)) return text;
    const tag = this.#words.tags.find(({test}) => test?.test(text) === true);
    if (!tag) return text;
    const found = tag.resolve(text, () => undefined, {}) as unknown;
    const value = isScalar(found) ? found.value : found;
    // Infinities and what else JSON has not are refused in words of their own.
    return value === null || typeof value === 'boolean' || typeof value === 'string' || Number.isFinite(value)
      ? value
      : undefined;
  }

  /** A literal block: its lines as they stand, without the indentation of the first. */
  #block(keepsEnd: boolean, parent: number): string | undefined {
    const lines: string[] = [];
    let indent = 0;
    for (let before = this.#at; this.more; before = this.#at) {
      const line = this.#take();
      const own = indentOf(line);
      if (own === line.length) {
        if (indent === 0) return undefined;
        lines.push(line.slice(indent));
        continue;
      }
      indent ||= own;
      if (own < indent || own <= parent) {
        this.#at = before;
        // Between the two it is neither in the block nor behind it.
        if (own > parent || lines.length === 0) return undefined;
        break;
      }
      lines.push(line.slice(indent));
    }
    while (lines.at(-1) === '') lines.pop();
    if (lines.length === 0 || lines.at(-1)?.trim() === '') return undefined;
    return lines.join('\n') + (keepsEnd ? '\n' : '');
  }
}

const HASH = 35;
const DASH = 45;
const SPACE = 32;
const DOUBLE = /^"(?:[^"\\]|\\["\\bfnrt])*"$/;
const SINGLE = /^'(?:[^']|'')*'$/;
/** Signs that begin something else, a colon or a comment within. */
const NOT_PLAIN = /^[?:,\]}#&*!|>%@`]|^-(?: |$)|: | #|:$/;

function indentOf(line: string): number {
  let at = 0;
  while (line.charCodeAt(at) === SPACE) at++;
  return at;
}

/** Brackets that hold what JSON holds; undefined where they hold more, or keys whose order would have to be found. */
function jsonIn(text: string): unknown {
  if (text === '[]') return [];
  if (text === '{}') return {};
  if (!text.startsWith('[') || text.includes('{') || text.includes('\\')) return undefined;
  try {
    const list = JSON.parse(text) as readonly unknown[];
    return list.every(item => typeof item === 'string' || Number.isSafeInteger(item)) ? list : undefined;
  } catch {
    return undefined;
  }
}

function inOrder(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(sortStrings(Object.keys(fields)).map(key => [key, fields[key]]));
}
