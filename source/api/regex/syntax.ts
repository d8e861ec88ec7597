// Reads a regular expression in Go's syntax (RE2's), with Go's words for what is wrong with it. What it gives is a tree; match.ts
// turns it into threads.
//
// Not modelled: classes by Unicode script other than the general categories that JavaScript knows, and case folding beyond ASCII.

/** A part of an expression. */
export type RegexNode =
  | {readonly type: 'empty'}
  | {readonly type: 'set'; readonly has: (code: number) => boolean}
  | {readonly type: 'assert'; readonly what: Assertion}
  | {readonly type: 'group'; readonly inner: RegexNode; readonly index: number}
  | {readonly type: 'sequence'; readonly parts: readonly RegexNode[]}
  | {readonly type: 'choice'; readonly parts: readonly RegexNode[]}
  | {
      readonly type: 'repeat';
      readonly inner: RegexNode;
      readonly least: number;
      readonly most: number | undefined;
      readonly greedy: boolean;
    };

export type Assertion = 'textStart' | 'textEnd' | 'lineStart' | 'lineEnd' | 'boundary' | 'noBoundary';

/** An expression, or Go's complaint. */
export type ParsedRegex = {readonly root: RegexNode; readonly groups: number} | {readonly error: string};

const MOST_REPEATS = 1000;
const DEEPEST = 1000;

class Fault extends Error {}

/** Reads an expression. */
export function parseRegex(source: string): ParsedRegex {
  const parser = new Parser(source);
  try {
    return {root: parser.readAll(), groups: parser.groups};
  } catch (error) {
    if (error instanceof Fault) return {error: `error parsing regexp: ${error.message}`};
    throw error;
  }
}

interface Flags {
  readonly fold: boolean;
  readonly multi: boolean;
  readonly dotAll: boolean;
  readonly lazy: boolean;
}

