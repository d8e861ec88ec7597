// Command lines of the cluster's components, read against the table of every flag that they have (api/data/component-flags.json).
// An unknown flag or a bad value is refused in the words of the library that the component uses: pflag for Kubernetes' own, Go's
// flag package for etcd.
import facts from '../../api/data/component-flags.json' with {type: 'json'};
import proxy from '../../api/data/proxy-flags.json' with {type: 'json'};
import {whyBad, whyBadForGo} from './flag-values.ts';

const table = {...facts, ...proxy};

export type ComponentBinary = keyof typeof table;

/** What a command line says, or the lines with which the program ends. */
export type CommandLine = {readonly ok: true; readonly flags: Flags} | {readonly ok: false; readonly lines: readonly string[]};

interface Known {
  readonly type: string;
  readonly standard: string | undefined;
}

const known = new Map<ComponentBinary, ReadonlyMap<string, Known>>();

/** The flags of one command line. */
export class Flags {
  readonly #values: ReadonlyMap<string, readonly string[]>;
  readonly #known: ReadonlyMap<string, Known>;
  /** A word that is no flag, where the program itself complains of it. */
  readonly stray: string | undefined;

  constructor(values: ReadonlyMap<string, readonly string[]>, knownFlags: ReadonlyMap<string, Known>, stray?: string) {
    this.#values = values;
    this.#known = knownFlags;
    this.stray = stray;
  }

