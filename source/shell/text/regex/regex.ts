// Regular expressions for grep, sed, `[[ =~ ]]` and the others. They are matched by our own threads (match.ts), never by the
// host's backtracking, which some patterns make take for ever. Two kinds cannot be: those with references to earlier groups
// (`\(a\)\1`) and Perl's; those are matched by our own search with a bound on its steps (backtrack.ts).
import {Matcher} from './match.ts';
import type {Span} from './match.ts';
import {Backtracker} from './backtrack.ts';
import {parseRegex} from './parse.ts';
import {parsePerl} from './perl.ts';
import type {Parsed} from './tree.ts';
import type {Rules} from './parse.ts';
import {compileTree} from './program.ts';
import type {Instruction} from './program.ts';

/** A match: where it lies, and its groups, the whole first. */
export interface RegexMatch extends Span {
  readonly groups: readonly (string | undefined)[];
}

/** An expression, or the words of libc for what is wrong with it. */
export type Regex =
  | {
      readonly ok: true;
      /** How many groups it has. */
      readonly groups: number;
      readonly find: (text: string, from: number) => RegexMatch | undefined;
      /** Only where it lies: cheaper. */
      readonly locate: (text: string, from: number) => Span | undefined;
      /** Was a search given up, as it took too long? Only where groups are referred to, and Perl's can be. */
      readonly isExhausted: () => boolean;
    }
  | {readonly ok: false; readonly words: string};

/** How the expression is written and compared. */
export interface RegexOptions {
  /** ERE, as of `grep -E` and `=~`; else BRE. */
  readonly extended: boolean;
  /** As Perl writes them. */
  readonly perl?: boolean;
  readonly ignoreCase?: boolean;
  /** `^` and `$` also stand at the ends of lines within the text. */
  readonly multiline?: boolean;
  /** As strict as POSIX (`=~`), or as sed, which takes no lone `)` either; absent: as free as grep. */
  readonly rules?: Rules;
}

const KEPT = 200;
const kept = new Map<string, Regex>();

/** Reads an expression. */
export function compileRegex(source: string, options: RegexOptions): Regex {
  const key = `${options.extended ? 'e' : 'b'}${options.perl ? 'p' : ''}${options.ignoreCase ? 'i' : ''}${options.multiline ? 'm' : ''}${options.rules ?? ''} ${source}`;
  let regex = kept.get(key);
  if (!regex) {
    regex = compile(source, options);
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value ?? '');
    kept.set(key, regex);
  }
  return regex;
}

function compile(source: string, options: RegexOptions): Regex {
  if (options.perl) return bySearch(parsePerl(source), options);
  const parsed = parseRegex(source, options.extended, {multiline: options.multiline === true, rules: options.rules});
  if (!parsed.ok) return parsed;
  if (parsed.hasReferences) return bySearch(parsed, options);
  const program = compileTree(parsed.node, options.ignoreCase === true);
  if (!program) return {ok: false, words: 'Regular expression too big'};
  const matcher = new Matcher(program);
  const first = firstText(program);
  const locate = (text: string, from: number): Span | undefined => {
    const start = first === '' ? from : text.indexOf(first, from);
    return start < 0 ? undefined : matcher.find(text, start);
  };
  return {
    ok: true,
    groups: parsed.groups,
    locate,
    isExhausted: () => false,
    find(text, from) {
      const span = locate(text, from);
      return span && {...span, groups: matcher.groups(text, span, parsed.groups)};
    },
  };
}

/** The text that every match begins with. */
function firstText(program: readonly Instruction[]): string {
  let text = '';
  for (const step of program) {
    if (step.kind === 'save') continue;
    if (step.kind !== 'char') break;
    text += String.fromCharCode(step.code);
  }
  return text;
}

/** By the matcher that goes back. */
function bySearch(parsed: Parsed & {readonly ignoreCase?: boolean}, options: RegexOptions): Regex {
  if (!parsed.ok) return parsed;
  const ignoreCase = options.ignoreCase === true || parsed.ignoreCase === true;
  const matcher = new Backtracker(parsed.node, parsed.groups, {ignoreCase, multiline: options.multiline === true});
  const find = (text: string, from: number): RegexMatch | undefined => matcher.find(text, from);
  return {ok: true, groups: parsed.groups, find, locate: find, isExhausted: () => matcher.isExhausted};
}
