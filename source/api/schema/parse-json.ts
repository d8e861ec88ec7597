// Reads JSON text as the server does: keys that stand twice are noted (the last one counts), errors have Go's words, and the
// depth is bounded. Keys such as `__proto__` are plain keys.

/** The value, with the keys that stood twice by object; or Go's words for what is wrong. */
export type ParsedJson =
  | {readonly value: unknown; readonly duplicates: WeakMap<object, readonly string[]>}
  | {readonly error: string};

/** A tenth of Go's: whatever walks over the value afterwards must not run out of stack. */
const DEEPEST = 1000;
/** Nobody is told of more. */
const MOST_TWICE = 100;
/** A list or an object was opened: it is no value yet. */
const OPENED = Symbol('opened');
const ESCAPES: Readonly<Record<string, string>> = {'"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t'};
const END = 'unexpected end of JSON input';

class Refused extends Error {}

const NOTHING_TWICE = new WeakMap<object, readonly string[]>();

/** Reads one JSON value. What the engine's own parser reads as we would, it reads; it is many times as fast. */
export function parseJson(text: string): ParsedJson {
  const quick = quickly(text);
  return quick === undefined ? parseSlowly(text) : {value: quick, duplicates: NOTHING_TWICE};
}

/** Undefined where our own reader has something to say: of errors, of keys that stand twice, of great depth, of halves of pairs. */
function quickly(text: string): unknown {
  if (/\\u[dD][89a-fA-F]/.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  return countKeys(value, 0) === keysIn(text) ? value : undefined;
}

/** How many keys stand in a text that is good JSON: each is a string with a colon behind it. */
function keysIn(text: string): number {
  let keys = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    at = endOfString(text, at);
    while (text.charCodeAt(at) <= SPACE) at++;
    if (text.charCodeAt(at) === COLON) keys++;
  }
  return keys;
}

/** The place behind a string that begins at a place. */
function endOfString(text: string, start: number): number {
  for (let end = start; ;) {
    end = text.indexOf('"', end + 1);
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
}

const SPACE = 32;
const COLON = 58;
const BACKSLASH = 92;

/** The keys of a value; NaN where it is too deep. */
function countKeys(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth >= DEEPEST) return Number.NaN;
  let keys = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') keys += countKeys(item, depth + 1);
  } else {
    const parts = Object.values(value);
    keys += parts.length;
    for (const part of parts) if (typeof part === 'object') keys += countKeys(part, depth + 1);
  }
  return keys;
}

/** Reads one JSON value letter by letter. */
export function parseSlowly(text: string): ParsedJson {
  return finished(jsonSteps(text, Infinity));
}

/** The same, with a stop after so many letters: of a long text, others may have their turn between them. */
export function* jsonSteps(text: string, letters: number): Generator<void, ParsedJson> {
  const reader = new JsonReader(text, 0);
  try {
    const value = yield* reader.steps(letters);
    reader.end();
    return {value, duplicates: reader.duplicates};
  } catch (error) {
    if (error instanceof Refused) return {error: error.message};
    throw error;
  }
}

/** Reads the JSON value that begins at a place; gives where it ends, or the offset (from 1) of what is wrong. */
export function readJsonAt(text: string, at: number): {value: unknown; end: number} | {error: string; offset: number} {
  const quick = quickly(text.slice(at));
  if (quick !== undefined) return {value: quick, end: text.length};
  const reader = new JsonReader(text, at);
  try {
    return {value: finished(reader.steps(Infinity)), end: reader.place};
  } catch (error) {
    if (error instanceof Refused) return {error: error.message, offset: reader.place + 1};
    throw error;
  }
}

function finished<T>(steps: Generator<void, T>): T {
  for (;;) {
    const {done, value} = steps.next();
    if (done) return value;
  }
}

