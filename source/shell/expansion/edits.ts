// The edits of `${x#p}`, `${x%p}`, `${x/p/r}` and `${x^p}` on a text. Replacements are bounded in length, as a loop that doubles a
// text would otherwise fill the host's memory.
import {patternOf} from './patterns.ts';

/** Takes the shortest or longest match away from one end. */
export function removePattern(text: string, source: string, how: {side: 'prefix' | 'suffix'; greedy: boolean}): string {
  const pattern = patternOf(source);
  if (how.side === 'prefix') {
    const ends = pattern.ends(text, 0);
    const end = how.greedy ? ends.at(-1) : ends[0];
    return end === undefined ? text : text.slice(end);
  }
  if (pattern.literal !== undefined)
    return text.endsWith(pattern.literal) ? text.slice(0, text.length - pattern.literal.length) : text;
  for (let step = 0; step <= text.length; step++) {
    const from = how.greedy ? step : text.length - step;
    if (pattern.ends(text, from).at(-1) === text.length) return text.slice(0, from);
  }
  return text;
}

/** What to replace by what. In the replacement an unquoted `&` stands for the match. */
export interface Replacement {
  readonly pattern: string;
  readonly replacement: string;
  readonly all: boolean;
  readonly anchor: 'start' | 'end' | null;
  readonly ignoreCase: boolean;
}

/** Replaces the first or every match, the longest at each place. */
export function replacePattern(text: string, what: Replacement): string {
  const pattern = patternOf(what.pattern, what.ignoreCase);
  const put = replacer(what.replacement);
  if (what.anchor === 'start') {
    const end = pattern.ends(text, 0).at(-1);
    return end === undefined ? text : put(text.slice(0, end)) + text.slice(end);
  }
  if (what.anchor === 'end') return replaceEnd(text, what, put);
  if (what.pattern === '') return text;
  let result = '';
  let at = 0;
  while (at < text.length) {
    const next = pattern.literal === undefined ? at : text.indexOf(pattern.literal, at);
    if (next < 0) break;
    result += text.slice(at, next);
    at = next;
    const end = pattern.ends(text, at).at(-1);
    if (end === undefined || end === at) {
      result += text[at++] ?? '';
      continue;
    }
    result += put(text.slice(at, end));
    at = end;
    if (!what.all) break;
  }
  return result + text.slice(at);
}

function replaceEnd(text: string, what: Replacement, put: (match: string) => string): string {
  const pattern = patternOf(what.pattern, what.ignoreCase);
  for (let from = 0; from <= text.length; from++) {
    if (pattern.ends(text, from).at(-1) === text.length) return text.slice(0, from) + put(text.slice(from));
  }
  return text;
}

/** Quoted characters arrive with a backslash before them. */
function replacer(replacement: string): (match: string) => string {
  if (!/[\\&]/.test(replacement)) return () => replacement;
  return match => replacement.replace(/\\(.)|&/gs, (whole, char: string | undefined) => (whole === '&' ? match : (char ?? '')));
}

/** Changes the case of the first, or of every, character that the pattern matches. */
export function changeCase(text: string, source: string, how: {direction: 'upper' | 'lower'; all: boolean}): string {
  const pattern = patternOf(source);
  let result = '';
  let isFirst = true;
  for (const char of text) {
    const changes = (how.all || isFirst) && pattern.matches(char);
    const changed = how.direction === 'upper' ? char.toUpperCase() : char.toLowerCase();
    result += changes ? changed : char;
    isFirst = false;
  }
  return result;
}
