// grep: lines are looked at as they come, so that `kubectl get -w | grep …` shows each when it happens.
import {FILE_ERROR_TEXT} from '../../sim/files.ts';
import {nameOf} from '../../sim/files.ts';
import {patternOf} from '../expansion/patterns.ts';
import type {Process} from '../../sim/process/process.ts';
import type {Program} from '../../sim/process/machine.ts';
import {makeProgram} from './arguments.ts';
import type {Given, Usage} from './arguments.ts';
import {closeInput, lineChunks, openInput, readWhole} from './input.ts';
import type {Input} from './input.ts';
import {makeMatcher} from './grep-matcher.ts';
import type {Matcher} from './grep-matcher.ts';
import {Printer} from './grep-printer.ts';

const USAGE: Usage = {
  name: 'grep',
  synopsis: '[OPTION]... PATTERNS [FILE]...',
  summary: 'Search for PATTERNS in each FILE.',
  letters: 'A:B:C:EFGHILPRacde:f:hilm:noqrsvwxyzZb0::1:2:3:',
  long: {
    'extended-regexp': 'E',
    'fixed-strings': 'F',
    'basic-regexp': 'G',
    'perl-regexp': 'P',
    regexp: 'e',
    file: 'f',
    'ignore-case': 'i',
    'no-ignore-case': 'y',
    'invert-match': 'v',
    'word-regexp': 'w',
    'line-regexp': 'x',
    count: 'c',
    color: '0',
    colour: '0',
    'files-without-match': 'L',
    'files-with-matches': 'l',
    'max-count': 'm',
    'only-matching': 'o',
    quiet: 'q',
    silent: 'q',
    'no-messages': 's',
    'with-filename': 'H',
    'no-filename': 'h',
    'line-number': 'n',
    'after-context': 'A',
    'before-context': 'B',
    context: 'C',
    recursive: 'r',
    'dereference-recursive': 'R',
    include: '1',
    exclude: '2',
    'exclude-dir': '3',
    text: 'a',
    'line-buffered': 'd',
    'byte-offset': 'b',
    null: 'Z',
    'null-data': 'z',
  },
  hint: "Usage: grep [OPTION]... PATTERNS [FILE]...\nTry 'grep --help' for more information.",
  failure: 2,
  countLetter: 'C',
};

/** Makes grep, or egrep and fgrep, which are grep with an option. */
function grepAs(name: string, usual: 'E' | 'F' | ''): Program {
  return makeProgram({...USAGE, name}, (process, given) => run(process, given, usual));
}

export const grep = grepAs('grep', '');
export const egrep = grepAs('egrep', 'E');
export const fgrep = grepAs('fgrep', 'F');

async function run(process: Process, given: Given, usual: string): Promise<number> {
  const {patterns, operands, problem} = await patternsOf(process, given);
  if (problem !== undefined) {
    await process.err(problem);
    return 2;
  }
  const matcher = makeMatcher(patterns, {
    extended: given.has('E') || usual === 'E',
    perl: given.has('P'),
    fixed: given.has('F') || usual === 'F',
    ignoreCase: given.has('i') || given.has('y'),
    words: given.has('w'),
    lines: given.has('x'),
  });
  if (typeof matcher === 'string') {
    await process.err(`grep: ${matcher}\n`);
    return 2;
  }
  const isRecursive = given.has('r') || given.has('R');
  const names = operands.length > 0 ? operands : [isRecursive ? '.' : '-'];
  const job: Job = {
    process,
    given,
    matcher,
    isRecursive,
    withNames: given.has('H') || (!given.has('h') && (names.length > 1 || isRecursive)),
    found: false,
    failed: false,
  };
  for (const name of names) {
    await search(job, name, operands.length === 0 && isRecursive);
    if (job.found && given.has('q')) return 0;
  }
  return job.failed ? 2 : job.found ? 0 : 1;
}

interface Patterns {
  readonly patterns: readonly string[];
  readonly operands: readonly string[];
  readonly problem?: string;
}

