// The edits of `${x#p}`, `${x%p}`, `${x/p/r}` and `${x^p}` on a text. Replacements are bounded in length, as a loop that doubles a
// text would otherwise fill the host's memory.
import {patternOf} from './patterns.ts';

/** A replacement does not make a text longer than this. */
const LONGEST_RESULT = 16 * 1024 * 1024;

/** Takes the shortest or longest match away from one end. */
export function removePattern(text: string, source: string, how: {side: 'prefix' | 'suffix'; greedy: boolean}): string {
  const pattern = patternOf(source);
  if (how.side === 'suffix' && pattern.literal !== undefined) {
    return text.endsWith(pattern.literal) ? text.slice(0, text.length - pattern.literal.length) : text;
  }
  const lengths = how.side === 'prefix' ? pattern.ends(text) : pattern.endings(text);
  const length = how.greedy ? lengths.at(-1) : lengths[0];
  if (length === undefined) return text;
  return how.side === 'prefix' ? text.slice(length) : text.slice(0, text.length - length);
}

/** What to replace by what. In the replacement an unquoted `&` stands for the match. */
export interface Replacement {
  readonly pattern: string;
  readonly replacement: string;
  readonly all: boolean;
  readonly anchor: 'start' | 'end' | null;
  readonly ignoreCase: boolean;
}

/** Steps after which looking for matches is given up: only patterns with groups on long texts come so far. */
const MOST_STEPS = 20_000_000;

/** Replaces the first or every match, the longest at each place. */
export function replacePattern(text: string, what: Replacement): string {
  const pattern = patternOf(what.pattern, what.ignoreCase);
  const put = replacer(what.replacement);
  if (what.anchor === 'start') {
    const end = pattern.ends(text).at(-1);
    return end === undefined ? text : put(text.slice(0, end)) + text.slice(end);
  }
  if (what.anchor === 'end') {
    const length = pattern.endings(text).at(-1);
    return length === undefined ? text : text.slice(0, text.length - length) + put(text.slice(text.length - length));
  }
  if (what.pattern === '') return text;
  const find = pattern.finder(text);
  let result = '';
  let at = 0;
  let steps = 0;
  while (at < text.length) {
    const next = pattern.literal === undefined ? at : text.indexOf(pattern.literal, at);
    if (next < 0) break;
    result += text.slice(at, next);
    at = next;
    steps += what.pattern.includes('(') ? text.length - at : 1;
    if (steps > MOST_STEPS || result.length > LONGEST_RESULT) break;
    const end = find(at);
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