  /** The last value that was given; undefined when none was. */
  given(name: string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  /** The value, or the default. */
  text(name: string): string {
    return this.given(name) ?? this.#known.get(name)?.standard ?? '';
  }

  /** The parts of a list; a flag that is given again adds to it. */
  list(name: string): readonly string[] {
    const all = this.#values.get(name) ?? [this.text(name)];
    return all.flatMap(each => each.split(',')).filter(Boolean);
  }

  /** All values that were given, whole. */
  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  on(name: string): boolean {
    return /^(true|t|1)$/i.test(this.text(name));
  }

  number(name: string): number {
    return Number(this.text(name));
  }
}

/** Reads the words after the program's name. */
export function readCommandLine(binary: ComponentBinary, words: readonly string[]): CommandLine {
  const flags = flagsOf(binary);
  const values = new Map<string, string[]>();
  const strays: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    const typed = typedFlag(binary, word);
    if ('kind' in typed) {
      if (typed.kind !== 'word') return {ok: false, lines: refuse(binary, typed)};
      if (word !== '') strays.push(word);
      // pflag looks for flags behind a word that is none, Go's package does not.
      if (binary === 'etcd') break;
      continue;
    }
    const {name} = typed;
    const flag = flags.get(name);
    if (!flag) return {ok: false, lines: refuse(binary, {kind: 'unknown', name})};
    const value = typed.value ?? (flag.type === 'bool' ? 'true' : words[++i]);
    if (value === undefined) return {ok: false, lines: refuse(binary, {kind: 'needs', name})};
    const why = binary === 'etcd' ? whyBadForGo(flag.type, value) : whyBad(flag.type, value);
    if (why !== undefined) return {ok: false, lines: refuse(binary, {kind: 'bad', name, value, why, type: flag.type})};
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return strays.length > 0 && binary !== 'etcd'
    ? {ok: false, lines: [strayWords(binary, strays)]}
    : {ok: true, flags: new Flags(values, flags, strays[0])};
}

/** A flag as it was typed, or why it is none. Go's library takes one dash for two; to pflag a single one begins a short name. */
function typedFlag(
  binary: ComponentBinary,
  word: string,
): {readonly name: string; readonly value: string | undefined} | Refusal | {readonly kind: 'word'} {
  const [, dashes, name = '', value] = /^(--?)([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
  if (dashes === undefined || (dashes === '-' && name === '' && value === undefined)) return {kind: 'word'};
  if (name === '' || name.startsWith('-')) return {kind: 'syntax', word};
  if (binary === 'etcd') return {name, value};
  if (dashes === '--') return {name: name.replaceAll('_', '-'), value};
  if (!name.startsWith('v')) return {kind: 'short', word};
  return {name: 'v', value: value ?? (name.length > 1 ? name.slice(1) : undefined)};
}

/** Words that are no flags: the components take none. */
function strayWords(binary: ComponentBinary, words: readonly string[]): string {
  if (binary === 'kubelet') return `E run.go:72] "command failed" err=${JSON.stringify(`unknown command ${words[0] ?? ''}`)}`;
  return `Error: ${JSON.stringify(binary)} does not take any arguments, got [${words.map(word => JSON.stringify(word)).join(' ')}]`;
}

function flagsOf(binary: ComponentBinary): ReadonlyMap<string, Known> {
  const made = known.get(binary) ?? new Map((table[binary] as readonly string[]).map(binary === 'etcd' ? etcdFlag : pflag));
  known.set(binary, made);
  return made;
}

function pflag(line: string): readonly [string, Known] {
  const [, name = '', type = '', standard] = /^--(\S+) ?(\S*)(?: = (.*?))?(?: deprecated)?$/.exec(line) ?? [];
  const bare = standard?.replace(/^"(.*)"$/, '$1').replace(/^\[(.*)\]$/, '$1');
  return [name, {type, standard: bare}];
}

// etcd's help tells a flag's default, not its type.
const ETCD_TYPES: Readonly<Record<string, string>> = {
  'enable-grpc-gateway': 'bool',
  'memory-mlock': 'bool',
  'experimental-memory-mlock': 'bool',
  'auto-compaction-retention': 'string',
  'quota-backend-bytes': 'int',
  'snapshot-catchup-entries': 'uint',
  'advertise-client-urls': 'urls',
  'initial-advertise-peer-urls': 'urls',
  'listen-client-urls': 'urls',
  'listen-client-http-urls': 'urls',
  'listen-metrics-urls': 'urls',
  'listen-peer-urls': 'urls',
  'initial-cluster-state': 'clusterState',
  'max-concurrent-streams': 'uint',
};

function etcdFlag(line: string): readonly [string, Known] {
  const [, name = '', standard = ''] = /^--(\S+)(?: '(.*)')?$/.exec(line) ?? [];
  const type = ETCD_TYPES[name] ?? typeOfDefault(standard);
  return [name, {type, standard: standard === 'math.MaxUint32' ? '4294967295' : standard}];
}

function typeOfDefault(standard: string): string {
  if (standard === 'true' || standard === 'false') return 'bool';
  if (/^\d+$/.test(standard)) return 'uint';
  return /^\d+(ms|s|m|h)$/.test(standard) ? 'duration' : 'string';
}

type Refusal =
  | {readonly kind: 'unknown' | 'needs'; readonly name: string}
  | {readonly kind: 'syntax' | 'short'; readonly word: string}
  | {readonly kind: 'bad'; readonly name: string; readonly value: string; readonly why: string; readonly type: string};

function refuse(binary: ComponentBinary, refusal: Refusal): readonly string[] {
  if (binary === 'etcd') return [etcdWords(refusal), ...ETCD_USAGE];
  const words = pflagWords(refusal);
  if (binary === 'kubelet')
    return [`E run.go:72] "command failed" err=${JSON.stringify(`failed to parse kubelet flag: ${words}`)}`];
  return [...usageOf(binary), `Error: ${words}`];
}

function pflagWords(refusal: Refusal): string {
  switch (refusal.kind) {
    case 'unknown':
      return `unknown flag: --${refusal.name}`;
    case 'needs':
      return `flag needs an argument: --${refusal.name}`;
    case 'bad': {
      const called = refusal.name === 'v' ? '-v, --v' : `--${refusal.name}`;
      return `invalid argument ${JSON.stringify(refusal.value)} for "${called}" flag: ${refusal.why}`;
    }
    case 'short':
      return `unknown shorthand flag: '${refusal.word[1] ?? ''}' in ${refusal.word}`;
    default:
      return `bad flag syntax: ${refusal.word}`;
  }
}

function etcdWords(refusal: Refusal): string {
  switch (refusal.kind) {
    case 'unknown':
      return `flag provided but not defined: -${refusal.name}`;
    case 'needs':
      return `flag needs an argument: -${refusal.name}`;
    case 'bad':
      return refusal.type === 'bool'
        ? `invalid boolean value ${JSON.stringify(refusal.value)} for -${refusal.name}: ${refusal.why}`
        : `invalid value ${JSON.stringify(refusal.value)} for flag -${refusal.name}: ${refusal.why}`;
    default:
      return `bad flag syntax: ${refusal.word}`;
  }
}

function usageOf(binary: ComponentBinary): string[] {
  return [
    'Usage:',
    `  ${binary} [flags]`,
    '',
    'Flags:',
    ...(table[binary] as readonly string[]).map(line => `      ${line}`),
    '',
  ];
}

const ETCD_USAGE = [
  'Usage:',
  '',
  '  etcd [flags]',
  '    Start an etcd server.',
  '',
  '  etcd --version',
  '    Show the version of etcd.',
  '',
  '  etcd -h | --help',
  '    Show the help information about etcd.',
  '',
  '  etcd --config-file',
  '    Path to the server configuration file. Note that if a configuration file is provided, other command line flags and environment variables will be ignored.',
];
