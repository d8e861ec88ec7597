// The functions of awk that only compute.
import {compileRegex} from '../../text/regex/regex.ts';
import type {Regex} from '../../text/regex/regex.ts';
import {AwkProblem} from './tokens.ts';

/** An expression, or an AwkProblem for one that is wrong. */
export function regexOf(source: string): Extract<Regex, {ok: true}> {
  const regex = compileRegex(source, {extended: true});
  if (!regex.ok) throw new AwkProblem(`regular expression compile failed (${regex.words})\n${source}`);
  return regex;
}

/** `sub`, `gsub` and gawk's `gensub`: the text with replacements, and how many there were. `nth` 0: all of them. */
export function replaced(
  text: string,
  pattern: string,
  task: {replacement: string; nth: number; hasGroups: boolean},
): {text: string; count: number} {
  const regex = regexOf(pattern);
  let out = '';
  let copied = 0;
  let seen = 0;
  let count = 0;
  let before = -1;
  for (let from = 0; from <= text.length;) {
    const match = regex.find(text, from);
    if (!match) break;
    const isEmpty = match.end === match.start;
    from = isEmpty ? match.end + 1 : match.end;
    if (isEmpty && match.start === before) continue;
    before = match.end;
    seen++;
    if (task.nth > 0 && seen < task.nth) continue;
    out += text.slice(copied, match.start) + filled(task, match.groups);
    copied = match.end;
    count++;
    if (task.nth > 0) break;
  }
  return {text: out + text.slice(copied), count};
}

function filled(
  {replacement, hasGroups}: {replacement: string; hasGroups: boolean},
  groups: readonly (string | undefined)[],
): string {
  return replacement.replace(/\\([^])|&/g, (all, escaped: string | undefined) => {
    if (escaped === undefined) return groups[0] ?? '';
    if (escaped === '&') return '&';
    if (escaped === '\\') return '\\';
    return hasGroups && /[0-9]/.test(escaped) ? (groups[Number(escaped)] ?? '') : all;
  });
}

/** `substr`: positions are rounded, and may lie outside. */
export function piece(text: string, start: number, length: number | undefined): string {
  const from = Math.round(start);
  const to = length === undefined ? Infinity : from + Math.round(length);
  if (Number.isNaN(from) || Number.isNaN(to)) return '';
  return text.slice(Math.max(0, from - 1), Math.max(0, to - 1));
}

const MODULUS = 2_147_483_647;

/** Chance that repeats with the seed. */
export class Chance {
  #state = 1;
  seed = 0;

  start(seed: number): number {
    const before = this.seed;
    this.seed = seed;
    this.#state = (Math.abs(Math.trunc(seed)) * 48_271 + 11) % MODULUS || 1;
    for (let index = 0; index < 5; index++) this.next();
    return before;
  }

  next(): number {
    this.#state = (this.#state * 16_807) % MODULUS;
    return this.#state / MODULUS;
  }
}
