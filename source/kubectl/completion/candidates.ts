// What could stand at the cursor: commands, flags, values of flags, arguments. The order in which these are tried is that of the
// library which the real kubectl reads its command line with.
import {COMMANDS} from '../commands/index.ts';
import {Failure} from '../failure.ts';
import {commandsBelow, findCommand, GLOBAL_FLAGS, HELP, type CommandSpec, type FlagSpec} from '../flags/catalogue.ts';
import {findLine} from '../flags/parse.ts';
import {beginning, NOTHING, words, type Answer, type Candidate} from './answer.ts';
import type {Asking} from './asking.ts';
import {DEFAULT, NO_FILES} from './directives.ts';
import type {Line} from './line.ts';
import {ARGUMENTS, FIXED_ARGUMENTS, valuesOf} from './positions.ts';
import {aboutCommand, aboutFlag} from './words.ts';

/** The answer for a line that was understood. */
export async function candidatesOf(line: Line, asking: Asking): Promise<Answer> {
  const {command, values, flag, begun} = line;
  if (values.has('help')) return words([]);
  const isOver = values.argsBeforeDash !== undefined;
  if (!flag && !isOver && /^-[^=]*$/.test(begun)) return {candidates: flagNames(line), directive: NO_FILES};
  const question = {args: values.args, begun, asking};
  if (flag && !isOver) {
    const isOwn = command.flags.some(({name}) => name === flag.name);
    return (await valuesOf(command.path, flag.name, isOwn)?.(question)) ?? NOTHING;
  }
  const first = flag ? NOTHING : commandsAndRequired(line);
  const fixed = FIXED_ARGUMENTS[command.path];
  if (fixed && !flag) return values.args.length > 0 ? first : words(beginning(fixed, begun));
  if (command.path === 'kubectl help') return topics(values.args, begun);
  const more = await ARGUMENTS[command.path]?.(question);
  return more ? {candidates: [...first.candidates, ...more.candidates], directive: more.directive} : first;
}

/** The names of flags that are not there yet, or may be there again; while one is required, only such. */
function flagNames(line: Line): readonly Candidate[] {
  const required = requiredFlags(line);
  if (required.length > 0) return required;
  const {command, values} = line;
  const own = ownFlags(command);
  const others = command.path === 'kubectl' ? [] : GLOBAL_FLAGS.filter(({name}) => !own.some(flag => flag.name === name));
  const open = [...sorted(others), ...sorted(own)].filter(
    ({name, type}) => !values.has(name) || type === 'list' || type === 'array',
  );
  return open.flatMap(flag => namesOf(line, flag));
}

function ownFlags(command: CommandSpec): readonly FlagSpec[] {
  if (command.path === 'kubectl') return [...GLOBAL_FLAGS, HELP];
  const forGroup = command.path === 'kubectl config' ? GLOBAL_FLAGS.filter(({name}) => name === 'kubeconfig') : [];
  return [...command.flags, ...forGroup, HELP];
}

function sorted(flags: readonly FlagSpec[]): readonly FlagSpec[] {
  return flags.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function namesOf({command, begun}: Line, flag: FlagSpec): readonly Candidate[] {
  const forms = [`--${flag.name}`, ...(flag.shorthand === undefined ? [] : [`-${flag.shorthand}`])];
  return beginning(forms, begun).map(word => ({word, about: aboutFlag(command, flag)}));
}

function requiredFlags(line: Line): readonly Candidate[] {
  const {command, values} = line;
  const required = COMMANDS.find(({path}) => path === command.path)?.required ?? REQUIRED[command.path] ?? [];
  const missing = command.flags.filter(({name}) => required.includes(name) && !values.has(name));
  return sorted(missing).flatMap(flag => namesOf(line, flag));
}

/** Of commands that we do not have. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {'kubectl alpha kuberc set': ['command', 'section']};

/** The commands below one, unless it has arguments or flags of its own already; and flags that must be there. */
function commandsAndRequired(line: Line): Answer {
  const {command, values, begun} = line;
  const isBegun = values.args.length > 0 || command.flags.some(({name}) => values.has(name));
  const below = isBegun ? [] : commandsBelow(command.path);
  return {candidates: [...named(below, begun), ...requiredFlags(line)], directive: below.length > 0 ? NO_FILES : DEFAULT};
}

function named(commands: readonly CommandSpec[], begun: string): readonly Candidate[] {
  return commands.filter(({name}) => name.startsWith(begun)).map(command => ({word: command.name, about: aboutCommand(command)}));
}

/** What there is help of. */
function topics(args: readonly string[], begun: string): Answer {
  const found = findLine(args);
  const command = found instanceof Failure ? undefined : findCommand(found.command.path);
  return {candidates: command ? named(commandsBelow(command.path), begun) : [], directive: NO_FILES};
}