async function patternsOf(process: Process, given: Given): Promise<Patterns> {
  const texts = [...given.values('e')];
  for (const name of given.values('f')) {
    const input = await openInput(process, name, 'grep');
    if (!input) return {patterns: [], operands: [], problem: ''};
    const text = await readWhole(process, input.fd);
    closeInput(process, input);
    if (text !== '') texts.push(text.replace(/\n$/, ''));
  }
  if (given.has('e') || given.has('f')) return {patterns: texts.flatMap(text => text.split('\n')), operands: given.operands};
  const [first, ...operands] = given.operands;
  if (first === undefined) {
    return {
      patterns: [],
      operands,
      problem: "Usage: grep [OPTION]... PATTERNS [FILE]...\nTry 'grep --help' for more information.\n",
    };
  }
  return {patterns: first.split('\n'), operands};
}

interface Job {
  readonly process: Process;
  readonly given: Given;
  readonly matcher: Matcher;
  readonly isRecursive: boolean;
  readonly withNames: boolean;
  found: boolean;
  failed: boolean;
}

async function search(job: Job, name: string, isImplied: boolean): Promise<void> {
  const {process, given} = job;
  const path = process.path(name);
  if (name !== '-' && process.machine.files.isFolder(path)) {
    if (!job.isRecursive) {
      if (!given.has('s')) await process.err(`grep: ${name}: ${FILE_ERROR_TEXT.EISDIR}\n`);
      return;
    }
    for (const each of process.machine.files.list(path) ?? []) {
      const child = isImplied ? each : `${name.replace(/\/$/, '')}/${each}`;
      if (isWanted(job, child)) await search(job, child, false);
      if (job.found && given.has('q')) return;
    }
    return;
  }
  const opened = given.has('s') ? await openQuietly(process, name) : await openInput(process, name, 'grep');
  if (!opened) {
    job.failed = true;
    return;
  }
  if (await searchInput(job, opened)) job.found = true;
  closeInput(process, opened);
}

async function openQuietly(process: Process, name: string): Promise<Input | undefined> {
  return name === '-' || process.machine.files.info(process.path(name)) ? openInput(process, name, 'grep') : undefined;
}

function isWanted({process, given}: Job, name: string): boolean {
  const base = nameOf(name);
  const matches = (letter: string): boolean => given.values(letter).some(source => patternOf(source).matches(base));
  if (process.machine.files.isFolder(process.path(name))) return !matches('3');
  return !matches('2') && (given.values('1').length === 0 || matches('1'));
}

/** Are matches shown in colour? `--color` alone means: on a terminal. */
function isPainted(process: Process, given: Given): boolean {
  if (!given.has('0')) return false;
  const when = given.value('0') ?? 'auto';
  return when === 'always' || (when === 'auto' && process.streams.get(1)?.isTerminal === true);
}

/** Looks at the lines of one input; was there any? */
async function searchInput(job: Job, input: Input): Promise<boolean> {
  const {process, given, matcher} = job;
  const title = input.name === '-' ? '(standard input)' : input.name;
  const printer = new Printer(given, job.withNames ? title : undefined, isPainted(process, given));
  const most = Number(given.value('m') ?? Infinity);
  const isQuiet = given.has('q') || given.has('l') || given.has('L') || given.has('c');
  const isInverted = given.has('v');
  let count = 0;
  let text = '';
  search: for await (const lines of lineChunks(process, input.fd)) {
    for (const line of lines) {
      const isHit = matcher.test(line) !== isInverted;
      if (matcher.isExhausted()) {
        await process.err(`grep: ${title}: exceeded PCRE's backtracking limit\n`);
        job.failed = true;
        break search;
      }
      if (isHit && count < most) {
        count++;
        if (given.has('q')) return true;
        if (given.has('l') || given.has('L')) break search;
      }
      if (!isQuiet) text += printer.line(line, isHit && count <= most, isInverted ? undefined : matcher);
      if (count >= most && printer.isDone) break search;
    }
    if (text !== '') await process.out(text);
    text = '';
  }
  if (text !== '') await process.out(text);
  if (given.has('c')) await process.out(`${job.withNames ? `${title}:` : ''}${count}\n`);
  if (given.has('l') ? count > 0 : given.has('L') && count === 0) await process.out(given.has('Z') ? `${title}\0` : `${title}\n`);
  return given.has('L') ? count === 0 : count > 0;
}
