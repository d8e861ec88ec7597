// Help: the real kubectl's own pages where they lie beside the program; else usage lines, aliases and flags from the facts, with
// descriptions of our own.
import {inBook} from '../../api/words/books.ts';
import type {Command} from '../commands/command.ts';
import {commandsBelow, GLOBAL_FLAGS, type CommandSpec, type FlagSpec} from './catalogue.ts';
import {flagText} from './parse.ts';

/** What the real kubectl says to these words, without asking a server. The home of who asked stands in it as `~`. */
export function pageOf(words: string): string | undefined {
  return inBook('kubectl', words) as string | undefined;
}

/** The help of a command; that of `kubectl` itself lists them all. */
export function helpText(spec: CommandSpec, commands: readonly Command[]): string {
  return helpPage(spec) ?? (spec.path === 'kubectl' ? overviewText(commands) : commandText(spec, commands));
}

/** The real kubectl's help of a command. */
export function helpPage(spec: CommandSpec): string | undefined {
  return pageOf(`${spec.path} --help`.slice('kubectl '.length));
}

/** The help without what it says first: how to use the command. */
export function usageText(spec: CommandSpec, commands: readonly Command[]): string {
  const text = helpText(spec, commands);
  return text.slice(Math.max(0, text.search(SECTION)));
}

const SECTION = /^(Aliases|Examples|Options|Usage|.*Commands.*):$/m;

function overviewText(commands: readonly Command[]): string {
  const names = commandsBelow('kubectl').filter(spec => spec.name !== 'help');
  const isDone = (spec: CommandSpec) =>
    commands.some(command => command.path === spec.path || command.path.startsWith(`${spec.path} `));
  return [
    'kubectl controls the Kubernetes cluster manager.\n',
    'Commands:',
    ...rows(names.filter(isDone), commands),
    '\nCommands of the real kubectl that this one does not do yet:',
    `  ${names
      .filter(spec => !isDone(spec))
      .map(spec => spec.name)
      .join(', ')}`,
    '\nUsage:\n  kubectl [flags] [options]\n',
    'Use "kubectl <command> --help" for more information about a given command.',
    'Use "kubectl options" for a list of global command-line options (applies to all commands).\n',
  ].join('\n');
}

function commandText(spec: CommandSpec, commands: readonly Command[]): string {
  const command = commands.find(one => one.path === spec.path);
  const below = commandsBelow(spec.path);
  const parts = [`${command?.long ?? command?.short ?? shortOf(spec, commands)}.`];
  if (spec.aliases.length > 0) parts.push(`Aliases:\n${[spec.name, ...spec.aliases].join(', ')}`);
  if (command?.examples) parts.push(`Examples:\n${command.examples.map(example => `  ${example}`).join('\n')}`);
  if (below.length > 0) parts.push(`Available Commands:\n${rows(below, commands).join('\n')}`);
  if (spec.flags.length > 0) parts.push(`Options:\n${spec.flags.map(flag => flagLine(flag, command)).join('\n')}`);
  parts.push(`Usage:\n  ${spec.usage}`);
  const more = below.length > 0 ? `Use "${spec.path} <command> --help" for more information about a given command.\n` : '';
  parts.push(`${more}Use "kubectl options" for a list of global command-line options (applies to all commands).`);
  return `${parts.join('\n\n')}\n`;
}

/** What `kubectl options` shows to who has that home. */
export function optionsText(home: string): string {
  const page = pageOf('options')?.replace("'~/", `'${home}/`);
  return (
    page ??
    `The following options can be passed to any command:\n\n${GLOBAL_FLAGS.map(flag => flagLine(flag, undefined)).join('\n')}\n`
  );
}

function flagLine(flag: FlagSpec, command: Command | undefined): string {
  const note = command && !command.does.includes(flag.name) ? '\t(not done here yet)' : '';
  return `    ${flagText(flag)}=${flag.fallback}${note}`;
}

function rows(specs: readonly CommandSpec[], commands: readonly Command[]): string[] {
  const width = Math.max(11, ...specs.map(({name}) => name.length));
  return specs.map(spec => `  ${spec.name.padEnd(width)}   ${shortOf(spec, commands)}`.trimEnd());
}

function shortOf(spec: CommandSpec, commands: readonly Command[]): string {
  const own = commands.find(command => command.path === spec.path)?.short ?? GROUPS[spec.path];
  return own ?? 'Not done by this kubectl yet';
}

/** Groups of commands are no commands themselves. */
const GROUPS: Readonly<Record<string, string>> = {
  'kubectl certificate': 'Decide on requests for certificates',
  'kubectl rollout': 'Watch, undo and restart rollouts',
  'kubectl set': 'Change one thing of objects: an image, variables, resources',
  'kubectl config': 'Show and change kubeconfig files',
  'kubectl top': 'Show what nodes and pods use',
  'kubectl auth': 'Ask what somebody may do',
  'kubectl create secret': 'Create a secret',
  'kubectl create service': 'Create a service',
};
