// etcdctl 3.6: what an operator types to speak to etcd's members. It finds the command, reads its flags and the environment, and
// runs it; how each command ends is in exit.ts.
import {distance} from '../../api/meta/spelling.ts';
import type {Program} from '../../sim/process/machine.ts';
import type {Process} from '../../sim/process/process.ts';
import {readFlags} from '../flags/pflags.ts';
import type {Command, Format} from './command.ts';
import {COMMANDS, GROUPS} from './commands/index.ts';
import {clientFor, GLOBAL_FLAGS, setting} from './connection.ts';
import {Ended, EXIT} from './exit.ts';
import {commandHelp, groupHelp, helpText} from './help.ts';

const PROGRAM = 'etcdctl';
const HELP = {name: 'help', short: 'h', type: 'bool'} as const;
const FORMATS: readonly string[] = ['simple', 'table', 'json', 'fields', 'protobuf'];

/** The program. */
export const etcdctl: Program = async process => {
  try {
    return await run(process);
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    if (error.message !== '') await process.err(`Error: ${error.message}\n`);
    return error.code;
  }
};

async function run(process: Process): Promise<number> {
  const words = process.argv.slice(1);
  const named = words.filter(word => !word.startsWith('-'));
  const command = findCommand(named);
  const [group = ''] = named;
  if (!command) return withoutCommand(process, words, group);
  const typed = readFlags(words, [...GLOBAL_FLAGS, HELP, ...(command.flags ?? [])]);
  if (!typed.ok) return badFlag(process, typed.message, commandHelp(PROGRAM, command, GLOBAL_FLAGS));
  if (typed.flags.on('help')) {
    await process.out(commandHelp(PROGRAM, command, GLOBAL_FLAGS));
    return 0;
  }
  const format = setting(process, typed.flags, 'write-out');
  if (!FORMATS.includes(format)) throw new Ended('unsupported output format', EXIT.feature);
  const client = await clientFor(process, typed.flags);
  const rest = typed.words.slice(command.path.split(' ').length);
  await command.run({process, client, words: rest, flags: typed.flags, format: format as Format});
  return 0;
}

// The words of a command may stand among flags with values, so each word is tried as its beginning.
function findCommand(named: readonly string[]): Command | undefined {
  for (let i = 0; i < named.length; i++) {
    const [first = '', second = ''] = named.slice(i);
    const found =
      COMMANDS.find(({path}) => path === `${first} ${second}`) ??
      COMMANDS.find(({path}) => path === (first === 'compaction' ? 'compact' : first));
    if (found) return found;
    if (i === 0 && Object.hasOwn(GROUPS, first)) return undefined;
  }
  return undefined;
}

async function withoutCommand(process: Process, words: readonly string[], group: string): Promise<number> {
  const typed = readFlags(words, [...GLOBAL_FLAGS, HELP]);
  const short = GROUPS[group];
  const help =
    short === undefined
      ? helpText({
          program: PROGRAM,
          name: '',
          short: 'A simple command line client for etcd3.',
          usage: '[flags]',
          commands: COMMANDS.map(({path, short: says}) => [path, says] as const),
          options: [],
          globals: GLOBAL_FLAGS,
        })
      : groupHelp(PROGRAM, group, {
          short,
          commands: COMMANDS.filter(({path}) => path.startsWith(`${group} `)),
          globals: GLOBAL_FLAGS,
        });
  if (!typed.ok) return badFlag(process, typed.message, help);
  if (short === undefined && group !== '' && group !== 'help') {
    const near = suggestions(group).map(name => `\t${name}\n`);
    const hint = near.length > 0 ? `\nDid you mean this?\n${near.join('')}\n` : '';
    await process.err(`Error: unknown command ${JSON.stringify(group)} for "etcdctl"\n${hint}Run 'etcdctl --help' for usage.\n`);
    return EXIT.error;
  }
  await process.out(help);
  return 0;
}

/** Commands that are spelled nearly so, or that begin so. */
function suggestions(typo: string): string[] {
  const names = [...new Set(COMMANDS.map(({path}) => path.split(' ')[0] ?? ''))];
  return names.filter(name => distance(typo, name) <= 2 || name.startsWith(typo));
}

async function badFlag(process: Process, message: string, help: string): Promise<number> {
  await process.err(`Error: ${message}\n\n`);
  await process.out(help);
  return EXIT.error;
}
