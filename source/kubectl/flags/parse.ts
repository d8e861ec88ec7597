// Reads a command line: first which command it names, then its flags and arguments. Flags and arguments may be mixed; `--` ends
// the flags; `-abc` is three flags, or one with its value; a flag that may stand bare takes a value only after `=`.
import {distance} from '../../api/meta/spelling.ts';
import {goQuote} from '../../api/meta/go-text.ts';
import {parseGoDuration} from '../../api/meta/time.ts';
import {fail, Failure, failRaw} from '../failure.ts';
import {childOf, commandsByUse, findCommand, flagsOf, type CommandSpec, type FlagSpec} from './catalogue.ts';
import {splitCommas, splitPairs} from './commas.ts';
import {Values} from './values.ts';

/** What a flag of 32 bits holds. */
const LARGEST = 2_147_483_647n;
/** What the others hold. */
const LARGEST_INT = 9_223_372_036_854_775_807n;
/** Flags of 32 bits. */
const SHORT = new Set([
  'kubectl create deployment port',
  'kubectl create deployment replicas',
  'kubectl create priorityclass value',
  'kubectl autoscale max',
  'kubectl autoscale min',
]);

/** A command line that was understood: which command, with what. */
export interface CommandLine {
  readonly command: CommandSpec;
  readonly values: Values;
}

/** Reads the words after `kubectl`. */
export function parseCommandLine(words: readonly string[]): CommandLine | Failure {
  const found = findLine(words);
  if (found instanceof Failure) return found;
  const {command, rest} = found;
  const read = readFlags(command, rest);
  return 'problem' in read ? refusal(command, read.problem) : {command, values: read.values};
}

/** Which command the words after `kubectl` name; there must be one, or none of them names anything. */
export function findLine(words: readonly string[]): {command: CommandSpec; rest: readonly string[]} | Failure {
  const root = findCommand('kubectl') as CommandSpec;
  const found = findIn(root, words);
  const unknown = found.command === root ? positionals(root, words)[0] : undefined;
  return unknown === undefined || unknown.afterDash ? found : unknownCommand(unknown.word);
}

/** Which command the words name, and the words that are left when its names are taken away. */
export function findIn(command: CommandSpec, words: readonly string[]): {command: CommandSpec; rest: readonly string[]} {
  const first = positionals(command, words)[0];
  const child = first && !first.afterDash ? childOf(command.path, first.word) : undefined;
  if (!first || !child) return {command, rest: words};
  return findIn(child, words.toSpliced(first.index, 1));
}

interface Positional {
  readonly word: string;
  readonly index: number;
  readonly afterDash: boolean;
}

/** The words that are neither flags nor their values. */
function positionals(command: CommandSpec, words: readonly string[]): Positional[] {
  const specs = flagsOf(command);
  const found: Positional[] = [];
  let afterDash = false;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (afterDash || !word.startsWith('-') || word === '-') found.push({word, index, afterDash});
    else if (word === '--') afterDash = true;
    else if (takesNext(specs, word)) index++;
  }
  return found;
}

function takesNext(specs: readonly FlagSpec[], word: string): boolean {
  if (word.includes('=')) return false;
  const isLong = word.startsWith('--');
  if (!isLong && word.length !== 2) return false;
  // Of a flag that is not known nobody knows that it stands without a value.
  return specs.find(spec => (isLong ? spec.name === word.slice(2) : spec.shorthand === word[1]))?.bare === undefined;
}

interface Reading {
  /** The command's. */
  readonly path: string;
  readonly specs: readonly FlagSpec[];
  readonly words: readonly string[];
  readonly given: Map<string, string[]>;
  readonly written: string[];
  readonly notices: string[];
  /** The word that is read next. */
  at: number;
}

/** Reads the flags and arguments of a command; or the sentence that says what is wrong with them. */
export function readFlags(
  command: CommandSpec,
  words: readonly string[],
): {readonly values: Values} | {readonly problem: string} {
  const reading: Reading = {
    path: command.path,
    specs: flagsOf(command),
    words,
    given: new Map(),
    written: [],
    notices: [],
    at: 0,
  };
  const args: string[] = [];
  let argsBeforeDash: number | undefined;
  while (reading.at < words.length) {
    const word = words[reading.at++] ?? '';
    if (word === '--') {
      argsBeforeDash = args.length;
      args.push(...words.slice(reading.at));
      break;
    }
    if (!word.startsWith('-') || word === '-') args.push(word);
    else {
      const problem = word.startsWith('--') ? readLong(reading, word) : readShort(reading, word);
      if (problem !== undefined) return {problem};
    }
  }
  const {given, specs, written, notices} = reading;
  return {values: new Values(command, {given, specs, args, argsBeforeDash, written, notices})};
}

/** `diff` has words and an exit code of its own, as 1 tells of a difference. */
function refusal({path}: CommandSpec, problem: string): Failure {
  return path === 'kubectl diff'
    ? failRaw(`error: ${problem}\nSee '${path} -h' for help and examples\n`, 2)
    : fail(`${problem}\nSee '${path} --help' for usage.`);
}

