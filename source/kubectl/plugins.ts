// Plugins: programs in the folders of PATH whose names begin with `kubectl-`. `kubectl-foo-bar` is what `kubectl foo bar` runs when
// kubectl has no such command; a `_` in its name is a `-` on the line.
import type {Process} from '../sim/process/process.ts';
import {failRaw, type Failure} from './failure.ts';

const PREFIX = 'kubectl-';
/** They are there on every machine, though nobody has put a file into them. */
const USUAL = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** What stands in PATH: the paths of plugins, and the folders that are not there. */
export interface Plugins {
  readonly paths: readonly string[];
  readonly missing: readonly string[];
}

/** All plugins, folder by folder. */
export function listPlugins(process: Process): Plugins {
  const {files} = process.machine;
  const paths: string[] = [];
  const missing: string[] = [];
  for (const folder of foldersOf(process)) {
    const names = files.list(process.path(folder));
    if (!names && !USUAL.includes(folder)) missing.push(folder);
    for (const name of (names ?? []).toSorted()) {
      const path = `${folder.replace(/\/$/, '')}/${name}`;
      if (name.startsWith(PREFIX) && !files.isFolder(process.path(path))) paths.push(path);
    }
  }
  return {paths, missing};
}

function foldersOf(process: Process): readonly string[] {
  return [...new Set((process.environment.get('PATH') ?? '').split(':'))].filter(folder => folder.trim() !== '');
}

/** May the file at a path be run? */
export function isExecutable(process: Process, path: string): boolean {
  const info = process.machine.files.info(process.path(path));
  return info?.kind === 'file' && (info.mode & 0o111) !== 0;
}

/**
 * Runs the plugin that the words name, if there is one, with the words behind its name: the longest name that fits, of so many words
 * at least. Its exit code; undefined when there is none.
 */
export async function runPlugin(process: Process, words: readonly string[], least = 1): Promise<number | Failure | undefined> {
  const flag = words.findIndex(word => word.startsWith('-'));
  const names = (flag < 0 ? words : words.slice(0, flag)).map(word => word.replaceAll('-', '_'));
  if (names.length === 0) return failRaw(`Error: flags cannot be placed before plugin name: ${words[0] ?? ''}`);
  const shell = process.machine.program('bash');
  for (let length = names.length; length >= least; length--) {
    const name = `${PREFIX}${names.slice(0, length).join('-')}`;
    const path = foldersOf(process)
      .map(folder => `${folder}/${name}`)
      .find(each => isExecutable(process, each));
    // The shell knows how a script is run: by what its first line says.
    if (path !== undefined && shell)
      return process.exec(shell, ['bash', '-c', 'exec "$0" "$@"', path, ...words.slice(length)], process.environment);
  }
  return undefined;
}

/** The commands that plugins are, by their first words. */
export function pluginCommands(process: Process): readonly string[] {
  const names = listPlugins(process).paths.map(path => path.slice(path.lastIndexOf('/') + 1 + PREFIX.length));
  return [...new Set(names.map(name => (name.split('-')[0] ?? '').replaceAll('_', '-')))].filter(name => name !== '');
}
