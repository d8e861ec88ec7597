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
  if (Array.isArray(value)) for (const item of value) keys += countKeys(item, depth + 1);
  else for (const part of Object.values(value)) keys += 1 + countKeys(part, depth + 1);
  return keys;
}

/** Reads one JSON value letter by letter. */
export function parseSlowly(text: string): ParsedJson {
  const reader = new JsonReader(text, 0);
  return guarded(
    () => ({value: reader.readDocument(), duplicates: reader.duplicates}),
    error => ({error}),
  );
}

/** Reads the JSON value that begins at a place; gives where it ends, or the offset (from 1) of what is wrong. */
export function readJsonAt(text: string, at: number): {value: unknown; end: number} | {error: string; offset: number} {
  const quick = quickly(text.slice(at));
  if (quick !== undefined) return {value: quick, end: text.length};
  const reader = new JsonReader(text, at);
  return guarded(
    () => ({value: reader.readValue(), end: reader.place}),
    error => ({error, offset: reader.place + 1}),
  );
}

function guarded<T, F>(read: () => T, failed: (error: string) => F): T | F {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refused) return failed(error.message);
    throw error;
  }
}

class JsonReader {
  readonly duplicates = new WeakMap<object, readonly string[]>();
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  /** Where the reader stands. */
  get place(): number {
    return this.#at;
  }

  readValue(): unknown {
    return this.#readValue('looking for beginning of value');
  }

  readDocument(): unknown {
    const value = this.readValue();
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#refuse('after top-level value');
    return value;
  }

  #readValue(context: string): unknown {
    this.#skipSpace();
    const letter = this.#text.charAt(this.#at);
    if (letter === '{') return this.#readObject();
    if (letter === '[') return this.#readArray();
    if (letter === '"') return this.#readString();
    if (letter === 't') return this.#readLiteral('true', true);
    if (letter === 'f') return this.#readLiteral('false', false);
    if (letter === 'n') return this.#readLiteral('null', null);
    if (letter === '-' || (letter >= '0' && letter <= '9')) return this.#readNumber();
    return this.#refuse(context);
  }

  #readObject(): unknown {
    this.#enter();
    const entries = new Map<string, unknown>();
    const twice: string[] = [];
    this.#skipSpace();
    if (this.#text.charAt(this.#at) !== '}') {
      for (;;) {
        this.#skipSpace();
        if (this.#text.charAt(this.#at) !== '"') this.#refuse('looking for beginning of object key string');
        const key = this.#readString();
        this.#skipSpace();
        if (this.#text.charAt(this.#at) !== ':') this.#refuse('after object key');
        this.#at++;
        const value = this.#readValue('looking for beginning of value');
        if (entries.has(key) && twice.length < MOST_TWICE && !twice.includes(key)) twice.push(key);
        entries.set(key, value);
        if (!this.#more('}', 'after object key:value pair')) break;
      }
    }
    this.#leave();
    const object = Object.fromEntries(entries);
    if (twice.length > 0) this.duplicates.set(object, twice);
    return object;
  }

  #readArray(): unknown {
    this.#enter();
    const items: unknown[] = [];
    this.#skipSpace();
    if (this.#text.charAt(this.#at) !== ']') {
      do items.push(this.#readValue('looking for beginning of value'));
      while (this.#more(']', 'after array element'));
    }
    this.#leave();
    return items;
  }

  #enter(): void {
    this.#at++;
    if (++this.#depth > DEEPEST) throw new Refused('exceeded max depth');
  }

  #leave(): void {
    this.#at++;
    this.#depth--;
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
    const plain = /[^"\\\x00-\x1f]*/y;
    let out = '';
    for (;;) {
      plain.lastIndex = this.#at;
      out += plain.exec(this.#text)?.[0] ?? '';
      this.#at = plain.lastIndex;
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
    const number = /-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/y;
    number.lastIndex = this.#at;
    const found = number.exec(this.#text);
    if (!found) {
      this.#at++;
      return this.#refuse('in numeric literal');
    }
    this.#at = number.lastIndex;
    if (/[.eE]/.test(this.#text.charAt(this.#at))) {
      const exponent = this.#text.charAt(this.#at) !== '.';
      this.#at++;
      if (exponent && /[-+]/.test(this.#text.charAt(this.#at))) this.#at++;
      this.#refuse(exponent ? 'in exponent of numeric literal' : 'after decimal point in numeric literal');
    }
    return Number(found[0]);
  }

  #skipSpace(): void {
    const space = /[ \t\r\n]*/y;
    space.lastIndex = this.#at;
    space.exec(this.#text);
    this.#at = space.lastIndex;
  }

  #refuse(context: string): never {
    if (this.#at >= this.#text.length) throw new Refused(END);
    const letter = this.#text.charAt(this.#at);
    const shown = letter === "'" ? String.raw`'\''` : letter === '"' ? `'"'` : `'${JSON.stringify(letter).slice(1, -1)}'`;
    throw new Refused(`invalid character ${shown} ${context}`);
  }
}
