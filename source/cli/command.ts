// A subcommand is a value: its words, its flags, two examples, and what it does. Help and errors are made from it, so they cannot
// say something else than what is true.
import {parseArgs, type ParseArgsConfig} from 'node:util';

export type Options = NonNullable<ParseArgsConfig['options']>;

/** What was typed. */
export interface Typed {
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
  readonly words: readonly string[];
}

export interface Command {
  readonly name: string;
  /** After `crashloop `. */
  readonly usage: string;
  readonly summary: string;
  /** Each flag with a sentence. */
  readonly flags: readonly {readonly name: string; readonly value?: string; readonly says: string}[];
  /** How many words may follow. */
  readonly words: {readonly least: number; readonly most: number};
  readonly examples: readonly [string, string];
  /** Does it, and returns the exit code. */
  run(typed: Typed): Promise<number>;
}

/** A wrong use: one sentence, exit code 2. */
export class UsageError extends Error {}

/** Reads a command's flags and words; throws a UsageError. */
export function readTyped(command: Command, argv: readonly string[]): Typed {
  const options: Options = {help: {type: 'boolean', short: 'h'}};
  for (const {name, value} of command.flags) options[name] = {type: value === undefined ? 'boolean' : 'string'};
  const typed = parse(command, argv, options);
  const {least, most} = command.words;
  if (typed.flags['help'] !== true && typed.words.length < least)
    throw new UsageError(`crashloop ${command.name}: something is missing: crashloop ${command.usage}`);
  if (typed.words.length > most)
    throw new UsageError(
      `crashloop ${command.name}: ${JSON.stringify(typed.words[most])} is one word too many: crashloop ${command.usage}`,
    );
  return typed;
}

function parse(command: Command, argv: readonly string[], options: Options): Typed {
  try {
    const {values, positionals} = parseArgs({args: [...argv], options, allowPositionals: true, strict: true});
    return {flags: values as Typed['flags'], words: positionals};
  } catch (error) {
    const words = error instanceof Error ? (error.message.split('. ')[0] ?? '') : '';
    throw new UsageError(
      `crashloop ${command.name}: ${words.charAt(0).toLowerCase()}${words.slice(1)}; see crashloop ${command.name} --help`,
    );
  }
}

/** The help of a command. */
export function helpOf(command: Command): string {
  const flags = [
    ...command.flags.map(({name, value, says}) => [`--${name}${value === undefined ? '' : ` ${value}`}`, says] as const),
    ['-h, --help', 'shows this'] as const,
  ];
  const width = Math.max(...flags.map(([flag]) => flag.length));
  return [
    `crashloop ${command.usage}`,
    '',
    command.summary,
    '',
    'Flags:',
    ...flags.map(([flag, says]) => `  ${flag.padEnd(width)}  ${says}`),
    '',
    'Examples:',
    ...command.examples.map(example => `  ${example}`),
    '',
  ].join('\n');
}

/** A whole number in a flag. */
export function numberFlag(typed: Typed, name: string): number | undefined {
  const text = typed.flags[name];
  if (typeof text !== 'string') return undefined;
  if (!/^\d+$/.test(text)) throw new UsageError(`--${name} takes a whole number, not ${JSON.stringify(text)}`);
  return Number(text);
}
