// Reads expressions as Perl has them (`grep -P`, jq's `test`): what PCRE knows and players use. Not: recursion, conditions, verbs.
import {CLASSES, isSpaceCode, isWordCode} from './tree.ts';
import type {Node, Parsed, Place, Test} from './tree.ts';

/** Leaves the reading; never seen outside of this file. */
class Wrong extends Error {}

/** Reads an expression. */
export function parsePerl(source: string): Parsed & {readonly ignoreCase?: boolean} {
  const flags = /^\(\?([imsx]+)\)/.exec(source);
  try {
    const reader = new Reader(source.slice(flags?.[0].length ?? 0));
    const node = reader.whole();
    return {ok: true, node, groups: reader.groups, hasReferences: true, ignoreCase: flags?.[1]?.includes('i') === true};
  } catch (failure) {
    if (failure instanceof Wrong) return {ok: false, words: failure.message};
    throw failure;
  }
}

const isDigit: Test = code => code >= 48 && code <= 57;
const isBlank: Test = code => code === 32 || code === 9;
const SETS: Readonly<Record<string, Test>> = {d: isDigit, w: isWordCode, s: isSpaceCode, h: isBlank};
const CHARS: Readonly<Record<string, string>> = {n: '\n', t: '\t', r: '\r', f: '\f', e: '\x1b', a: '\x07', v: '\v', '0': '\0'};
const PLACES: Readonly<Record<string, Place>> = {b: 'edge', B: 'no-edge', A: 'start', z: 'end', Z: 'line-end', G: 'start'};
const DEEPEST = 500;
const MOST_REPEATS = 65_535;

function negated(test: Test): Test {
  return code => !test(code);
}

