// Unit files as systemd loads them: the file that comes first in the search path, then its drop-ins in the order of their names. A
// setting that is given again takes the place of the one before, a list is added to, and an empty value empties it.
//
// Modelled are the settings that decide whether and how a service's process starts: ExecStart, Environment, EnvironmentFile, Restart and
// RestartSec, besides what `systemctl status` shows. All others are read over.
import type {Files} from '../../sim/files.ts';

/** A unit as it was loaded. */
export interface LoadedUnit {
  /** The unit file; a link to /dev/null masks the unit. */
  readonly path: string;
  readonly dropIns: readonly string[];
  readonly state: 'loaded' | 'masked' | 'bad-setting';
  readonly description: string;
  /** As it stands in the file; absent: it has none. */
  readonly execStart: string | undefined;
  readonly environment: readonly string[];
  /** With a minus before those that may be missing. */
  readonly environmentFiles: readonly string[];
  readonly restart: 'no' | 'always' | 'on-failure';
  readonly restartMs: number;
  /** All that was read, to see whether it has changed since. */
  readonly text: string;
}

const SEARCHED = ['/etc/systemd/system', '/run/systemd/system', '/usr/local/lib/systemd/system', '/usr/lib/systemd/system'];
const RESTART_MS = 100;

/** Loads a unit; undefined when there is no file of that name. */
export function loadUnit(files: Files, name: string): LoadedUnit | undefined {
  const folder = SEARCHED.find(each => files.info(`${each}/${name}`) !== undefined);
  if (folder === undefined) return undefined;
  const path = `${folder}/${name}`;
  const isMasked = files.linkAt(path) === '/dev/null';
  const target = files.linkAt(path);
  const dropIns = dropInsOf(files, name);
  const parts = [files.read(target ?? path) ?? '', ...dropIns.map(each => files.read(each) ?? '')];
  const settings = parsed(parts);
  const execStart = settings.lists.get('ExecStart')?.at(-1);
  const isBad = execStart === undefined || !/^[-@:+!]*\//.test(execStart);
  return {
    path,
    dropIns,
    state: isMasked ? 'masked' : isBad ? 'bad-setting' : 'loaded',
    description: settings.single.get('Description') ?? name,
    execStart,
    environment: (settings.lists.get('Environment') ?? []).flatMap(wordsOf),
    environmentFiles: settings.lists.get('EnvironmentFile') ?? [],
    restart: restartOf(settings.single.get('Restart')),
    restartMs: spanMs(settings.single.get('RestartSec')) ?? RESTART_MS,
    text: parts.join('\0'),
  };
}

/** Drop-ins of all places; of two with one name that of the earlier place counts. */
function dropInsOf(files: Files, name: string): string[] {
  const found = new Map<string, string>();
  for (const folder of SEARCHED)
    for (const each of files.list(`${folder}/${name}.d`) ?? [])
      if (each.endsWith('.conf') && !found.has(each)) found.set(each, `${folder}/${name}.d/${each}`);
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, path]) => path);
}

interface Settings {
  readonly single: ReadonlyMap<string, string>;
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

const LISTS = new Set(['ExecStart', 'Environment', 'EnvironmentFile']);

/** Units of many nodes are all the same. */
let lastParsed: {readonly text: string; readonly settings: Settings} | undefined;

function parsed(parts: readonly string[]): Settings {
  const text = parts.join('\n');
  if (lastParsed?.text === text) return lastParsed.settings;
  const single = new Map<string, string>();
  const lists = new Map<string, string[]>();
  for (const line of text.replaceAll(/\\\n/g, ' ').split('\n')) {
    const [, key = '', value = ''] = /^([A-Za-z]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key === '') continue;
    if (!LISTS.has(key)) single.set(key, value);
    else if (value === '') lists.delete(key);
    else lists.set(key, [...(lists.get(key) ?? []), value]);
  }
  const settings = {single, lists};
  lastParsed = {text, settings};
  return settings;
}

function restartOf(text: string | undefined): LoadedUnit['restart'] {
  if (text === 'always') return 'always';
  return text === undefined || text === 'no' ? 'no' : 'on-failure';
}

const UNITS: Readonly<Record<string, number>> = {'': 1000, s: 1000, sec: 1000, ms: 1, min: 60_000, m: 60_000, h: 3_600_000};

function spanMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  let total = 0;
  for (const [, count, unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]*)/g)) total += Number(count) * (UNITS[unit] ?? 1000);
  return total;
}

/** Words in double or single quotes stay whole. */
function wordsOf(text: string): string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}

/** The command line of a start: variables are filled in, a missing file of them that must be there is told. */
export function commandLineOf(unit: LoadedUnit, files: Files): {readonly argv: readonly string[]} | {readonly missing: string} {
  const variables = new Map(unit.environment.map(pairOf));
  for (const named of unit.environmentFiles) {
    const path = named.replace(/^-/, '');
    const text = files.read(path);
    if (text === undefined && !named.startsWith('-')) return {missing: path};
    for (const line of (text ?? '').split('\n')) {
      const [, name, value = ''] = /^\s*([A-Za-z_]\w*)=(.*?)\s*$/.exec(line) ?? [];
      if (name !== undefined) variables.set(name, /^(["'])(.*)\1$/.exec(value)?.[2] ?? value);
    }
  }
  const [program = '', ...words] = wordsOf((unit.execStart ?? '').replace(/^[-@:+!]+/, ''));
  const filled = words.flatMap(word => {
    const [, name] = /^\$([A-Za-z_]\w*)$/.exec(word) ?? [];
    if (name !== undefined) return wordsOf(variables.get(name) ?? '');
    return [word.replaceAll(/\$\{([A-Za-z_]\w*)\}/g, (_, inner: string) => variables.get(inner) ?? '')];
  });
  return {argv: [program, ...filled]};
}

function pairOf(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
}