class Parser {
  groups = 0;
  readonly #source: readonly string[];
  readonly #text: string;
  #at = 0;
  #flags: Flags = {fold: false, multi: false, dotAll: false, lazy: false};
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#source = [...text];
  }

  readAll(): RegexNode {
    const node = this.#choice();
    if (this.#at < this.#source.length) throw new Fault(`unexpected ): \`${this.#text}\``);
    return node;
  }

  get #letter(): string | undefined {
    return this.#source[this.#at];
  }

  #choice(): RegexNode {
    if (++this.#depth > DEEPEST) throw new Fault(`expression nests too deeply: \`${this.#text}\``);
    const parts = [this.#sequence()];
    while (this.#letter === '|') {
      this.#at++;
      parts.push(this.#sequence());
    }
    this.#depth--;
    return parts.length === 1 ? (parts[0] as RegexNode) : {type: 'choice', parts};
  }

  #sequence(): RegexNode {
    const parts: RegexNode[] = [];
    let repeatedAt = -1;
    while (this.#letter !== undefined && this.#letter !== '|' && this.#letter !== ')') {
      const start = this.#at;
      const repeat = this.#repetition();
      if (!repeat) {
        const atom = this.#atom();
        if (atom) parts.push(atom);
        repeatedAt = -1;
        continue;
      }
      const text = this.#source.slice(start, this.#at).join('');
      const before = parts.pop();
      if (!before) throw new Fault(`missing argument to repetition operator: \`${text}\``);
      if (repeatedAt >= 0)
        throw new Fault(`invalid nested repetition operator: \`${this.#source.slice(repeatedAt, this.#at).join('')}\``);
      repeatedAt = start;
      parts.push({type: 'repeat', inner: before, ...repeat});
    }
    if (parts.length === 0) return {type: 'empty'};
    return parts.length === 1 ? (parts[0] as RegexNode) : {type: 'sequence', parts};
  }

  #repetition(): {least: number; most: number | undefined; greedy: boolean} | undefined {
    const bounds = this.#bounds();
    if (!bounds) return undefined;
    const lazy = this.#letter === '?';
    if (lazy) this.#at++;
    return {...bounds, greedy: lazy === this.#flags.lazy};
  }

  #bounds(): {least: number; most: number | undefined} | undefined {
    const simple = {'*': {least: 0, most: undefined}, '+': {least: 1, most: undefined}, '?': {least: 0, most: 1}}[
      this.#letter ?? ''
    ];
    if (simple) {
      this.#at++;
      return simple;
    }
    const found = /^\{(\d+)(?:(,)(\d*))?\}/.exec(this.#source.slice(this.#at, this.#at + 16).join(''));
    if (!found) return undefined;
    this.#at += found[0].length;
    const least = Number(found[1]);
    const most = found[2] === undefined ? least : found[3] === '' ? undefined : Number(found[3]);
    if (least > MOST_REPEATS || (most ?? 0) > MOST_REPEATS || (most !== undefined && most < least))
      throw new Fault(`invalid repeat count: \`${found[0]}\``);
    return {least, most};
  }

  #atom(): RegexNode | undefined {
    const letter = this.#letter as string;
    this.#at++;
    switch (letter) {
      case '(':
        return this.#group();
      case '[':
        return this.#set();
      case '.':
        return {type: 'set', has: this.#flags.dotAll ? () => true : code => code !== 10};
      case '^':
        return {type: 'assert', what: this.#flags.multi ? 'lineStart' : 'textStart'};
      case '$':
        return {type: 'assert', what: this.#flags.multi ? 'lineEnd' : 'textEnd'};
      case '\\':
        return this.#escape();
      default:
        return this.#literal(letter.codePointAt(0) ?? 0);
    }
  }

  #literal(code: number): RegexNode {
    const other = this.#flags.fold ? otherCase(code) : code;
    return {type: 'set', has: each => each === code || each === other};
  }

  #group(): RegexNode | undefined {
    const flags = this.#flags;
    let index = -1;
    if (this.#letter === '?') {
      const rest = this.#source.slice(this.#at - 1).join('');
      const named = /^\(\?P?<([^>]*)>/.exec(rest);
      if (/^\(\?(<[=!]|[=!])/.test(rest)) throw new Fault(`invalid or unsupported Perl syntax: \`${rest.slice(0, 3)}\``);
      if (named) {
        if (!/^\w+$/.test(named[1] ?? '')) throw new Fault(`invalid named capture: \`${named[0]}\``);
        this.#at += named[0].length - 1;
        index = ++this.groups;
      } else {
        const set = /^\(\?([imsU]*)(?:-([imsU]+))?([:)])/.exec(rest);
        if (!set)
          throw new Fault(
            /^\(\?[^)]*$/.test(rest)
              ? `missing closing ): \`${this.#text}\``
              : `invalid or unsupported Perl syntax: \`${rest.slice(0, 3)}\``,
          );
        this.#at += set[0].length - 1;
        this.#flags = changed(flags, set[1] ?? '', set[2] ?? '');
        if (set[3] === ')') return undefined;
      }
    } else index = ++this.groups;
    const inner = this.#choice();
    if (this.#letter !== ')') throw new Fault(`missing closing ): \`${this.#text}\``);
    this.#at++;
    this.#flags = flags;
    return index < 0 ? inner : {type: 'group', inner, index};
  }

  #escape(): RegexNode {
    const letter = this.#letter;
    if (letter === undefined) throw new Fault('trailing backslash at end of expression: ``');
    const assertion = ASSERTIONS[letter];
    if (assertion) {
      this.#at++;
      return {type: 'assert', what: assertion};
    }
    if (letter === 'Q') {
      this.#at++;
      return this.#quoted();
    }
    const set = this.#classEscape();
    return set ? {type: 'set', has: set} : this.#literal(this.#letterEscape());
  }

  #quoted(): RegexNode {
    const rest = this.#source.slice(this.#at).join('');
    const end = rest.indexOf('\\E');
    const text = end < 0 ? rest : rest.slice(0, end);
    this.#at += [...text].length + (end < 0 ? 0 : 2);
    return {type: 'sequence', parts: [...text].map(letter => this.#literal(letter.codePointAt(0) ?? 0))};
  }

  /** `\d`, `\pL` and the like, at the letter behind the backslash. */
  #classEscape(): ((code: number) => boolean) | undefined {
    const letter = this.#letter ?? '';
    const known = CLASSES[letter];
    if (known) {
      this.#at++;
      return known;
    }
    if (letter !== 'p' && letter !== 'P') return undefined;
    const found = /^[pP](?:\{(\^?)(\w+)\}|(\w))/.exec(this.#source.slice(this.#at, this.#at + 40).join(''));
    const name = found?.[2] ?? found?.[3] ?? '';
    const has = found && unicodeClass(name);
    if (!found || !has) throw new Fault(`invalid character class range: \`\\${found?.[0] ?? letter}\``);
    this.#at += found[0].length;
    const negated = (letter === 'P') !== (found[1] === '^');
    return negated ? code => !has(code) : has;
  }

  #letterEscape(): number {
    const letter = this.#letter ?? '';
    this.#at++;
    const plain = {a: 7, f: 12, t: 9, n: 10, r: 13, v: 11}[letter];
    if (plain !== undefined) return plain;
    const rest = this.#source.slice(this.#at, this.#at + 12).join('');
    const hex = letter === 'x' ? /^(?:\{([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{2}))/.exec(rest) : undefined;
    if (hex) {
      this.#at += hex[0].length;
      return Number.parseInt(hex[1] ?? hex[2] ?? '', 16);
    }
    const octal = letter === '0' ? /^[0-7]{0,2}/.exec(rest) : /[1-7]/.test(letter) ? /^[0-7]{1,2}/.exec(rest) : undefined;
    if (octal) {
      this.#at += octal[0].length;
      return Number.parseInt(letter + octal[0], 8);
    }
    if (/[a-zA-Z0-9]/.test(letter) || letter.codePointAt(0) === undefined || letter > '\u007F')
      throw new Fault(`invalid escape sequence: \`\\${letter}\``);
    return letter.codePointAt(0) ?? 0;
  }

  #set(): RegexNode {
    const start = this.#at - 1;
    const negated = this.#letter === '^';
    if (negated) this.#at++;
    const parts: ((code: number) => boolean)[] = [];
    for (let first = true; this.#letter !== ']' || first; first = false) {
      if (this.#letter === undefined) throw new Fault(`missing closing ]: \`${this.#source.slice(start).join('')}\``);
      parts.push(this.#setPart(start));
    }
    this.#at++;
    const {fold} = this.#flags;
    const inside = (code: number): boolean => parts.some(part => part(code) || (fold && part(otherCase(code))));
    return {type: 'set', has: negated ? code => !inside(code) : inside};
  }

  #setPart(start: number): (code: number) => boolean {
    const posix = /^\[:(\^?)(\w+):\]/.exec(this.#source.slice(this.#at, this.#at + 16).join(''));
    if (posix) {
      const known = POSIX[posix[2] ?? ''];
      if (!known) throw new Fault(`invalid character class range: \`${posix[0]}\``);
      this.#at += posix[0].length;
      return posix[1] === '^' ? code => !known.test(String.fromCodePoint(code)) : code => known.test(String.fromCodePoint(code));
    }
    if (this.#letter === '\\') {
      this.#at++;
      const set = this.#classEscape();
      if (set) return set;
      this.#at--;
    }
    const from = this.#setLetter(start);
    if (this.#letter !== '-' || this.#source[this.#at + 1] === ']' || this.#source[this.#at + 1] === undefined)
      return code => code === from;
    const begin = this.#at - 1;
    this.#at++;
    const to = this.#setLetter(start);
    if (to < from) throw new Fault(`invalid character class range: \`${this.#source.slice(begin, this.#at).join('')}\``);
    return code => code >= from && code <= to;
  }

  #setLetter(start: number): number {
    const letter = this.#letter;
    if (letter === undefined) throw new Fault(`missing closing ]: \`${this.#source.slice(start).join('')}\``);
    this.#at++;
    return letter === '\\' ? this.#letterEscape() : (letter.codePointAt(0) ?? 0);
  }
}

function changed(flags: Flags, on: string, off: string): Flags {
  const is = (letter: string, before: boolean): boolean => (on.includes(letter) || before) && !off.includes(letter);
  return {fold: is('i', flags.fold), multi: is('m', flags.multi), dotAll: is('s', flags.dotAll), lazy: is('U', flags.lazy)};
}

function otherCase(code: number): number {
  if (code >= 65 && code <= 90) return code + 32;
  return code >= 97 && code <= 122 ? code - 32 : code;
}

const ASSERTIONS: Readonly<Record<string, Assertion>> = {A: 'textStart', z: 'textEnd', b: 'boundary', B: 'noBoundary'};

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13 && code !== 11);

/** Is it a letter, digit or underscore? */
export function isWord(code: number): boolean {
  return isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
}

const CLASSES: Readonly<Record<string, (code: number) => boolean>> = {
  d: isDigit,
  D: code => !isDigit(code),
  s: isSpace,
  S: code => !isSpace(code),
  w: isWord,
  W: code => !isWord(code),
};

const POSIX: Readonly<Record<string, RegExp>> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  ascii: /[\x00-\x7F]/,
  blank: /[\t ]/,
  cntrl: /[\x00-\x1F\x7F]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[\t\n\v\f\r ]/,
  upper: /[A-Z]/,
  word: /[0-9A-Za-z_]/,
  xdigit: /[0-9A-Fa-f]/,
};

const CATEGORY = /^(?:L[ulmto]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|C[cfos]?)$/;
const SCRIPTS = new Set(['Latin', 'Greek', 'Cyrillic', 'Han', 'Hiragana', 'Katakana', 'Arabic', 'Hebrew', 'Thai', 'Hangul']);

function unicodeClass(name: string): ((code: number) => boolean) | undefined {
  const form = CATEGORY.test(name) ? `\\p{${name}}` : SCRIPTS.has(name) ? `\\p{Script=${name}}` : undefined;
  if (name === 'Any') return () => true;
  if (form === undefined) return undefined;
  const expression = new RegExp(form, 'u');
  return code => expression.test(String.fromCodePoint(code));
}