const PLAIN = /[^"\\\x00-\x1f]*/y;
const NUMBER = /-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/y;

/** A list or an object that is being read. */
type Open =
  | {readonly items: unknown[]; readonly fields?: undefined}
  | {readonly fields: Record<string, unknown>; key: string; readonly twice: string[]; readonly items?: undefined};

class JsonReader {
  readonly duplicates = new WeakMap<object, readonly string[]>();
  readonly #text: string;
  #at = 0;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  /** Where the reader stands. */
  get place(): number {
    return this.#at;
  }

  /** Reads a value, with a stop after so many letters. */
  *steps(letters: number): Generator<void, unknown> {
    const open: Open[] = [];
    for (let stop = this.#at + letters; ;) {
      if (this.#at > stop) {
        stop = this.#at + letters;
        yield;
      }
      let value = this.#begin(open);
      if (value === OPENED) continue;
      for (let parent = open.at(-1); ; parent = open.at(-1)) {
        if (!parent) return value;
        if (parent.items) {
          parent.items.push(value);
          if (this.#more(']', 'after array element')) break;
          value = parent.items;
        } else {
          this.#put(parent, value);
          if (this.#more('}', 'after object key:value pair')) {
            parent.key = this.#readKey();
            break;
          }
          value = parent.fields;
          if (parent.twice.length > 0) this.duplicates.set(parent.fields, parent.twice);
        }
        this.#at++;
        open.pop();
      }
    }
  }

  /** Nothing may follow. */
  end(): void {
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#refuse('after top-level value');
  }

  /** Reads a value that has no parts; one that has is opened. */
  #begin(open: Open[]): unknown {
    this.#skipSpace();
    const letter = this.#text.charAt(this.#at);
    if (letter === '"') return this.#readString();
    if (letter === '{' || letter === '[') {
      this.#at++;
      if (open.length >= DEEPEST) throw new Refused('exceeded max depth');
      this.#skipSpace();
      const isEmpty = this.#text.charAt(this.#at) === (letter === '{' ? '}' : ']');
      if (isEmpty) this.#at++;
      if (letter === '[') return isEmpty ? [] : (open.push({items: []}), OPENED);
      return isEmpty ? {} : (open.push({fields: {}, key: this.#readKey(), twice: []}), OPENED);
    }
    if (letter === 't') return this.#readLiteral('true', true);
    if (letter === 'f') return this.#readLiteral('false', false);
    if (letter === 'n') return this.#readLiteral('null', null);
    if (letter === '-' || (letter >= '0' && letter <= '9')) return this.#readNumber();
    return this.#refuse('looking for beginning of value');
  }

  #put({fields, key, twice}: Extract<Open, {fields: object}>, value: unknown): void {
    if (Object.hasOwn(fields, key) && twice.length < MOST_TWICE && !twice.includes(key)) twice.push(key);
    if (key === '__proto__') Object.defineProperty(fields, key, {value, enumerable: true, configurable: true, writable: true});
    else fields[key] = value;
  }

  #readKey(): string {
    this.#skipSpace();
    if (this.#text.charAt(this.#at) !== '"') this.#refuse('looking for beginning of object key string');
    const key = this.#readString();
    this.#skipSpace();
    if (this.#text.charAt(this.#at) !== ':') this.#refuse('after object key');
    this.#at++;
    return key;
  }

  /** Steps over a comma; false in front of the closing bracket. */
  #more(close: string, context: string): boolean {
    this.#skipSpace();
    const letter = this.#text.charAt(this.#at);
    if (letter === close) return false;
    if (letter !== ',') this.#refuse(context);
    this.#at++;
    return true;
  }

  #readString(): string {
    const start = ++this.#at;
    let out = '';
    for (;;) {
      PLAIN.lastIndex = this.#at;
      PLAIN.test(this.#text);
      out += this.#text.slice(this.#at, PLAIN.lastIndex);
      this.#at = PLAIN.lastIndex;
      const letter = this.#text.charAt(this.#at);
      if (letter === '"') break;
      if (letter !== '\\') this.#refuse('in string literal');
      out += this.#readEscape();
    }
    this.#at++;
    return this.#at - 1 - start === out.length ? out : out.toWellFormed();
  }

  #readEscape(): string {
    this.#at++;
    const letter = this.#text.charAt(this.#at);
    const plain = ESCAPES[letter];
    if (plain !== undefined && letter !== '') {
      this.#at++;
      return plain;
    }
    if (letter !== 'u') this.#refuse('in string escape code');
    this.#at++;
    const digits = /^[0-9a-fA-F]{0,4}/.exec(this.#text.slice(this.#at, this.#at + 4))?.[0] ?? '';
    this.#at += digits.length;
    if (digits.length < 4) this.#refuse(String.raw`in \u hexadecimal character escape`);
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #readLiteral<T>(word: string, value: T): T {
    for (const letter of word) {
      if (this.#text.charAt(this.#at) !== letter) this.#refuse(`in literal ${word} (expecting '${letter}')`);
      this.#at++;
    }
    return value;
  }

  #readNumber(): number {
    NUMBER.lastIndex = this.#at;
    const found = NUMBER.exec(this.#text);
    if (!found) {
      this.#at++;
      return this.#refuse('in numeric literal');
    }
    this.#at = NUMBER.lastIndex;
    if (/[.eE]/.test(this.#text.charAt(this.#at))) {
      const exponent = this.#text.charAt(this.#at) !== '.';
      this.#at++;
      if (exponent && /[-+]/.test(this.#text.charAt(this.#at))) this.#at++;
      this.#refuse(exponent ? 'in exponent of numeric literal' : 'after decimal point in numeric literal');
    }
    return Number(found[0]);
  }

  #skipSpace(): void {
    for (let code = this.#text.charCodeAt(this.#at); code <= SPACE; code = this.#text.charCodeAt(++this.#at))
      if (code !== SPACE && code !== 10 && code !== 13 && code !== 9) return;
  }

  #refuse(context: string): never {
    if (this.#at >= this.#text.length) throw new Refused(END);
    const letter = this.#text.charAt(this.#at);
    const shown = letter === "'" ? String.raw`'\''` : letter === '"' ? `'"'` : `'${JSON.stringify(letter).slice(1, -1)}'`;
    throw new Refused(`invalid character ${shown} ${context}`);
  }
}
