// Level files on the host, as texts: those that come with the game, and a player's own.
import {existsSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {join, relative} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {LevelFile} from '../game/catalogue.ts';
import {UsageError} from './command.ts';

/** A level file larger than this is not read at all. */
const LARGEST_FILE = 2 * 1024 * 1024;

/** The folder of the levels that come with the game: beside the bundle, or beside the sources. */
export function levelsFolder(): string {
  for (const way of ['../levels', '../../levels', '../../../levels']) {
    const folder = fileURLToPath(new URL(way, import.meta.url));
    if (existsSync(folder)) return folder;
  }
  throw new Error('the levels are missing from this installation of crashloop');
}

/** All level files below a path; a path that is a file is itself one. */
export function filesBelow(path: string): readonly LevelFile[] {
  if (!existsSync(path)) throw new UsageError(`there is no file or folder ${path}`);
  if (!statSync(path).isDirectory()) return [readLevelFile(path)];
  return readdirSync(path, {recursive: true, encoding: 'utf8'})
    .filter(name => /\.ya?ml$/.test(name))
    .sort()
    .map(name => readLevelFile(join(path, name)));
}

function readLevelFile(path: string): LevelFile {
  const {size} = statSync(path);
  const shown = relative(process.cwd(), path).startsWith('..') ? path : relative(process.cwd(), path);
  // A file that is far too large is not worth reading whole; its reader says so from its length.
  return {path: shown, text: size > LARGEST_FILE ? ' '.repeat(LARGEST_FILE) : readFileSync(path, 'utf8')};
}
