// Every command of kubectl 1.35 with its usage line, aliases and flags, read from the facts. What a command line may hold is
// decided here for all commands alike; whether we do what it asks for is the command's business.
import facts from '../../api/data/kubectl-commands.json' with {type: 'json'};

export type FlagType = 'bool' | 'string' | 'int' | 'duration' | 'list' | 'array';

/** One flag of a command. */
export interface FlagSpec {
  readonly name: string;
  readonly shorthand: string | undefined;
  readonly type: FlagType;
  /** As help shows it. */
  readonly fallback: string;
  /** The value of the flag when it stands without one; undefined where a value is required. */
  readonly bare: string | undefined;
  /** Each value must be `key=value`. */
  readonly pairs?: boolean;
  /** Help does not show it, and who gives it is told this. */
  readonly deprecated?: string;
}

/** One command, by its words: `kubectl rollout status`. */
export interface CommandSpec {
  readonly path: string;
  readonly name: string;
  readonly usage: string;
  readonly aliases: readonly string[];
  readonly flags: readonly FlagSpec[];
}

interface RawCommand {
  readonly usage?: string;
  readonly aliases?: readonly string[];
  readonly flags?: readonly string[];
}

/** Flags that may stand without a value though they take one. */
const BARE: Readonly<Record<string, string>> = {'dry-run': 'unchanged', cascade: 'background', validate: 'strict'};

/** Flags that are given once for each value; the others of their kind split at commas. */
const ARRAYS = new Set([
  'as-group',
  'as-user-extra',
  'from-literal',
  'resource-name',
  'group',
  'serviceaccount',
  'user',
  'audience',
  'rule',
  'annotation',
  'annotations',
  'env',
  'exec-env',
  'prune-allowlist',
  'scopes',
  'helm-api-versions',
  'mount',
]);

/** Flags that help does not show any more: name and value as in the facts, what is said of them, and whose they are. */
const DEPRECATED: readonly {readonly flag: string; readonly words: string; readonly of: readonly string[]}[] = [
  {
    flag: '--record=false',
    words: '--record will be removed in the future',
    of: [
      'kubectl annotate',
      'kubectl apply',
      'kubectl autoscale',
      'kubectl create',
      'kubectl edit',
      'kubectl expose',
      'kubectl label',
      'kubectl patch',
      'kubectl run',
      'kubectl scale',
      'kubectl set image',
      'kubectl set resources',
      'kubectl set selector',
      'kubectl set serviceaccount',
    ],
  },
  {
    flag: '--cpu-percent=-1',
    words: "Use --cpu with percentage or resource quantity format (e.g., '70%' for utilization or '500m' for milliCPU).",
    of: ['kubectl autoscale'],
  },
];

/** Flags whose values are pairs. */
const PAIRS = ['kubectl debug env', 'kubectl debug set-image'];

/** Every command takes it. */
export const HELP: FlagSpec = {name: 'help', shorthand: 'h', type: 'bool', fallback: 'false', bare: 'true'};

const raw = facts as unknown as Readonly<Record<string, RawCommand>>;

/** The flags that every command takes. */
export const GLOBAL_FLAGS: readonly FlagSpec[] = (raw['(every command)']?.flags ?? []).map(readFlag);

const catalogue = new Map<string, CommandSpec>();
const children = new Map<string, CommandSpec[]>();

