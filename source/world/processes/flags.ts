// Command lines of the cluster's components, read against the table of every flag that they have (api/data/component-flags.json).
// An unknown flag or a bad value is refused in the words of the library that the component uses: pflag for Kubernetes' own, Go's
// flag package for etcd.
import table from '../../api/data/component-flags.json' with {type: 'json'};

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

  constructor(values: ReadonlyMap<string, readonly string[]>, knownFlags: ReadonlyMap<string, Known>) {
    this.#values = values;
    this.#known = knownFlags;
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
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    const match = /^--?([^=]+)(?:=(.*))?$/s.exec(word);
    if (!match?.[1]) return {ok: false, lines: refuse(binary, {kind: 'word', word})};
    const name = binary === 'etcd' ? match[1] : match[1].replaceAll('_', '-');
    const flag = flags.get(name);
    if (!flag) return {ok: false, lines: refuse(binary, {kind: 'unknown', name})};
    const value = match[2] ?? (flag.type === 'bool' ? 'true' : words[++i]);
    if (value === undefined) return {ok: false, lines: refuse(binary, {kind: 'needs', name})};
    const why = whyBad(flag.type, value);
    if (why !== undefined) return {ok: false, lines: refuse(binary, {kind: 'bad', name, value, why})};
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return {ok: true, flags: new Flags(values, flags)};
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
const ETCD_WITHOUT_DEFAULT = new Set(['enable-grpc-gateway', 'memory-mlock', 'experimental-memory-mlock', 'force-new-cluster']);

function etcdFlag(line: string): readonly [string, Known] {
  const [, name = '', standard] = /^--(\S+)(?: '(.*)')?$/.exec(line) ?? [];
  const isBool = standard === 'true' || standard === 'false' || ETCD_WITHOUT_DEFAULT.has(name);
  const type = isBool
    ? 'bool'
    : standard === undefined
      ? 'string'
      : /^\d+$/.test(standard)
        ? 'uint'
        : /^\d+(ms|s|m|h)$/.test(standard)
          ? 'duration'
          : 'string';
  return [name, {type, standard: standard === 'math.MaxUint32' ? '4294967295' : standard}];
}

function whyBad(type: string, value: string): string | undefined {
  const quoted = JSON.stringify(value);
  switch (type) {
    case 'bool':
      return /^(true|false|t|f|1|0)$/i.test(value) ? undefined : `strconv.ParseBool: parsing ${quoted}: invalid syntax`;
    case 'int':
    case 'int32':
    case 'uint':
      return /^[-+]?\d+$/.test(value) ? undefined : `strconv.ParseInt: parsing ${quoted}: invalid syntax`;
    case 'float':
    case 'float32':
      return Number.isFinite(Number(value)) && value !== '' ? undefined : `strconv.ParseFloat: parsing ${quoted}: invalid syntax`;
    case 'ip':
      return /^(\d{1,3}(\.\d{1,3}){3}|[0-9a-f:]*:[0-9a-f:]*)$/i.test(value) ? undefined : `failed to parse IP: ${quoted}`;
    case 'duration':
      return whyNoDuration(value);
    default:
      return undefined;
  }
}

function whyNoDuration(value: string): string | undefined {
  if (/^[-+]?(0|(\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h))+$/.test(value)) return undefined;
  if (/^[-+]?\d+(\.\d+)?$/.test(value)) return `time: missing unit in duration ${JSON.stringify(value)}`;
  const unit = /^[-+]?\d+(?:\.\d+)?([^\d.]+)/.exec(value)?.[1];
  if (unit !== undefined) return `time: unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(value)}`;
  return `time: invalid duration ${JSON.stringify(value)}`;
}

type Refusal =
  | {readonly kind: 'unknown' | 'needs'; readonly name: string}
  | {readonly kind: 'word'; readonly word: string}
  | {readonly kind: 'bad'; readonly name: string; readonly value: string; readonly why: string};

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
    case 'bad':
      return `invalid argument ${JSON.stringify(refusal.value)} for "--${refusal.name}" flag: ${refusal.why}`;
    default:
      return `unknown command ${JSON.stringify(refusal.word)}`;
  }
}

function etcdWords(refusal: Refusal): string {
  switch (refusal.kind) {
    case 'unknown':
      return `flag provided but not defined: -${refusal.name}`;
    case 'needs':
      return `flag needs an argument: -${refusal.name}`;
    case 'bad':
      return `invalid value ${JSON.stringify(refusal.value)} for flag -${refusal.name}: parse error`;
    default:
      return `'${refusal.word}' is not a valid flag`;
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
