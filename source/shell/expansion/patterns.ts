// Patterns of the shell: `*`, `?`, `[a-z]`, and the extended `@(a|b)`, `?(…)`, `*(…)`, `+(…)`, `!(…)`.
//
// A pattern is matched element by element over the set of all positions that can be reached, so no pattern, however nested, can
// take more than (its length) × (the text's length) steps, where a backtracking matcher would need exponentially many.
// In a pattern a backslash makes the next character ordinary; that is how quoted parts of a word arrive here.

import {finderOf, matchesWhole, runsOf} from './runs.ts';
import type {Single} from './runs.ts';

type Element =
  | Single
  | {readonly kind: 'star'}
  | {readonly kind: 'group'; readonly sign: string; readonly choices: readonly (readonly Element[])[]};

/** A pattern that was read. */
export interface Pattern {
  /** Set when the pattern has no special characters: the text that it matches. */
  readonly literal: string | undefined;
  /** Does it match the whole text? */
  matches(text: string): boolean;
  /** Where matches that begin at the start can end, smallest first. */
  ends(text: string): readonly number[];
  /** How long the matches at the end of the text can be, smallest first. */
  endings(text: string): readonly number[];
  /** Finds the longest match from a place on, as often as asked. */
  finder(text: string): (from: number) => number | undefined;
}

const KEPT = 500;
const kept = new Map<string, Pattern>();

/** Reads a pattern. */
export function patternOf(source: string, ignoreCase = false): Pattern {
  const key = ignoreCase ? `i${source}` : `c${source}`;
  let pattern = kept.get(key);
  if (!pattern) {
    pattern = make(source, ignoreCase);
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value ?? '');
    kept.set(key, pattern);
  }
  return pattern;
}

/** Makes special characters of a text ordinary. */
export function escapePattern(text: string): string {
  return /[\\*?[\]()|!@+]/.test(text) ? text.replace(/[\\*?[\]()|!@+]/g, '\\$&') : text;
}

/** Makes all characters of a quoted text ordinary, also `&` in a replacement. */
export function escapeQuoted(text: string): string {
  return /[\\*?[\]()|!@+&]/.test(text) ? text.replace(/[\\*?[\]()|!@+&]/g, '\\$&') : text;
}

/** Has the text characters that are special in a pattern? */
export function hasSpecials(text: string): boolean {
  return /[*?[]|[@+!]\(/.test(text);
}

function make(source: string, ignoreCase: boolean): Pattern {
  const elements = read(ignoreCase ? source.toLowerCase() : source);
  const literal = !ignoreCase && elements.every(each => each.kind === 'char') ? elements.map(charOf).join('') : undefined;
  const fold = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
  const runs = elements.some(each => each.kind === 'group') ? undefined : runsOf(elements);
  return {
    literal,
    matches(text) {
      if (literal !== undefined) return text === literal;
      if (runs) return matchesWhole(runs, fold(text));
      return walk(elements, fold(text), [0]).at(-1) === text.length;
    },
    ends: text => walk(elements, fold(text), [0]),
    endings: text => walk(reversed(elements), Array.from(fold(text)).reverse().join(''), [0]),
    finder(text) {
      const folded = fold(text);
      return runs ? finderOf(runs, folded) : from => walk(elements, folded, [from]).at(-1);
    },
  };
}

/** The same pattern for the text read backwards. */
function reversed(elements: readonly Element[]): Element[] {
  return [...elements].reverse().map(each => (each.kind === 'group' ? {...each, choices: each.choices.map(reversed)} : each));
}

function charOf(element: Element): string {
  return element.kind === 'char' ? element.char : '';
}

/** All positions, sorted, that the elements lead to from the given ones. */
function walk(elements: readonly Element[], text: string, from: readonly number[]): readonly number[] {
  let positions = from;
  for (const element of elements) {
    if (positions.length === 0) return positions;
    positions = step(element, text, positions);
  }
  return positions;
}

function step(element: Element, text: string, from: readonly number[]): readonly number[] {
  switch (element.kind) {
    case 'char':
      return advance(from, at => text[at] === element.char);
    case 'any':
      return advance(from, at => at < text.length);
    case 'set':
      return advance(from, at => at < text.length && element.test(text[at] ?? ''));
    case 'star':
      return upTo(from[0] ?? 0, text.length);
    default:
      return group(element, text, from);
  }
}

function advance(from: readonly number[], allows: (at: number) => boolean): number[] {
  const positions: number[] = [];
  for (const at of from) if (allows(at)) positions.push(at + 1);
  return positions;
}

function upTo(from: number, end: number): number[] {
  const positions: number[] = [];
  for (let at = from; at <= end; at++) positions.push(at);
  return positions;
}

function group(element: Element & {kind: 'group'}, text: string, from: readonly number[]): readonly number[] {
  const once = (positions: readonly number[]): readonly number[] =>
    union(element.choices.map(choice => walk(choice, text, positions)));
  switch (element.sign) {
    case '@':
      return once(from);
    case '?':
      return union([from, once(from)]);
    case '!':
      return union(from.map(at => upTo(at, text.length).filter(end => !once([at]).includes(end))));
    default: {
      let all: readonly number[] = element.sign === '*' ? from : [];
      let latest = from;
      while (latest.length > 0) {
        const known = new Set(all);
        latest = once(latest).filter(at => !known.has(at));
        all = union([all, latest]);
      }
      return all;
    }
  }
}

function union(lists: readonly (readonly number[])[]): readonly number[] {
  if (lists.length === 1) return lists[0] ?? [];
  return [...new Set(lists.flat())].sort((a, b) => a - b);
}

/** Reads elements up to the end of the source. */
function read(source: string): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < source.length; at++) {
    const char = source[at] ?? '';
    if ('@?*+!'.includes(char) && source[at + 1] === '(') {
      const end = closing(source, at + 1);
      if (end !== undefined) {
        elements.push({kind: 'group', sign: char, choices: split(source.slice(at + 2, end)).map(read)});
        at = end;
        continue;
      }
    }
    if (char === '[') {
      const set = readSet(source, at);
      if (set) {
        elements.push({kind: 'set', test: set.test});
        at = set.end;
        continue;
      }
    }
    if (char === '\\' && at + 1 < source.length) elements.push({kind: 'char', char: source[++at] ?? ''});
    else if (char === '?') elements.push({kind: 'any'});
    else if (char === '*') {
      if (elements.at(-1)?.kind !== 'star') elements.push({kind: 'star'});
    } else elements.push({kind: 'char', char});
  }
  return elements;
}

