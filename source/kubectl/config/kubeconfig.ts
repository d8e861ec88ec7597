// Kubeconfig files: which ones count, how several become one, and how a change finds its way back to the file that it came
// from. Entries are kept as they were read, so what we do not know of survives a change.
import {type Fields, isFields} from '../../api/meta/fields.ts';
import {printYaml} from '../../api/yaml/print.ts';
import {readYaml} from '../../api/yaml/read.ts';
import type {Process} from '../../sim/process/process.ts';
import {fail, Failure} from '../failure.ts';

/** The three kinds of entries, by the names of their lists. */
export const SECTIONS = ['clusters', 'contexts', 'users'] as const;
export type Section = (typeof SECTIONS)[number];

/** The word that an entry stands under, inside its list. */
export const SECTION_WORD: Readonly<Record<Section, string>> = {clusters: 'cluster', contexts: 'context', users: 'user'};

/** One entry and the file that holds it. */
export interface Entry {
  readonly fields: Fields;
  readonly file: string;
}

/** What all files together say. */
export interface Kubeconfig {
  readonly clusters: ReadonlyMap<string, Entry>;
  readonly contexts: ReadonlyMap<string, Entry>;
  readonly users: ReadonlyMap<string, Entry>;
  readonly currentContext: string;
  /** The files that were there. */
  readonly files: readonly string[];
}

export const EMPTY_CONFIG: Kubeconfig = {
  clusters: new Map(),
  contexts: new Map(),
  users: new Map(),
  currentContext: '',
  files: [],
};

/** The files that are looked at, as they were named. An explicit one is the only one, and must exist. */
export function configFiles(process: Process, explicit: string): readonly string[] {
  if (explicit !== '') return [explicit];
  const named = (process.environment.get('KUBECONFIG') ?? '').split(':').filter(name => name !== '');
  return named.length > 0 ? [...new Set(named)] : [`${homeOf(process)}/.kube/config`];
}

/** The home folder of the user. */
export function homeOf(process: Process): string {
  return process.environment.get('HOME') ?? '/root';
}

/** Reads the files and merges them: the first file that names an entry wins. */
export function loadConfig(process: Process, explicit: string): Kubeconfig | Failure {
  const parts: Kubeconfig[] = [];
  for (const file of configFiles(process, explicit)) {
    const text = process.machine.files.read(process.path(file));
    if (text === undefined) {
      if (explicit !== '') return fail(`stat ${file}: no such file or directory`);
      continue;
    }
    const part = readConfig(text, file);
    if (part instanceof Failure) return part;
    parts.push(part);
  }
  return parts.reduceRight(mergeOver, EMPTY_CONFIG);
}

/** `over` lies on `under`. */
function mergeOver(under: Kubeconfig, over: Kubeconfig): Kubeconfig {
  return {
    clusters: new Map([...under.clusters, ...over.clusters]),
    contexts: new Map([...under.contexts, ...over.contexts]),
    users: new Map([...under.users, ...over.users]),
    currentContext: over.currentContext || under.currentContext,
    files: [...over.files, ...under.files],
  };
}

function readConfig(text: string, file: string): Kubeconfig | Failure {
  const {documents, error} = readYaml(text);
  if (error)
    return fail(
      `error loading config file ${JSON.stringify(file)}: ${error.message.replace('error converting YAML to JSON: ', '')}`,
    );
  const first = documents[0]?.value;
  const fields = isFields(first) ? first : {};
  return {
    clusters: readSection(fields, 'clusters', file),
    contexts: readSection(fields, 'contexts', file),
    users: readSection(fields, 'users', file),
    currentContext: textOf(fields['current-context']),
    files: [file],
  };
}

function readSection(fields: Fields, section: Section, file: string): Map<string, Entry> {
  const list: unknown = fields[section];
  const entries = new Map<string, Entry>();
  for (const item of Array.isArray(list) ? (list as unknown[]) : []) {
    if (!isFields(item)) continue;
    const inner = item[SECTION_WORD[section]];
    entries.set(textOf(item['name']), {fields: isFields(inner) ? inner : {}, file});
  }
  return entries;
}

/** Fields that are written even where they are empty. */
const ALWAYS: Readonly<Record<Section, Fields>> = {clusters: {server: ''}, contexts: {cluster: '', user: ''}, users: {}};

/** An entry as it is printed: what stands there always, and of a program that makes credentials all its parts. */
function entryObject(section: Section, fields: Fields): Fields {
  const {exec} = fields;
  const program =
    section === 'users' && isFields(exec) ? {exec: {args: null, env: null, provideClusterInfo: false, ...exec}} : {};
  return {...ALWAYS[section], ...fields, ...program};
}

/** The config as an object, as it is printed and written. Sections without entries are null. */
export function configObject(config: Pick<Kubeconfig, Section | 'currentContext'>): Fields {
  const list = (section: Section) => {
    const names = [...config[section].keys()].sort();
    return names.length === 0
      ? null
      : names.map(name => ({[SECTION_WORD[section]]: entryObject(section, config[section].get(name)?.fields ?? {}), name}));
  };
  return {
    apiVersion: 'v1',
    clusters: list('clusters'),
    contexts: list('contexts'),
    'current-context': config.currentContext,
    kind: 'Config',
    users: list('users'),
  };
}

/** The file that new entries go to. */
export function defaultFile(process: Process, explicit: string): string {
  const files = configFiles(process, explicit);
  return files.find(file => process.machine.files.read(process.path(file)) !== undefined) ?? files.at(-1) ?? '';
}

/** Writes what changed between two states of the config, each entry to its file. */
export function saveConfig(process: Process, after: Kubeconfig, target: string): Failure | undefined {
  const files = new Set([target, ...after.files]);
  for (const file of files) {
    const before = process.machine.files.read(process.path(file));
    const text = printYaml(configObject(partOf(after, file, {isTarget: file === target})));
    if (before === text || (before === undefined && file !== target)) continue;
    const failed = place(process, process.path(file), text);
    if (failed !== undefined) return fail(`open ${file}: ${failed}`);
  }
  return undefined;
}

function partOf(config: Kubeconfig, file: string, options: {isTarget: boolean}): Kubeconfig {
  const own = (section: Section) => new Map([...config[section]].filter(([, entry]) => entry.file === file));
  const isFirst = config.files.length === 0 ? options.isTarget : config.files[0] === file;
  return {
    clusters: own('clusters'),
    contexts: own('contexts'),
    users: own('users'),
    currentContext: isFirst ? config.currentContext : '',
    files: [],
  };
}

function place(process: Process, path: string, text: string): string | undefined {
  const {files} = process.machine;
  const failed = files.makeFolder(path.slice(0, path.lastIndexOf('/')) || '/') ?? files.write(path, text, 0o600);
  return failed?.toLowerCase();
}

/** The text of a value; empty for what is none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
