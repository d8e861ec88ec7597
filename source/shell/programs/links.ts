// `ln`, `link`, `unlink`, `readlink`, `realpath`.
import {FILE_ERROR_TEXT, parentOf} from '../../sim/files.ts';
import type {FileError} from '../../sim/files.ts';
import type {Process} from '../../sim/process/process.ts';
import {makeProgram} from './arguments.ts';
import type {Given} from './arguments.ts';
import {baseName} from './ls.ts';
import {complain, missingOperand} from './output.ts';

/** `ln [-sfnrTv] target… link` */
export const ln = makeProgram(
  {
    name: 'ln',
    synopsis: '[OPTION]... [-T] TARGET LINK_NAME',
    summary: 'Make links between files: hard ones, or symbolic ones with -s.',
    letters: 'bfinLPrst:Tv',
    long: {force: 'f', symbolic: 's', 'no-dereference': 'n', relative: 'r', verbose: 'v', 'target-directory': 't'},
  },
  async (process, given) => {
    const {operands} = given;
    const help = "\nTry 'ln --help' for more information.";
    if (operands.length === 0) return complain(process, `ln: missing file operand${help}`);
    const into = given.value('t');
    if (operands.length === 1 && given.has('T')) {
      return complain(process, `ln: missing destination file operand after '${operands[0]}'${help}`);
    }
    const last = into ?? (operands.length === 1 ? '.' : (operands.at(-1) ?? '.'));
    const targets = into !== undefined || operands.length === 1 ? operands : operands.slice(0, -1);
    const {files} = process.machine;
    const isLink = given.has('n') && files.linkAt(process.linkPath(last)) !== undefined;
    const isFolder = !given.has('T') && !isLink && files.isFolder(process.path(last));
    if (!isFolder && targets.length > 1) {
      const exists = files.info(process.path(last)) !== undefined;
      return complain(process, `ln: target '${last}': ${exists ? FILE_ERROR_TEXT.ENOTDIR : FILE_ERROR_TEXT.ENOENT}`);
    }
    let status = 0;
    for (const target of targets) {
      const name = isFolder ? `${last === '.' ? '.' : last.replace(/\/+$/, '')}/${baseName(target)}` : last;
      const words = makeOne(process, given, {target, name});
      if (words !== undefined) status = await complain(process, `ln: ${words}`);
      else if (given.has('v')) await process.out(`'${name}' ${given.has('s') ? '->' : '=>'} '${target}'\n`);
    }
    return status;
  },
);

/** Makes one link; words when that cannot be. */
function makeOne(process: Process, given: Given, {target, name}: {target: string; name: string}): string | undefined {
  const {files} = process.machine;
  const path = process.linkPath(name);
  const isSymbolic = given.has('s');
  const source = process.linkPath(target);
  const kind = isSymbolic ? 'symbolic' : 'hard';
  if (!isSymbolic && !files.info(source)) return `failed to access '${target}': ${FILE_ERROR_TEXT.ENOENT}`;
  if (!isSymbolic && files.isFolder(source)) return `${target}: hard link not allowed for directory`;
  const there = files.info(path);
  if (there && given.has('f') && there.kind !== 'folder') {
    if (path === source) return `'${target}' and '${name}' are the same file`;
    files.remove(path);
  }
  const text = given.has('r') ? relativePath(process.path(target), parentOf(path)) : target;
  const failed = isSymbolic ? files.makeLink(path, text) : files.addName(source, path);
  if (!failed) return undefined;
  const arrow = !isSymbolic && failed !== 'EEXIST' ? ` => '${target}'` : '';
  return `failed to create ${kind} link '${name.replace(/^\.\//, './')}'${arrow}: ${FILE_ERROR_TEXT[failed]}`;
}

/** How one comes from a folder to a path. */
export function relativePath(path: string, folder: string): string {
  const to = path.split('/').filter(Boolean);
  const from = folder.split('/').filter(Boolean);
  let same = 0;
  while (same < to.length && same < from.length && to[same] === from[same]) same++;
  return [...from.slice(same).map(() => '..'), ...to.slice(same)].join('/') || '.';
}

