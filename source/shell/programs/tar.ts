// `tar`: makes an archive (c), takes one apart (x) or lists one (t), in a file or through a pipe. Not done: compression, links.
import {readTar, writeTar, type Member} from '../../api/wire/tar.ts';
import {resolvePath, type Files} from '../../sim/files.ts';
import type {Program} from '../../sim/process/machine.ts';
import type {Process} from '../../sim/process/process.ts';

interface Wish {
  readonly letters: ReadonlySet<string>;
  readonly archive: string;
  readonly folder: string | undefined;
  readonly names: readonly string[];
}

/** The program. */
export const tar: Program = async process => {
  const wish = read(process.argv.slice(1));
  if (typeof wish === 'string') return complain(process, wish);
  if (wish.folder !== undefined && !process.machine.files.isFolder(process.path(wish.folder)))
    return complain(process, `can't change directory to '${wish.folder}': No such file or directory`);
  if (wish.letters.has('c')) return create(process, wish);
  const text = wish.archive === '-' ? await process.readAll() : process.machine.files.read(process.path(wish.archive));
  if (text === undefined) return complain(process, `can't open '${wish.archive}': No such file or directory`);
  const members = readTar(text);
  if (!members) return complain(process, 'invalid tar magic');
  return wish.letters.has('x') ? extract(process, wish, members) : list(process, wish, members);
};

async function complain(process: Process, words: string): Promise<number> {
  await process.err(`tar: ${words}\n`);
  return 1;
}

/** The first word may do without its dash. */
function read(words: readonly string[]): Wish | string {
  const letters = new Set<string>();
  const names: string[] = [];
  const values = new Map<string, string>();
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word.startsWith('--')) continue;
    if (i > 0 && (!word.startsWith('-') || word === '-')) {
      names.push(word);
      continue;
    }
    for (const letter of word.replace(/^-/, '')) {
      letters.add(letter);
      if (letter === 'f' || letter === 'C') values.set(letter, words[++i] ?? '');
    }
  }
  const modes = ['c', 'x', 't'].filter(letter => letters.has(letter));
  if (modes.length !== 1) return 'one of c, x, t must be given, and only one';
  return {letters, archive: values.get('f') ?? '-', folder: values.get('C'), names};
}

async function create(process: Process, {archive, folder, names}: Wish): Promise<number> {
  const {files} = process.machine;
  const members: Member[] = [];
  let status = 0;
  let isTold = false;
  const base = folder === undefined ? process.folder : process.path(folder);
  for (const name of names) {
    const path = resolvePath(base, name);
    if (name.startsWith('/') && files.info(path)?.kind === 'file' && !isTold) {
      isTold = true;
      await process.err("tar: removing leading '/' from member names\n");
    }
    if (files.info(path)) members.push(...membersOf(files, path, name.replace(/^\/+/, '').replace(/\/+$/, '') || '.'));
    else {
      await process.err(`tar: ${name}: No such file or directory\n`);
      status = 1;
    }
  }
  const text = writeTar(members);
  if (archive === '-') await process.out(text);
  else files.write(process.path(archive), text);
  if (status !== 0) await process.err('tar: error exit delayed from previous errors\n');
  return status;
}

function membersOf(files: Files, path: string, name: string): readonly Member[] {
  const {mode = 0o644, modified = 0} = files.info(path) ?? {};
  if (!files.isFolder(path)) return [{path: name, text: files.read(path) ?? '', mode, modified}];
  const inside = (files.list(path) ?? []).flatMap(entry => membersOf(files, `${path}/${entry}`, `${name}/${entry}`));
  return [{path: name, text: undefined, mode, modified}, ...inside];
}

async function extract(process: Process, {letters, folder}: Wish, members: readonly Member[]): Promise<number> {
  const {files} = process.machine;
  const base = folder === undefined ? process.folder : process.path(folder);
  for (const {path, text, mode} of members) {
    const full = `${base}/${path.replace(/^\/+/, '')}`.replace(/\/+$/, '');
    const parent = full.slice(0, full.lastIndexOf('/'));
    const failed = text === undefined ? makeFolders(files, full) : (makeFolders(files, parent) ?? files.write(full, text, mode));
    if (failed) return complain(process, `can't open '${path}': ${failed}`);
    if (letters.has('v')) await process.out(`${path}\n`);
  }
  return 0;
}

function makeFolders(files: Files, path: string): string | undefined {
  if (path === '' || files.isFolder(path)) return undefined;
  return makeFolders(files, path.slice(0, path.lastIndexOf('/'))) ?? files.makeFolder(path);
}

async function list(process: Process, _wish: Wish, members: readonly Member[]): Promise<number> {
  await process.out(members.map(({path}) => `${path}\n`).join(''));
  return 0;
}
