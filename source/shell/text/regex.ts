import {toJavaScript} from './regex-syntax.ts';

/** A match: where it begins and ends, and its groups, the whole first. */
export interface RegexMatch {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly (string | undefined)[];
}

/** A regular expression, or grep's words for what is wrong with it. */
export type Regex =
  | {readonly ok: true; readonly find: (text: string, from: number) => RegexMatch | undefined}
  | {readonly ok: false; readonly words: string};

/** How the expression is written and compared. */
export interface RegexOptions {
  /** ERE, as of `grep -E` and `=~`; else BRE. */
  readonly extended: boolean;
  /** As Perl writes them, of which JavaScript's are near enough. */
  readonly perl?: boolean;
  readonly ignoreCase?: boolean;
}

/** Reads a POSIX expression. */
export function compileRegex(source: string, options: RegexOptions): Regex {
  const translated = options.perl ? {ok: true as const, source} : toJavaScript(source, options.extended);
  if (!translated.ok) return translated;
  let regex: RegExp;
  try {
    regex = new RegExp(translated.source, options.ignoreCase ? 'gid' : 'gd');
  } catch {
    return {ok: false, words: 'Invalid regular expression'};
  }
  return {
    ok: true,
    find(text, from) {
      regex.lastIndex = from;
      const match = regex.exec(text);
      return match ? {start: match.index, end: match.index + match[0].length, groups: [...match]} : undefined;
    },
  };
}
