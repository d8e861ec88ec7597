// The keys of config maps and secrets from literals, files, folders and files of variables.
import {checkConfigKey, checkStrictEnvName} from '../../../api/meta/names.ts';
import {fail, Failure} from '../../failure.ts';
import type {Session} from '../../session.ts';

/** What the keys go into, for messages. */
export interface Target {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
}

/** All keys with their text. */
export function readKeys(session: Session, target: Target): ReadonlyMap<string, string> | Failure {
  const {flags} = session;
  if (flags.list('from-env-file').length > 0 && (flags.list('from-file').length > 0 || flags.list('from-literal').length > 0)) {
    return fail('from-env-file cannot be combined with from-file or from-literal');
  }
  const keys = new Map<string, string>();
  for (const read of [literals, files, variables]) {
    const pairs = read(session);
    if (pairs instanceof Failure) return pairs;
    for (const [key, text] of pairs) {
      const failure = add(keys, {key, text, target});
      if (failure) return failure;
    }
  }
  return keys;
}

type Pairs = readonly (readonly [string, string])[];

function add(keys: Map<string, string>, {key, text, target}: {key: string; text: string; target: Target}): Failure | undefined {
  const problems = checkConfigKey(key);
  if (problems.length > 0)
    return fail(`${JSON.stringify(key)} is not a valid key name for a ${target.kind}: ${problems.join(',')}`);
  if (keys.has(key) && target.kind === 'Secret') return fail(`cannot add key ${key}, another key by that name already exists`);
  if (keys.has(key))
    return fail(
      `cannot add key ${JSON.stringify(key)}, another key by that name already exists in Data for ${target.kind} ${JSON.stringify(target.name)}`,
    );
  keys.set(key, text);
  return undefined;
}

function literals({flags}: Session): Pairs | Failure {
  const pairs: [string, string][] = [];
  for (const literal of flags.list('from-literal')) {
    const at = literal.indexOf('=');
    if (at < 1) return fail(`invalid literal source ${literal}, expected key=value`);
    pairs.push([literal.slice(0, at), literal.slice(at + 1)]);
  }
  return pairs;
}

function files(session: Session): Pairs | Failure {
  const pairs: (readonly [string, string])[] = [];
  for (const source of session.flags.list('from-file')) {
    const read = fromFile(session, source);
    if (read instanceof Failure) return read;
    pairs.push(...read);
  }
  return pairs;
}

function fromFile({process}: Session, source: string): Pairs | Failure {
  const parts = source.split('=');
  if (parts.length > 2) return fail("key names or file paths cannot contain '='");
  const [key = '', path] = parts.length === 2 ? parts : [undefined, source];
  if (parts.length === 2 && key === '') return fail(`key name for file path ${path ?? ''} missing`);
  if (path === undefined || path === '') return fail(`file path for key name ${key} missing`);
  const machineFiles = process.machine.files;
  const full = process.path(path);
  if (machineFiles.isFolder(full)) {
    if (parts.length === 2) return fail('cannot give a key name for a directory path');
    const names = (machineFiles.list(full) ?? []).filter(name => machineFiles.read(`${full}/${name}`) !== undefined);
    return names.map(name => [name, machineFiles.read(`${full}/${name}`) ?? ''] as const);
  }
  const text = machineFiles.read(full);
  if (text === undefined) return fail(`error reading ${path}: no such file or directory`);
  return [[key === '' ? (path.split('/').at(-1) ?? path) : key, text]];
}

function variables(session: Session): Pairs | Failure {
  const {process, flags} = session;
  const pairs: [string, string][] = [];
  for (const path of flags.list('from-env-file')) {
    const full = process.path(path);
    if (process.machine.files.isFolder(full)) return fail('env config file cannot be a directory');
    const text = process.machine.files.read(full);
    if (text === undefined) return fail(`error reading ${path}: no such file or directory`);
    for (const line of text.split('\n')) {
      const words = line.replace(/^\s+/, '').replace(/\r$/, '');
      if (words === '' || words.startsWith('#')) continue;
      const at = words.indexOf('=');
      const key = at < 0 ? words : words.slice(0, at);
      const problems = checkStrictEnvName(key);
      if (problems.length > 0) return fail(`${JSON.stringify(key)} is not a valid key name: ${problems.join(';')}`);
      // A name alone takes its value from the caller's own variables.
      pairs.push([key, at < 0 ? (process.environment.get(key) ?? '') : words.slice(at + 1)]);
    }
  }
  return pairs;
}