function readLong(reading: Reading, word: string): string | undefined {
  const [, name = '', value] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(word) ?? [];
  if (name === '' || name.startsWith('-')) return `bad flag syntax: ${word}`;
  const spec = reading.specs.find(flag => flag.name === name);
  if (!spec) return `unknown flag: --${name}`;
  if (value !== undefined) return setFlag(reading, spec, value);
  if (spec.bare !== undefined) return setFlag(reading, spec, spec.bare);
  if (reading.at >= reading.words.length) return `flag needs an argument: --${name}`;
  return setFlag(reading, spec, reading.words[reading.at++] ?? '');
}

function readShort(reading: Reading, word: string): string | undefined {
  for (let i = 1; i < word.length; i++) {
    const letter = word[i] ?? '';
    const spec = reading.specs.find(flag => flag.shorthand === letter);
    if (!spec) return `unknown shorthand flag: ${quoteLetter(letter)} in -${word.slice(i)}`;
    const rest = word.slice(i + 1);
    if (rest.startsWith('=') && rest.length > 0) return setFlag(reading, spec, rest.slice(1));
    if (spec.bare !== undefined) {
      const problem = setFlag(reading, spec, spec.bare);
      if (problem !== undefined) return problem;
      continue;
    }
    if (rest !== '') return setFlag(reading, spec, rest);
    if (reading.at >= reading.words.length) return `flag needs an argument: ${quoteLetter(letter)} in -${word.slice(i)}`;
    return setFlag(reading, spec, reading.words[reading.at++] ?? '');
  }
  return undefined;
}

function quoteLetter(letter: string): string {
  return `'${letter}'`;
}

function setFlag(reading: Reading, spec: FlagSpec, value: string): string | undefined {
  const isShort = spec.name === 'v' || SHORT.has(`${reading.path} ${spec.name}`);
  const parts = spec.pairs ? splitPairs(value) : spec.type === 'list' ? splitCommas(value) : {values: [value]};
  const problem = 'error' in parts ? parts.error : problemWith(spec, value, isShort);
  if (problem !== undefined) return `invalid argument ${goQuote(value)} for ${goQuote(flagText(spec))} flag: ${problem}`;
  if (spec.deprecated !== undefined) reading.notices.push(`Flag --${spec.name} has been deprecated, ${spec.deprecated}\n`);
  reading.written.push(`--${spec.name}=${value}`);
  const before = reading.given.get(spec.name);
  const isMany = spec.type === 'list' || spec.type === 'array';
  reading.given.set(spec.name, [...(isMany && before ? before : []), ...('values' in parts ? parts.values : [])]);
  return undefined;
}

/** `-n, --namespace`, as messages and help name a flag. */
export function flagText(spec: FlagSpec): string {
  return spec.shorthand ? `-${spec.shorthand}, --${spec.name}` : `--${spec.name}`;
}

function problemWith(spec: FlagSpec, value: string, isShort: boolean): string | undefined {
  if (spec.type === 'bool' && !/^(1|t|T|TRUE|true|True|0|f|F|FALSE|false|False)$/.test(value)) {
    return `strconv.ParseBool: parsing ${goQuote(value)}: invalid syntax`;
  }
  if (spec.name === 'aggregation-rule' && value.split(',').some(part => part !== '' && !part.includes('=')))
    return 'malformed pair, expect string=string';
  if (spec.name === 'vmodule' && value.split(',').some(part => part !== '' && !/^[^=]+=\d+$/.test(part)))
    return 'syntax error: expect comma-separated list of filename=N';
  // The log's library reads plain digits.
  if (spec.name === 'v' && !/^[+-]?\d+$/.test(value)) return `strconv.ParseInt: parsing ${goQuote(value)}: invalid syntax`;
  if (spec.name === 'v') return problemWithNumber(value.replace(/^([+-]?)0+(?=\d)/, '$1'), LARGEST);
  if (spec.type === 'int') return problemWithNumber(value, isShort ? LARGEST : LARGEST_INT);
  if (spec.type === 'duration') {
    const parsed = parseGoDuration(value);
    // This one is read by the log's own library, which is short of words.
    return 'error' in parsed ? (spec.name === 'log-flush-frequency' ? 'parse error' : parsed.error) : undefined;
  }
  return undefined;
}

function problemWithNumber(value: string, largest: bigint): string | undefined {
  const [, sign = '', digits] = /^([+-]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]*|[1-9][0-9_]*)$/.exec(value) ?? [];
  if (digits === undefined) return `strconv.ParseInt: parsing ${goQuote(value)}: invalid syntax`;
  const number = BigInt(digits.replaceAll('_', '').replace(/^0[oO]?(?=\d)/, '0o'));
  return number > (sign === '-' ? largest + 1n : largest)
    ? `strconv.ParseInt: parsing ${goQuote(value)}: value out of range`
    : undefined;
}

function unknownCommand(word: string): Failure {
  const near = commandsByUse().filter(
    ({name}) => name.toLowerCase().startsWith(word.toLowerCase()) || distance(word.toLowerCase(), name) <= 2,
  );
  const hint = near.length > 0 ? `\n\nDid you mean this?\n${near.map(({name}) => `\t${name}\n`).join('')}` : '';
  return fail(`unknown command ${goQuote(word)} for "kubectl"${hint}`);
}