class Reader {
  readonly #source: string;
  #at = 0;
  groups = 0;
  readonly #names = new Map<string, number>();
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
  }

  whole(): Node {
    const node = this.#choice();
    if (this.#at < this.#source.length) throw new Wrong('unmatched closing parenthesis');
    return node;
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#source) ?? undefined;
    if (match) this.#at += match[0].length;
    return match;
  }

  #choice(): Node {
    if (++this.#depth > DEEPEST) throw new Wrong('parentheses are too deeply nested');
    const nodes = [this.#row()];
    while (this.#take('|')) nodes.push(this.#row());
    this.#depth--;
    return nodes.length === 1 ? (nodes[0] as Node) : {kind: 'choice', nodes};
  }

  #row(): Node {
    const nodes: Node[] = [];
    while (this.#at < this.#source.length && this.#source[this.#at] !== '|' && this.#source[this.#at] !== ')') {
      const atom = this.#atom();
      if (atom) nodes.push(this.#repeated(atom));
    }
    return {kind: 'row', nodes};
  }

  #repeated(atom: Node): Node {
    let node = atom;
    for (;;) {
      const match = this.#match(/([*+?])|\{(\d+)(?:(,)(\d*))?\}/y);
      if (!match) return node;
      const [, sign, from, comma, to] = match;
      const least = sign === undefined ? Number(from) : sign === '+' ? 1 : 0;
      const most = sign === undefined ? (comma === undefined ? least : to ? Number(to) : Infinity) : sign === '?' ? 1 : Infinity;
      if (most < least) throw new Wrong('numbers out of order in {} quantifier');
      if (least > MOST_REPEATS) throw new Wrong('number too big in {} quantifier');
      const manner = this.#take('?') ? 'lazy' : this.#take('+') ? 'possessive' : undefined;
      node = {kind: 'repeat', node, least, most, ...(manner ? {manner} : {})};
      if (/[*+?]/y.test(this.#source[this.#at] ?? '')) throw new Wrong('quantifier does not follow a repeatable item');
    }
  }

  #atom(): Node | undefined {
    const char = this.#source[this.#at++] ?? '';
    switch (char) {
      case '(':
        return this.#group();
      case '[':
        return {kind: 'set', test: this.#bracket()};
      case '.':
        return {kind: 'set', test: code => code !== 10};
      case '^':
        return {kind: 'place', place: 'line-start'};
      case '$':
        return {kind: 'place', place: 'line-end'};
      case '*':
      case '+':
      case '?':
        throw new Wrong('quantifier does not follow a repeatable item');
      case '\\':
        return this.#escaped();
      default:
        return {kind: 'char', code: char.charCodeAt(0)};
    }
  }

  #group(): Node | undefined {
    if (this.#take('?#')) {
      this.#match(/[^)]*\)/y);
      return undefined;
    }
    const look = this.#match(/\?(<)?([=!])/y);
    if (look) return {kind: 'look', node: this.#closed(), behind: look[1] !== undefined, negated: look[2] === '!'};
    if (this.#take('?:') || this.#match(/\?[imsx-]+:/y)) return this.#closed();
    if (this.#take('?>')) return {kind: 'atomic', node: this.#closed()};
    const name = this.#match(/\?P?<(\w+)>|\?'(\w+)'/y);
    const index = ++this.groups;
    if (name) this.#names.set(name[1] ?? name[2] ?? '', index);
    else if (this.#source[this.#at] === '?') throw new Wrong('unrecognized character after (? or (?-');
    return {kind: 'group', node: this.#closed(), index};
  }

  #closed(): Node {
    const node = this.#choice();
    if (!this.#take(')')) throw new Wrong('missing closing parenthesis');
    return node;
  }

  #escaped(): Node | undefined {
    const letter = this.#source[this.#at++];
    if (letter === undefined) throw new Wrong('\\ at end of pattern');
    if (letter === 'K') return {kind: 'keep'};
    if (letter === 'Q') {
      const text = this.#match(/([^]*?)(\\E|$)/y)?.[1] ?? '';
      return {kind: 'row', nodes: Array.from(text, char => ({kind: 'char', code: char.charCodeAt(0)}))};
    }
    if (letter === 'E') return undefined;
    if (letter === 'R') return {kind: 'set', test: code => code === 10 || code === 13};
    const place = PLACES[letter];
    if (place) return {kind: 'place', place};
    if (/[1-9]/.test(letter)) return {kind: 'reference', index: Number(letter + (this.#match(/\d*/y)?.[0] ?? ''))};
    const named = letter === 'k' || letter === 'g' ? this.#match(/[<{']?(\w+)[>}']?/y) : undefined;
    if (named) return {kind: 'reference', index: this.#names.get(named[1] ?? '') ?? Number(named[1])};
    return {kind: 'set', test: this.#setOf(letter)};
  }

  /** The characters that an escape stands for. */
  #setOf(letter: string): Test {
    const set = SETS[letter.toLowerCase()];
    if (set) return letter === letter.toLowerCase() ? set : negated(set);
    if (letter === 'N') return code => code !== 10;
    if (letter === 'p' || letter === 'P') return this.#property(letter === 'P');
    if (letter === 'x') {
      const match = this.#match(/\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{0,2})/y);
      const value = Number.parseInt(match?.[1] ?? match?.[2] ?? '0', 16) || 0;
      return code => code === value;
    }
    const known = (CHARS[letter] ?? letter).charCodeAt(0);
    return code => code === known;
  }

  #property(isNegated: boolean): Test {
    const match = this.#match(/\{(\^?)(\w+)\}|(\w)/y);
    const name = match?.[2] ?? match?.[3] ?? '';
    let property: RegExp;
    try {
      property = new RegExp(`\\p{${name}}`, 'u');
    } catch {
      throw new Wrong('unknown property after \\P or \\p');
    }
    const inverted = isNegated !== (match?.[1] === '^');
    return code => property.test(String.fromCharCode(code)) !== inverted;
  }

  #bracket(): Test {
    const isNegated = this.#take('^');
    const tests: Test[] = [];
    for (let isFirst = true; ; isFirst = false) {
      const char = this.#source[this.#at++];
      if (char === undefined) throw new Wrong('missing terminating ] for character class');
      if (char === ']' && !isFirst) break;
      const named = char === '[' ? this.#match(/:(\^?)(\w+):\]/y) : undefined;
      if (named) {
        const test = CLASSES[named[2] ?? ''];
        if (!test) throw new Wrong('unknown POSIX class name');
        tests.push(named[1] === '^' ? negated(test) : test);
        continue;
      }
      const first = this.#member(char);
      if (
        typeof first !== 'number' ||
        this.#source[this.#at] !== '-' ||
        /^-(\]|$)/.test(this.#source.slice(this.#at, this.#at + 2))
      ) {
        tests.push(typeof first === 'number' ? code => code === first : first);
        continue;
      }
      this.#at++;
      const last = this.#member(this.#source[this.#at++] ?? '');
      if (typeof last !== 'number') tests.push(code => code === first || code === 45 || last(code));
      else if (last < first) throw new Wrong('range out of order in character class');
      else tests.push(code => code >= first && code <= last);
    }
    return code => tests.some(test => test(code)) !== isNegated;
  }

  /** One member of a bracket: the code of a character, or a set. */
  #member(char: string): number | Test {
    if (char !== '\\') return char.charCodeAt(0);
    const letter = this.#source[this.#at++] ?? '\\';
    if (letter === 'b') return 8;
    if (/[dwshDWSHpPNx]/.test(letter)) return this.#setOf(letter);
    return (CHARS[letter] ?? letter).charCodeAt(0);
  }
}
