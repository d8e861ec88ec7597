// Reads expressions as POSIX has them, basic and extended, with what GNU adds: `\w \W \s \S \b \B \< \> \+ \? \|`.
import {readBracket} from './bracket.ts';
import {isSpaceCode, isWordCode} from './tree.ts';
import type {Node, Parsed, Place} from './tree.ts';

/** Leaves the reading; never seen outside of this file. */
class Wrong extends Error {}

/** Whose rules hold where an expression is doubtful. */
export type Rules = 'posix' | 'sed';

interface ReadingHow {
  readonly multiline?: boolean;
  readonly rules?: Rules | undefined;
}

/** Groups within each other. */
const DEEPEST = 500;
const MOST_REPEATS = 32_767;

/** Reads an expression. */
export function parseRegex(source: string, extended: boolean, how: ReadingHow = {}): Parsed {
  try {
    const reader = new Reader(source, extended, how);
    const node = reader.whole();
    return {ok: true, node, groups: reader.groups, hasReferences: reader.hasReferences};
  } catch (failure) {
    if (failure instanceof Wrong) return {ok: false, words: failure.message};
    throw failure;
  }
}

type Token =
  | {readonly kind: 'operator'; readonly sign: '(' | ')' | '|' | '*' | '+' | '?' | '{' | '^' | '$'}
  | {readonly kind: 'node'; readonly node: Node}
  | {readonly kind: 'end'};

class Reader {
  readonly #source: string;
  readonly #extended: boolean;
  readonly #multiline: boolean;
  readonly #rules: Rules | undefined;
  #at = 0;
  groups = 0;
  hasReferences = false;

  constructor(source: string, extended: boolean, how: ReadingHow) {
    this.#multiline = how.multiline === true;
    this.#rules = how.rules;
    this.#source = source;
    this.#extended = extended;
  }

