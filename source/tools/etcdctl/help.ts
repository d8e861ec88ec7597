// Help in the form of etcdctl.
import type {FlagSpec} from '../flags/pflags.ts';
import type {Command} from './command.ts';

interface HelpFacts {
  readonly program: string;
  readonly name: string;
  readonly short: string;
  readonly usage: string;
  readonly commands: readonly (readonly [string, string])[];
  readonly options: readonly FlagSpec[];
  readonly globals: readonly FlagSpec[];
}

/** The whole help. */
export function helpText({program, name, short, usage, commands, options, globals}: HelpFacts): string {
  const own = options.length > 0 ? `OPTIONS:\n${optionLines(options)}\n` : '';
  const width = Math.max(0, ...commands.map(([command]) => command.length)) + 4;
  const list =
    commands.length > 0
      ? `COMMANDS:\n${commands.map(([command, says]) => `  ${command.padEnd(width)}${says}\n`).join('')}\n`
      : '';
  const title = name === '' ? program : name;
  return `NAME:\n  ${title} - ${short}\n\nUSAGE:\n  ${[program, name, usage].filter(Boolean).join(' ')}\n\n${list}${own}GLOBAL OPTIONS:\n${optionLines(globals)}\n`;
}

function optionLines(flags: readonly FlagSpec[]): string {
  return flags
    .map(({name, short, type, standard}) => {
      const value = type === 'bool' ? `[=${standard ?? 'false'}]` : `=${JSON.stringify(standard ?? '')}`;
      return `  ${short === undefined ? '    ' : `-${short}, `}--${name}${value}\n`;
    })
    .join('');
}

/** The help of one command. */
export function commandHelp(program: string, command: Command, globals: readonly FlagSpec[]): string {
  const {path, short, usage, flags = []} = command;
  return helpText({program, name: path, short, usage, commands: [], options: flags, globals});
}

/** The help of a group of commands. */
export function groupHelp(
  program: string,
  group: string,
  facts: {short: string; commands: readonly Command[]; globals: readonly FlagSpec[]},
): string {
  const {short, commands, globals} = facts;
  const inside = commands.map(({path, short: says}) => [path.slice(group.length + 1), says] as const);
  return helpText({program, name: group, short, usage: '<subcommand> [flags]', commands: inside, options: [], globals});
}