/** The place of the parenthesis that closes the one at `open`. */
function closing(source: string, open: number): number | undefined {
  let depth = 0;
  for (let at = open; at < source.length; at++) {
    const char = source[at];
    if (char === '\\') at++;
    else if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return at;
  }
  return undefined;
}

/** Splits at the bars that are in no inner group. */
function split(source: string): string[] {
  const choices = [''];
  let depth = 0;
  for (let at = 0; at < source.length; at++) {
    const char = source[at] ?? '';
    if (char === '|' && depth === 0) {
      choices.push('');
      continue;
    }
    if (char === '(') depth++;
    if (char === ')') depth--;
    choices[choices.length - 1] += char === '\\' ? char + (source[++at] ?? '') : char;
  }
  return choices;
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  alpha: /[A-Za-z\u00c0-\u024f]/,
  digit: /[0-9]/,
  alnum: /[A-Za-z0-9\u00c0-\u024f]/,
  upper: /[A-Z]/,
  lower: /[a-z]/,
  space: /[\s]/,
  blank: /[ \t]/,
  punct: /[!-/:-@[-`{-~]/,
  cntrl: /[\u0000-\u001f\u007f]/,
  print: /[ -~\u00a0-\uffff]/,
  graph: /[!-~\u00a1-\uffff]/,
  xdigit: /[0-9A-Fa-f]/,
  word: /[A-Za-z0-9_]/,
};

/** Reads `[…]` at a place; undefined where it never closes. */
export function readSet(source: string, open: number): {test: (char: string) => boolean; end: number} | undefined {
  let at = open + 1;
  const negated = source[at] === '!' || source[at] === '^';
  if (negated) at++;
  const tests: ((char: string) => boolean)[] = [];
  for (let first = true; ; first = false) {
    let char = source[at];
    if (char === undefined) return undefined;
    if (char === ']' && !first) break;
    const named = char === '[' ? /^\[[:.=]([^\]]+)[:.=]\]/.exec(source.slice(at)) : null;
    if (named) {
      const known = CLASSES[named[1] ?? ''];
      const literal = named[1] ?? '';
      tests.push(known ? each => known.test(each) : each => each === literal);
      at += named[0].length;
      continue;
    }
    if (char === '\\') char = source[++at] ?? '';
    at++;
    at = readRange({source, at, char, tests});
  }
  return {test: char => tests.some(test => test(char)) !== negated, end: at};
}

/** Takes one character, or a range that begins with it; where to go on. */
function readRange(place: {source: string; at: number; char: string; tests: ((char: string) => boolean)[]}): number {
  const {source, at, char, tests} = place;
  if (source[at] !== '-' || source[at + 1] === ']' || source[at + 1] === undefined) {
    tests.push(each => each === char);
    return at;
  }
  const escaped = source[at + 1] === '\\';
  const last = source[at + (escaped ? 2 : 1)] ?? '';
  tests.push(each => each >= char && each <= last);
  return at + (escaped ? 3 : 2);
}