/** `link file name` */
export const link = makeProgram(
  {name: 'link', synopsis: 'FILE1 FILE2', summary: 'Give FILE1 one more name, FILE2.', letters: ''},
  async (process, given) => {
    const [file, name] = given.operands;
    if (file === undefined) return missingOperand(process, 'link');
    if (name === undefined)
      return complain(process, `link: missing operand after '${file}'\nTry 'link --help' for more information.`);
    const failed = process.machine.files.addName(process.linkPath(file), process.linkPath(name));
    return failed ? complain(process, `link: cannot create link '${name}' to '${file}': ${FILE_ERROR_TEXT[failed]}`) : 0;
  },
);

/** `unlink file` */
export const unlink = makeProgram(
  {name: 'unlink', synopsis: 'FILE', summary: 'Remove the name FILE.', letters: ''},
  async (process, given) => {
    const [file] = given.operands;
    if (file === undefined) return missingOperand(process, 'unlink');
    const path = process.linkPath(file);
    const failed: FileError | undefined = process.machine.files.isFolder(path) ? 'EISDIR' : process.machine.files.remove(path);
    return failed ? complain(process, `unlink: cannot unlink '${file}': ${FILE_ERROR_TEXT[failed]}`) : 0;
  },
);

const CANONICAL = {'canonicalize-existing': 'e', 'canonicalize-missing': 'm', zero: 'z', quiet: 'q'};

/** What a name really is; undefined where it must exist and does not. */
function realName(process: Process, name: string, need: 'all' | 'folder' | 'nothing'): string | undefined {
  const {files} = process.machine;
  const path = process.path(name);
  const there = files.info(path);
  const isCircle = there?.kind === 'link';
  if (need === 'nothing' || (there && !isCircle)) return path;
  return need === 'folder' && !isCircle && name !== '' && files.isFolder(parentOf(path)) ? path : undefined;
}

/** `realpath [-ems] [--relative-to=folder] name …` */
export const realpath = makeProgram(
  {
    name: 'realpath',
    synopsis: '[OPTION]... FILE...',
    summary: 'Print the resolved absolute file name.',
    letters: 'eLmPqsz1:2:',
    long: {...CANONICAL, strip: 's', 'no-symlinks': 's', 'relative-to': '1', 'relative-base': '2'},
  },
  async (process, given) => {
    if (given.operands.length === 0) return missingOperand(process, 'realpath');
    const need = given.has('m') ? 'nothing' : given.has('e') ? 'all' : 'folder';
    const end = given.has('z') ? '\0' : '\n';
    let status = 0;
    for (const name of given.operands) {
      const path = realName(process, name, need);
      if (path === undefined) {
        status = given.has('q')
          ? 1
          : await complain(process, `realpath: ${name === '' ? "''" : name}: ${FILE_ERROR_TEXT.ENOENT}`);
        continue;
      }
      const shown = given.has('s') ? process.linkPath(name) : path;
      const base = given.value('2');
      const isBelow = base !== undefined && `${shown}/`.startsWith(`${process.path(base)}/`);
      const folder = given.value('1') ?? (isBelow ? base : undefined);
      await process.out(`${folder === undefined ? shown : relativePath(shown, process.path(folder))}${end}`);
    }
    return status;
  },
);

/** `readlink [-efmn] name …` */
export const readlink = makeProgram(
  {
    name: 'readlink',
    synopsis: '[OPTION]... FILE...',
    summary: 'Print the value of a symbolic link or the canonical file name.',
    letters: 'efmnqsvz',
    long: {...CANONICAL, canonicalize: 'f', 'no-newline': 'n', verbose: 'v', silent: 's'},
  },
  async (process, given) => {
    if (given.operands.length === 0) return missingOperand(process, 'readlink');
    const {files} = process.machine;
    const need = given.has('m') ? 'nothing' : given.has('e') ? 'all' : given.has('f') ? 'folder' : undefined;
    const end = given.has('n') && given.operands.length === 1 ? '' : given.has('z') ? '\0' : '\n';
    let status = 0;
    for (const name of given.operands) {
      const text = need ? realName(process, name, need) : files.linkAt(process.linkPath(name));
      if (text !== undefined) await process.out(`${text}${end}`);
      else if (!given.has('v')) status = 1;
      else {
        const exists = files.info(process.linkPath(name)) !== undefined;
        status = await complain(process, `readlink: ${name}: ${exists ? FILE_ERROR_TEXT.EINVAL : FILE_ERROR_TEXT.ENOENT}`);
      }
    }
    return status;
  },
);