for (const [path, command] of Object.entries(raw)) if (path.startsWith('kubectl')) enter(readCommand(path, command));
enter(readCommand('kubectl options', {usage: 'kubectl options'}));
enter(readCommand('kubectl help', {usage: 'kubectl help [command]'}));
enter(readCommand('kubectl alpha', {usage: 'kubectl alpha [options]'}));
enter(readCommand('kubectl alpha kuberc', {usage: 'kubectl alpha kuberc SUBCOMMAND [options]'}));
enter(
  readCommand('kubectl alpha kuberc set', {
    usage: 'kubectl alpha kuberc set --section (defaults|aliases) --command COMMAND',
    flags: "--appendarg=[] --command='' --kuberc='' --name='' --option=[] --overwrite=false --prependarg=[] --section=''".split(
      ' ',
    ),
  }),
);
enter(
  readCommand('kubectl alpha kuberc view', {
    usage: 'kubectl alpha kuberc view',
    flags: [
      '--allow-missing-template-keys=true',
      "--kuberc=''",
      "-o --output='yaml'",
      '--show-managed-fields=false',
      "--template=''",
    ],
  }),
);
enter(readCommand('kubectl plugin', {usage: 'kubectl plugin [flags] [options]'}));
enter(readCommand('kubectl plugin list', {usage: 'kubectl plugin list [flags] [options]', flags: ['--name-only=false']}));

function enter(spec: CommandSpec): void {
  if (catalogue.has(spec.path)) return;
  catalogue.set(spec.path, spec);
  const parent = spec.path.slice(0, Math.max(0, spec.path.lastIndexOf(' ')));
  children.set(parent, [...(children.get(parent) ?? []), spec]);
}

/** The command of that path. */
export function findCommand(path: string): CommandSpec | undefined {
  return catalogue.get(path);
}

/** The commands directly below one, sorted. */
export function commandsBelow(path: string): readonly CommandSpec[] {
  return (children.get(path) ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The last of the commands below `kubectl`, as its own overview has them: after all that are for something. */
const OTHERS = ['alpha', 'api-versions', 'api-resources', 'config', 'plugin', 'version', 'options'];

/** The commands directly below `kubectl` in the order of its overview, by what they are for. `help` is no command there. */
export function commandsByUse(): readonly CommandSpec[] {
  const known = (children.get('kubectl') ?? []).filter(({name}) => name !== 'help');
  return known.toSorted((a, b) => OTHERS.indexOf(a.name) - OTHERS.indexOf(b.name));
}

/** The command of that word directly below one: its name, or an alias. */
export function childOf(path: string, word: string): CommandSpec | undefined {
  return children.get(path)?.find(spec => spec.name === word || spec.aliases.includes(word));
}

/** All flags that a command takes, its own first. */
export function flagsOf(spec: CommandSpec): readonly FlagSpec[] {
  const own = new Set(spec.flags.map(flag => flag.name));
  return [...spec.flags, ...GLOBAL_FLAGS.filter(flag => !own.has(flag.name)), HELP, ...deprecatedOf(spec.path)];
}

/** `config` and what is below it have a `--kubeconfig` of their own, which says what they change, not where they look. */
export function hasOwnKubeconfig({path}: CommandSpec): boolean {
  return /^kubectl config\b/.test(path);
}

function deprecatedOf(path: string): readonly FlagSpec[] {
  return DEPRECATED.filter(({of}) => of.includes(path)).map(({flag, words}) => ({...readFlag(flag), deprecated: words}));
}

function readCommand(path: string, command: RawCommand): CommandSpec {
  const name = path.slice(path.lastIndexOf(' ') + 1);
  const flags = (command.flags ?? [])
    .map(readFlag)
    .map(flag => (PAIRS.includes(`${path} ${flag.name}`) ? {...flag, pairs: true} : flag));
  return {path, name, usage: command.usage ?? path, aliases: (command.aliases ?? []).filter(alias => alias !== name), flags};
}

function readFlag(text: string): FlagSpec {
  const parts = /^(?:-(\w) )?--([\w-]+)=(.*)$/.exec(text);
  const [, shorthand, name = '', fallback = ''] = parts ?? [];
  const type = typeOf(name, fallback);
  return {name, shorthand, type, fallback, bare: type === 'bool' ? 'true' : BARE[name]};
}

function typeOf(name: string, fallback: string): FlagType {
  if (fallback === 'true' || fallback === 'false') return 'bool';
  if (fallback.startsWith('[')) return ARRAYS.has(name) ? 'array' : 'list';
  if (/^-?\d+$/.test(fallback)) return 'int';
  if (/^(\d+m)?\d+s$/.test(fallback)) return 'duration';
  return 'string';
}
