// Running a text: `bash -c`, a script, `eval`, a trap. As in bash it is read command line by command line, so what stands before an
// error has run when the error is told, and a failure that ends a command line does not end the script.
import {readCommandLine} from '../syntax/grammar.ts';
import type {CommandLine} from '../syntax/grammar.ts';
import {parseScript} from '../syntax/parser.ts';
import {SyntaxProblem} from '../syntax/tokens.ts';
import type {CommandNode, Statements} from '../syntax/tree.ts';
import type {Shell} from '../state/shell.ts';
import {driveDeep, wait} from '../state/steps.ts';
import type {Steps} from '../state/steps.ts';
import {runList} from './statements.ts';

/** How a text is run: what its messages are said to come from (`-c`), and what may be done where it is not whole. */
export interface Reading {
  /** Stands between the shell's name and `line N` of a syntax error: `-c`, `eval`. */
  readonly origin?: string;
  /** A failure of one command line does not end the others: so at the top, not in `eval`. */
  readonly isTop?: boolean;
}

const TEXTS_A_STACK = 10;
const DEEPEST_TEXT = 1000;

/** Runs a text; its status. */
export function* runText(shell: Shell, text: string, reading: Reading = {}): Steps<number> {
  if (shell.depth >= DEEPEST_TEXT) return yield* shell.fail(`eval: maximum eval nesting level exceeded (${DEEPEST_TEXT})`);
  const {lineBase} = shell;
  const base = reading.isTop ? lineBase : shell.line - 1;
  shell.depth++;
  const steps = runLines(shell, {text, base, reading});
  const status = shell.depth % TEXTS_A_STACK === 0 ? yield* wait(driveDeep(steps)) : yield* steps;
  shell.depth--;
  shell.lineBase = lineBase;
  return status;
}

interface Lines {
  readonly text: string;
  readonly base: number;
  readonly reading: Reading;
}

function* runLines(shell: Shell, {text, base, reading}: Lines): Steps<number> {
  let at = 0;
  let line = base;
  let ran = false;
  while (at < text.length && !shell.unwind) {
    const read = endOf(text, at);
    const problem = read instanceof SyntaxProblem ? read : undefined;
    const unit = text.slice(at, read instanceof SyntaxProblem ? undefined : read.end);
    const parsed = parseScript(read instanceof SyntaxProblem ? unit : read.text);
    shell.lineBase = line;
    if (!parsed.ok || (problem && (!problem.isOpen || hasDeferred(parsed.script.statements)))) {
      yield* tell(shell, {text, base, reading}, problem ?? new SyntaxProblem(wordsOf(parsed), at, false));
      break;
    }
    if (parsed.script.statements.length > 0) ran = true;
    if (reading.origin === '-c') shell.ending = endingOf(parsed.script.statements, text.slice(at + unit.length));
    if (!shell.options.has('noexec') || shell.isInteractive) yield* runList(shell, parsed.script.statements);
    if (reading.isTop && isDiscard(shell)) shell.unwind = undefined;
    at += unit.length;
    for (const char of unit) if (char === '\n') line++;
  }
  if (!ran && !shell.unwind && reading.isTop) shell.status = 0;
  return shell.status;
}

/** The last command of a text, where it is a simple one: nothing is to be done after it. */
function endingOf(statements: Statements, rest: string): CommandNode | undefined {
  const last = statements.at(-1);
  const pipeline = last?.pipelines.at(-1);
  if (!last || !pipeline || last.background || pipeline.negated || pipeline.timed || rest.trim() !== '') return undefined;
  const [command] = pipeline.commands;
  return pipeline.commands.length === 1 && command?.type === 'SimpleCommand' ? command : undefined;
}

/** A failure ended a command line, not the script. */
function isDiscard(shell: Shell): boolean {
  return shell.unwind?.kind === 'discard' && !shell.isInteractive;
}

function hasDeferred(statements: readonly {deferredError?: unknown}[]): boolean {
  return statements.some(statement => statement.deferredError !== undefined);
}

/** Where the command line ends, or what is wrong with it. */
function endOf(text: string, at: number): CommandLine | SyntaxProblem {
  try {
    return readCommandLine(text, at);
  } catch (problem) {
    if (problem instanceof SyntaxProblem) return problem;
    // Thousands of commands within each other: the host's stack is at its end, and nothing else has happened.
    if (problem instanceof RangeError) return new SyntaxProblem('syntax error: commands are too deeply nested', at, false);
    throw problem;
  }
}

/** The parser's own words, where the grammar here found nothing wrong. */
function wordsOf(parsed: ReturnType<typeof parseScript>): string {
  const words = parsed.ok ? 'syntax error' : parsed.words.replace(/^(Parse error at \d+:\d+: |line \d+: )/, '');
  if (words.endsWith(': bad substitution')) return words;
  if (/nesting depth|call stack/.test(words)) return 'syntax error: commands are too deeply nested';
  return words.startsWith('syntax error') || words.startsWith('unexpected EOF') ? words : `syntax error: ${words}`;
}

function* tell(shell: Shell, {text, base, reading}: Lines, problem: SyntaxProblem): Steps {
  const isEnd = problem.isOpen && (problem.message.endsWith('end of file') || problem.at >= text.length);
  const whole = isEnd && !text.endsWith('\n') ? `${text}\n` : text;
  const line = base + whole.slice(0, isEnd ? whole.length : problem.at).split('\n').length;
  const isPrompt = shell.isInteractive && shell.source === shell.name && reading.origin === undefined;
  const isAtRun = problem.message.endsWith(': bad substitution');
  const place = isPrompt
    ? `${shell.source}: `
    : `${shell.source}: ${reading.origin === undefined || isAtRun ? '' : `${reading.origin}: `}line ${line}: `;
  yield* shell.printError(`${place}${problem.message}\n`);
  if (problem.message.includes('near unexpected token') && !isPrompt) {
    const from = text.lastIndexOf('\n', problem.at - 1) + 1;
    const end = text.indexOf('\n', from);
    yield* shell.printError(`${place}\`${text.slice(from, end < 0 ? undefined : end)}'\n`);
  }
  shell.status = isAtRun ? 1 : 2;
  if (reading.isTop) shell.unwind = {kind: shell.isInteractive ? 'discard' : 'exit'};
}

/** Is the text a beginning that more lines could complete? For the second prompt. */
export function isUnfinished(text: string): boolean {
  if (/(^|[^\\])(\\\\)*\\\n$/.test(text)) return true;
  let at = 0;
  while (at < text.length) {
    const read = endOf(text, at);
    if (read instanceof SyntaxProblem) return read.isOpen;
    if (hasOpenDocument(text.slice(at, read.end))) return true;
    at = read.end;
  }
  return false;
}

/** Does a here-document in the text lack its last line? */
function hasOpenDocument(text: string): boolean {
  for (const match of text.matchAll(/<<(-?)\s*(\\?[\w.]+|'[^'\n]*'|"[^"\n]*")/g)) {
    const delimiter = (match[2] ?? '').replace(/^\\|['"]/g, '');
    const lines = text.slice(match.index).split('\n').slice(1);
    if (match.index > 0 && text[match.index - 1] === '<') continue;
    if (!lines.some(line => (match[1] === '-' ? line.replace(/^\t+/, '') : line) === delimiter)) return true;
  }
  return false;
}