  whole(): Node {
    const node = this.#choice(0);
    if (this.#at < this.#source.length) throw new Wrong('Unmatched ) or \\)');
    return node;
  }

  /** The token at the place, and where it ends. */
  #token(): {token: Token; end: number} {
    const char = this.#source[this.#at];
    if (char === undefined) return {token: {kind: 'end'}, end: this.#at};
    if (char === '\\') return this.#escaped();
    if (char === '[') {
      const bracket = readBracket(this.#source, this.#at);
      if (typeof bracket === 'string') throw new Wrong(bracket);
      return {token: {kind: 'node', node: {kind: 'set', test: bracket.test}}, end: bracket.end};
    }
    const end = this.#at + 1;
    if (char === '.') return {token: {kind: 'node', node: {kind: 'set', test: code => code !== 0}}, end};
    if ('*^$'.includes(char) || (this.#extended && '()|+?{'.includes(char)))
      return {token: {kind: 'operator', sign: char as '*'}, end};
    return {token: {kind: 'node', node: {kind: 'char', code: char.charCodeAt(0)}}, end};
  }

  #escaped(): {token: Token; end: number} {
    const letter = this.#source[this.#at + 1];
    const end = this.#at + 2;
    if (letter === undefined) throw new Wrong('Trailing backslash');
    if (!this.#extended && '(){|+?'.includes(letter) && letter !== '}')
      return {token: {kind: 'operator', sign: letter as '('}, end};
    const node = this.#escapedNode(letter);
    return {token: {kind: 'node', node}, end};
  }

  #escapedNode(letter: string): Node {
    const place = PLACES[letter];
    if (place !== undefined) return {kind: 'place', place};
    switch (letter) {
      case 'w':
        return {kind: 'set', test: isWordCode};
      case 'W':
        return {kind: 'set', test: code => !isWordCode(code)};
      case 's':
        return {kind: 'set', test: isSpaceCode};
      case 'S':
        return {kind: 'set', test: code => !isSpaceCode(code)};
      case 'n':
        return {kind: 'char', code: 10};
      case 't':
        return {kind: 'char', code: 9};
      default:
        if (/[1-9]/.test(letter)) {
          if (Number(letter) > this.groups) throw new Wrong('Invalid back reference');
          this.hasReferences = true;
          return {kind: 'reference', index: Number(letter)};
        }
        return {kind: 'char', code: letter.charCodeAt(0)};
    }
  }

  #choice(depth: number): Node {
    if (depth > DEEPEST) throw new Wrong('Regular expression too big');
    const nodes = [this.#row(depth)];
    for (;;) {
      const {token, end} = this.#token();
      if (token.kind !== 'operator' || token.sign !== '|') break;
      this.#at = end;
      nodes.push(this.#row(depth));
    }
    return nodes.length === 1 ? (nodes[0] as Node) : {kind: 'choice', nodes};
  }

  #row(depth: number): Node {
    const nodes: Node[] = [];
    for (;;) {
      const {token, end} = this.#token();
      if (token.kind === 'end') break;
      if (token.kind === 'operator' && (token.sign === '|' || (token.sign === ')' && depth > 0))) break;
      if (token.kind === 'operator' && token.sign === ')') {
        if (!this.#extended || this.#rules === 'sed') throw new Wrong('Unmatched ) or \\)');
        this.#at = end;
        nodes.push({kind: 'char', code: 41});
        continue;
      }
      const atom = this.#atom({token, end}, nodes, depth);
      if (atom) nodes.push(this.#repeated(atom));
    }
    return nodes.length === 1 ? (nodes[0] as Node) : {kind: 'row', nodes};
  }

  /** What one token begins; undefined when it says nothing. */
  #atom({token, end}: {token: Token; end: number}, before: readonly Node[], depth: number): Node | undefined {
    this.#at = end;
    if (token.kind !== 'operator') return token.kind === 'node' ? token.node : undefined;
    const atStart = before.every(node => node.kind === 'place' && (node.place === 'start' || node.place === 'line-start'));
    switch (token.sign) {
      case '(':
        return this.#group(depth);
      case '^':
        return this.#extended || before.length === 0
          ? {kind: 'place', place: this.#multiline ? 'line-start' : 'start'}
          : {kind: 'char', code: 94};
      case '$':
        return this.#extended || this.#isEnd()
          ? {kind: 'place', place: this.#multiline ? 'line-end' : 'end'}
          : {kind: 'char', code: 36};
      case '{':
        if (!this.#extended || this.#rules) throw new Wrong('Invalid preceding regular expression');
        return {kind: 'char', code: 123};
      default:
        if (!this.#extended && atStart) return {kind: 'char', code: token.sign.charCodeAt(0)};
        if (this.#rules) throw new Wrong('Invalid preceding regular expression');
        return undefined;
    }
  }

  #isEnd(): boolean {
    return this.#at >= this.#source.length || /^\\[)|]/.test(this.#source.slice(this.#at, this.#at + 2));
  }

  #group(depth: number): Node {
    const index = ++this.groups;
    const node = this.#choice(depth + 1);
    const {token, end} = this.#token();
    if (token.kind !== 'operator' || token.sign !== ')') throw new Wrong('Unmatched ( or \\(');
    this.#at = end;
    return {kind: 'group', node, index};
  }

  /** Takes the repetitions behind an atom. */
  #repeated(atom: Node): Node {
    let node = atom;
    for (;;) {
      const {token, end} = this.#token();
      if (token.kind !== 'operator') return node;
      const range = this.#range(token.sign, end);
      if (!range) return node;
      if (node !== atom && this.#rules && !this.#extended) throw new Wrong('Invalid preceding regular expression');
      this.#at = range.end;
      if (atom.kind === 'place' && !this.#extended)
        return {kind: 'row', nodes: [atom, {kind: 'char', code: token.sign.charCodeAt(0)}]};
      node = {kind: 'repeat', node, least: range.least, most: range.most};
    }
  }

  #range(sign: string, end: number): {least: number; most: number; end: number} | undefined {
    if (sign === '*') return {least: 0, most: Infinity, end};
    if (sign === '+') return {least: 1, most: Infinity, end};
    if (sign === '?') return {least: 0, most: 1, end};
    if (sign !== '{') return undefined;
    const closer = this.#extended ? '}' : '\\}';
    const match = /^(\d*)(,?)(\d*)/.exec(this.#source.slice(end));
    const length = match?.[0].length ?? 0;
    const isRange = length > 0 && match?.[0] !== ',' && this.#source.startsWith(closer, end + length);
    if (!match || !isRange) {
      if (this.#extended && !this.#rules) return undefined;
      throw new Wrong(this.#source.includes(closer, end) ? 'Invalid content of \\{\\}' : 'Unmatched \\{');
    }
    const least = Number(match[1] || 0);
    const most = match[2] === '' ? least : match[3] === '' ? Infinity : Number(match[3]);
    if (most < least) throw new Wrong('Invalid content of \\{\\}');
    if (least > MOST_REPEATS || (most !== Infinity && most > MOST_REPEATS)) throw new Wrong('Regular expression too big');
    return {least, most, end: end + length + closer.length};
  }
}

const PLACES: Readonly<Record<string, Place>> = {
  b: 'edge',
  B: 'no-edge',
  '<': 'word-start',
  '>': 'word-end',
  '`': 'start',
  "'": 'end',
};
