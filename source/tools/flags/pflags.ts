// Command line flags as Go's pflag reads them: `--name value`, `--name=value`, `-n value`, `-nvalue`, anywhere among the words.
// Errors are pflag's. A flag that is not given has its default.

/** A flag that a command has. */
export interface FlagSpec {
  readonly name: string;
  /** One letter. */
  readonly short?: string;
  readonly type: 'string' | 'bool' | 'int' | 'duration' | 'strings';
  readonly standard?: string;
}

/** What was typed. */
export type Typed =
  | {readonly ok: true; readonly words: readonly string[]; readonly flags: FlagValues}
  | {readonly ok: false; readonly message: string};

/** The values of flags by name. */
export class FlagValues {
  readonly #given: ReadonlyMap<string, string>;
  readonly #specs: ReadonlyMap<string, FlagSpec>;

  constructor(given: ReadonlyMap<string, string>, specs: ReadonlyMap<string, FlagSpec>) {
    this.#given = given;
    this.#specs = specs;
  }

  has(name: string): boolean {
    return this.#given.has(name);
  }

  text(name: string): string {
    return this.#given.get(name) ?? this.#specs.get(name)?.standard ?? '';
  }

  on(name: string): boolean {
    return this.text(name) === 'true';
  }

  number(name: string): number {
    return Number(this.text(name) || 0);
  }

  list(name: string): string[] {
    return this.text(name).split(',').filter(Boolean);
  }

  /** In milliseconds. */
  duration(name: string): number {
    return durationMs(this.text(name)) ?? 0;
  }
}

/** Reads words against the flags that there are. */
export function readFlags(words: readonly string[], specs: readonly FlagSpec[]): Typed {
  const byName = new Map(specs.map(spec => [spec.name, spec]));
  const given = new Map<string, string>();
  const rest: string[] = [];
  const left = [...words];
  while (left.length > 0) {
    const word = left.shift() ?? '';
    if (word === '--') {
      rest.push(...left);
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      rest.push(word);
      continue;
    }
    const found = word.startsWith('--') ? longFlag(word, byName) : shortFlag(word, specs);
    if ('message' in found) return {ok: false, message: found.message};
    const {spec, more} = found;
    let {value} = found;
    if (more !== undefined) left.unshift(more);
    if (value === undefined && spec.type === 'bool') value = 'true';
    if (value === undefined) value = left.shift();
    if (value === undefined) return {ok: false, message: `flag needs an argument: ${word}`};
    const why = whyBad(spec, value);
    if (why !== undefined) {
      const name = spec.short === undefined ? `--${spec.name}` : `-${spec.short}, --${spec.name}`;
      return {ok: false, message: `invalid argument ${JSON.stringify(value)} for ${JSON.stringify(name)} flag: ${why}`};
    }
    given.set(spec.name, spec.type === 'strings' && given.has(spec.name) ? `${given.get(spec.name)},${value}` : value);
  }
  return {ok: true, words: rest, flags: new FlagValues(given, byName)};
}

/** `more` is what is left of several letters behind one dash. */
type Found = {readonly spec: FlagSpec; readonly value: string | undefined; readonly more?: string} | {readonly message: string};

function longFlag(word: string, byName: ReadonlyMap<string, FlagSpec>): Found {
  const [, name = '', value] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
  const spec = byName.get(name);
  return spec ? {spec, value} : {message: `unknown flag: --${name}`};
}

function shortFlag(word: string, specs: readonly FlagSpec[]): Found {
  const spec = specs.find(each => each.short === word[1]);
  if (!spec) return {message: `unknown shorthand flag: '${word[1]}' in ${word}`};
  const rest = word.slice(2);
  if (spec.type === 'bool' && rest !== '' && !rest.startsWith('=')) return {spec, value: undefined, more: `-${rest}`};
  return {spec, value: rest === '' ? undefined : rest.replace(/^=/, '')};
}

function whyBad({type}: FlagSpec, value: string): string | undefined {
  if (type === 'bool' && !/^(true|false)$/.test(value))
    return `strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`;
  if (type === 'int' && !/^[-+]?\d+$/.test(value)) return `strconv.ParseInt: parsing ${JSON.stringify(value)}: invalid syntax`;
  if (type === 'duration' && durationMs(value) === undefined)
    return /^\d+$/.test(value)
      ? `time: missing unit in duration ${JSON.stringify(value)}`
      : `time: invalid duration ${JSON.stringify(value)}`;
  return undefined;
}

const UNITS: Readonly<Record<string, number>> = {ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000};

/** A Go duration in milliseconds; undefined for what is none. */
export function durationMs(text: string): number | undefined {
  if (text === '0') return 0;
  if (!/^[-+]?(\d+(\.\d*)?(ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined;
  let sum = 0;
  for (const [, number = '', unit = ''] of text.matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h)/g))
    sum += Number(number) * (UNITS[unit] ?? 0);
  return text.startsWith('-') ? -sum : sum;
}
