// Patterns of `/` and `:s`, in vi's way of writing: `+ ? | ( ) {` are letters until a backslash stands before them. They are
// matched by the same engine as all patterns of the game, so that none can freeze it.
import {compileRegex, type GoRegex} from '../../../../api/regex/regex.ts';
import type {Place} from './motions.ts';

const SIGNS_WITH_BACKSLASH = new Map([
  ['<', '\\b'],
  ['>', '\\b'],
  ['=', '?'],
  ['+', '+'],
  ['?', '?'],
  ['|', '|'],
  ['(', '('],
  [')', ')'],
  ['{', '{'],
  ['}', '}'],
  ['/', '/'],
  ['c', '(?i)'],
  ['C', ''],
]);

/** A pattern ready to be looked for; undefined where it makes no sense. */
export function compilePattern(pattern: string, ignoreCase = false): GoRegex | undefined {
  let written = ignoreCase ? '(?i)' : '';
  for (let at = 0; at < pattern.length; at++) {
    const sign = pattern[at] ?? '';
    if (sign === '\\') {
      const next = pattern[++at] ?? '\\';
      written += SIGNS_WITH_BACKSLASH.get(next) ?? `\\${next}`;
    } else if (sign === '[' && pattern.includes(']', at + 2)) {
      const end = pattern.indexOf(']', at + 2);
      written += pattern.slice(at, end + 1);
      at = end;
    } else if (/[+?|(){}[\]]/.test(sign) || (sign === '*' && at === 0)) written += `\\${sign}`;
    else if (sign === '^' && at > 0 && !/\\[(|]$/.test(pattern.slice(0, at))) written += '\\^';
    else if (sign === '$' && at < pattern.length - 1 && !/^\\[)|]/.test(pattern.slice(at + 1))) written += '\\$';
    else written += sign;
  }
  const regex = compileRegex(written);
  return 'error' in regex ? undefined : regex;
}

/** The next place where a pattern is found, round the end of the text. */
export function findPattern(lines: readonly string[], regex: GoRegex, at: Place, by: 1 | -1): Place | undefined {
  for (let step = 0; step <= lines.length; step++) {
    const row = (at.row + by * step + lines.length * 2) % lines.length;
    const columns = starts([...(lines[row] ?? '')], regex);
    const here = step === 0 ? columns.filter(column => (by === 1 ? column > at.column : column < at.column)) : columns;
    const column = by === 1 ? here[0] : here.at(-1);
    if (column !== undefined) return {row, column};
  }
  return undefined;
}

function starts(letters: readonly string[], regex: GoRegex): readonly number[] {
  const found: number[] = [];
  for (let from = 0; from <= letters.length;) {
    const [start, end] = regex.find(letters, from) ?? [];
    if (start === undefined || end === undefined || (start === letters.length && letters.length > 0)) break;
    found.push(start);
    from = Math.max(end, start + 1);
  }
  return found;
}

/** A line with a pattern's places replaced, and how many they were. */
export function substitute(
  line: string,
  regex: GoRegex,
  to: string,
  everywhere: boolean,
): {readonly line: string; readonly times: number} {
  const letters = [...line];
  let [out, from, times] = ['', 0, 0];
  while (from <= letters.length) {
    const match = regex.find(letters, from);
    const [start = -1, end = -1] = match ?? [];
    if (!match || start < 0) break;
    out += letters.slice(from, start).join('') + filled(to, match, letters);
    times++;
    if (end === start) out += letters[end] ?? '';
    from = end === start ? end + 1 : end;
    if (!everywhere) break;
  }
  return {line: out + letters.slice(from).join(''), times};
}

/** `&` and `\1` stand for what was found, `\r` for a line's end. */
function filled(to: string, match: readonly number[], letters: readonly string[]): string {
  const group = (number: number): string => {
    const [start = -1, end = -1] = match.slice(number * 2, number * 2 + 2);
    return start < 0 ? '' : letters.slice(start, end).join('');
  };
  return to.replaceAll(/\\(.)|&/g, (whole, sign: string | undefined) => {
    if (whole === '&') return group(0);
    if (/\d/.test(sign ?? '')) return group(Number(sign));
    return sign === 'r' || sign === 'n' ? '\n' : sign === 't' ? '  ' : (sign ?? '');
  });
}
