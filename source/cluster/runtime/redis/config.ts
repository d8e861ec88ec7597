// The configuration of a Redis server: a file, then options of the command line over it, and what CONFIG SET changes.

/** Options that people ask for, and what they are where nobody says otherwise. */
export const CONFIG_DEFAULTS: Readonly<Record<string, string>> = {
  appendonly: 'no',
  bind: '* -::*',
  databases: '16',
  dir: '/data',
  loglevel: 'notice',
  maxclients: '10000',
  maxmemory: '0',
  'maxmemory-policy': 'noeviction',
  port: '6379',
  'protected-mode': 'yes',
  requirepass: '',
  save: '3600 1 300 100 60 10000',
  timeout: '0',
};

const UNITS: Readonly<Record<string, number>> = {k: 1000, kb: 1024, m: 1e6, mb: 1024 ** 2, g: 1e9, gb: 1024 ** 3};

/** Options by name. */
export class RedisConfig {
  readonly #options: Map<string, string>;

  constructor(given: Iterable<readonly [string, string]>) {
    this.#options = new Map(Object.entries(CONFIG_DEFAULTS));
    for (const [name, value] of given) this.put(name, value);
  }

  has(name: string): boolean {
    return this.#options.has(name);
  }

  get(name: string): string {
    return this.#options.get(name) ?? '';
  }

  put(name: string, value: string): void {
    const [, digits, unit = ''] = /^(\d+)([a-z]*)$/i.exec(value) ?? [];
    const isSize = name === 'maxmemory' && digits !== undefined;
    this.#options.set(name, isSize ? String(Number(digits) * (UNITS[unit.toLowerCase()] ?? 1)) : value);
  }

  entries(): [string, string][] {
    return [...this.#options].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

/** What a command line and the file that it names say; the answer may be why they say nothing. */
export function readConfig(
  argv: readonly string[],
  fileText: (path: string) => string | undefined,
): readonly (readonly [string, string])[] | {readonly error: string} {
  const [, path, ...rest] = argv;
  const named = path !== undefined && !path.startsWith('-');
  const text = named ? fileText(path) : '';
  if (text === undefined) return {error: `Fatal error, can't open config file '${path}': No such file or directory`};
  const options: [string, string][] = [];
  for (const [at, line] of text.split('\n').entries()) {
    const [name = '', ...words] = line.trim().split(/\s+/);
    if (name === '' || name.startsWith('#')) continue;
    if (words.length === 0) return {error: badLine(at + 1, line.trim())};
    options.push([name.toLowerCase(), words.join(' ').replaceAll(/^"|"$/g, '')]);
  }
  const words = named ? rest : argv.slice(1);
  for (let at = 0; at < words.length; at++) {
    const [, name] = /^--([\w-]+)$/.exec(words[at] ?? '') ?? [];
    if (name === undefined) continue;
    const values: string[] = [];
    while (words[at + 1] !== undefined && !words[at + 1]?.startsWith('--')) values.push(words[++at] ?? '');
    options.push([name.toLowerCase(), values.join(' ')]);
  }
  return options;
}

function badLine(number: number, line: string): string {
  return `*** FATAL CONFIG FILE ERROR ***\nReading the configuration file, at line ${number}\n>>> '${line}'\nBad directive or wrong number of arguments`;
}
