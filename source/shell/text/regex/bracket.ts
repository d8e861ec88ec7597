// `[…]` of an expression.
import {CLASSES} from './tree.ts';
import type {Test} from './tree.ts';

/** Reads a bracket expression; words for what is wrong with it. */
export function readBracket(source: string, open: number): {readonly test: Test; readonly end: number} | string {
  let at = open + 1;
  const negated = source[at] === '^';
  if (negated) at++;
  if (/^:[a-z]*:\]/.test(source.slice(at))) return 'character class syntax is [[:space:]], not [:space:]';
  const tests: Test[] = [];
  for (let first = true; ; first = false) {
    const char = source[at];
    if (char === undefined) return 'Unmatched [, [^, [:, [., or [=';
    if (char === ']' && !first) break;
    const named = char === '[' ? /^\[([:.=])([^\]]*?)\1\]/.exec(source.slice(at)) : null;
    if (named?.[1] === ':') {
      const test = CLASSES[named[2] ?? ''];
      if (!test) return 'Invalid character class name';
      tests.push(test);
      at += named[0].length;
      continue;
    }
    const from = named ? (named[2] ?? '').charCodeAt(0) : char.charCodeAt(0);
    at += named ? named[0].length : 1;
    if (source[at] !== '-' || source[at + 1] === ']' || source[at + 1] === undefined) {
      tests.push(code => code === from);
      continue;
    }
    const last = /^\[\.(.)\.\]/.exec(source.slice(at + 1));
    const to = (last?.[1] ?? source[at + 1] ?? '').charCodeAt(0);
    if (to < from) return 'Invalid range end';
    tests.push(code => code >= from && code <= to);
    at += 1 + (last ? last[0].length : 1);
  }
  return {test: code => tests.some(test => test(code)) !== negated, end: at + 1};
}
