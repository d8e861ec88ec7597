import {compileRegex} from '../text/regex/regex.ts';

/** Finds the patterns of grep in lines. */
export interface Matcher {
  test(line: string): boolean;
  /** The pieces that match, from left to right, for `-o` and colours. */
  spans(line: string): readonly Span[];
  /** Was a search given up, as it took too long? */
  isExhausted(): boolean;
}

/** How patterns are written and compared. */
export interface MatcherOptions {
  readonly extended: boolean;
  readonly perl: boolean;
  readonly fixed: boolean;
  readonly ignoreCase: boolean;
  readonly words: boolean;
  readonly lines: boolean;
}

/** Where a piece lies. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

type Find = (line: string, from: number) => Span | undefined;

/** Makes a matcher for several patterns, or says what is wrong with one. */
export function makeMatcher(patterns: readonly string[], options: MatcherOptions): Matcher | string {
  const finds: Find[] = [];
  const limits: (() => boolean)[] = [];
  for (const pattern of patterns) {
    const find = options.fixed ? fixedFind(pattern, options.ignoreCase) : regexFind(pattern, options, limits);
    if (typeof find === 'string') return find;
    finds.push(restricted(find, options));
  }
  const first: Find = (line, from) => {
    let best: Span | undefined;
    for (const find of finds) {
      const span = find(line, from);
      if (span && (!best || span.start < best.start || (span.start === best.start && span.end > best.end))) best = span;
    }
    return best;
  };
  return {
    isExhausted: () => limits.some(isOver => isOver()),
    test: line => finds.some(find => find(line, 0) !== undefined),
    spans(line) {
      const pieces: Span[] = [];
      for (let from = 0; from <= line.length;) {
        const span = first(line, from);
        if (!span) break;
        if (span.end > span.start) pieces.push(span);
        from = span.end > span.start ? span.end : span.end + 1;
      }
      return pieces;
    },
  };
}

function fixedFind(pattern: string, ignoreCase: boolean): Find {
  const needle = ignoreCase ? pattern.toLowerCase() : pattern;
  return (line, from) => {
    const start = (ignoreCase ? line.toLowerCase() : line).indexOf(needle, from);
    return start < 0 ? undefined : {start, end: start + needle.length};
  };
}

function regexFind(pattern: string, options: MatcherOptions, limits: (() => boolean)[]): Find | string {
  const {extended, perl, ignoreCase, lines} = options;
  const whole = extended || perl ? `^(${pattern})$` : `^\\(${pattern}\\)$`;
  const regex = compileRegex(lines ? whole : pattern, {extended, perl, ignoreCase});
  if (!regex.ok) return regex.words;
  limits.push(regex.isExhausted);
  return regex.locate;
}

/** `-x` wants the whole line, `-w` no letters beside the match. */
function restricted(find: Find, options: MatcherOptions): Find {
  if (options.lines) {
    return (line, from) => {
      const span = from === 0 ? find(line, 0) : undefined;
      return span?.start === 0 && span.end === line.length ? span : undefined;
    };
  }
  if (!options.words) return find;
  const isLetter = (char: string | undefined): boolean => char !== undefined && /\w/.test(char);
  return (line, from) => {
    for (let at = from; at <= line.length;) {
      const span = find(line, at);
      if (!span) return undefined;
      if (!isLetter(line[span.start - 1]) && !isLetter(line[span.end])) return span;
      at = span.start + 1;
    }
    return undefined;
  };
}
