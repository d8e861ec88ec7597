// `mkdir`, `rmdir`, `rm`, `touch`, `chmod`, `chown`, `mktemp`.
import {Dice} from '../../sim/dice.ts';
import {FILE_ERROR_TEXT, parentOf, type Files, type Owner} from '../../sim/files.ts';
import type {Process} from '../../sim/process/process.ts';
import {makeProgram} from './arguments.ts';
import {parseDate} from './date.ts';
import {ownerNamed, ownerOf} from './identity.ts';
import {complain, missingOperand} from './output.ts';

/** `mkdir [-pv] [-m mode] folder …` */
export const mkdir = makeProgram(
  {
    name: 'mkdir',
    synopsis: '[OPTION]... DIRECTORY...',
    summary: 'Create the DIRECTORY(ies), if they do not already exist.',
    letters: 'm:pv',
    long: {mode: 'm', parents: 'p', verbose: 'v'},
  },
  async (process, given) => {
    if (given.operands.length === 0) return missingOperand(process, 'mkdir');
    const {files} = process.machine;
    let status = 0;
    for (const name of given.operands) {
      const path = process.path(name);
      const exists = files.info(path) !== undefined;
      const lacks = !given.has('p') && !files.info(parentOf(path));
      const failed = exists
        ? given.has('p') && files.isFolder(path)
          ? undefined
          : 'EEXIST'
        : lacks
          ? 'ENOENT'
          : files.makeFolder(path);
      if (failed) status = await complain(process, `mkdir: cannot create directory '${name}': ${FILE_ERROR_TEXT[failed]}`);
      else {
        if (!exists && given.has('v')) await process.out(`mkdir: created directory '${name}'\n`);
        const mode = given.value('m');
        if (mode !== undefined) files.setMode(path, changedMode(0o777, mode, true) ?? 0o755);
        else if (!exists) files.setMode(path, 0o777 & ~process.mask);
      }
    }
    return status;
  },
);

/** `rmdir [-p] folder …` */
export const rmdir = makeProgram(
  {
    name: 'rmdir',
    synopsis: '[OPTION]... DIRECTORY...',
    summary: 'Remove the DIRECTORY(ies), if they are empty.',
    letters: 'pv',
    long: {parents: 'p', verbose: 'v'},
  },
  async (process, given) => {
    if (given.operands.length === 0) return missingOperand(process, 'rmdir');
    const {files} = process.machine;
    let status = 0;
    for (const name of given.operands) {
      const path = process.linkPath(name);
      const failed = (files.info(path)?.kind ?? 'folder') !== 'folder' ? 'ENOTDIR' : files.remove(path);
      if (failed)
        status = await complain(
          process,
          `rmdir: failed to remove '${name}': ${failed === 'ENOTEMPTY' ? 'Directory not empty' : FILE_ERROR_TEXT[failed]}`,
        );
      else if (given.has('p')) for (let up = parentOf(path); up !== '/' && !files.remove(up); up = parentOf(up));
    }
    return status;
  },
);

/** `rm [-dfirRv] file …` */
export const rm = makeProgram(
  {
    name: 'rm',
    synopsis: '[OPTION]... [FILE]...',
    summary: 'Remove (unlink) the FILE(s).',
    letters: 'dfiIrRv',
    long: {force: 'f', recursive: 'r', verbose: 'v', dir: 'd', 'no-preserve-root': 'I'},
  },
  async (process, given) => {
    if (given.operands.length === 0) return given.has('f') ? 0 : missingOperand(process, 'rm');
    const {files} = process.machine;
    const isRecursive = given.has('r') || given.has('R');
    let status = 0;
    for (const name of given.operands) {
      const path = process.linkPath(name);
      const info = files.info(path);
      const fail = async (words: string): Promise<void> => {
        status = await complain(process, `rm: ${words}`);
      };
      if (!info) {
        if (!given.has('f')) await fail(`cannot remove '${name}': ${FILE_ERROR_TEXT.ENOENT}`);
      } else if (/(^|\/)\.\.?\/?$/.test(name)) await fail(`refusing to remove '.' or '..' directory: skipping '${name}'`);
      else if (path === '/')
        await fail("it is dangerous to operate recursively on '/'\nrm: use --no-preserve-root to override this failsafe");
      else if (info.kind === 'folder' && !isRecursive && !given.has('d'))
        await fail(`cannot remove '${name}': ${FILE_ERROR_TEXT.EISDIR}`);
      else {
        await process.cpu(0.01);
        const failed = files.remove(path, isRecursive);
        if (failed) await fail(`cannot remove '${name}': ${FILE_ERROR_TEXT[failed]}`);
        else if (given.has('v')) await process.out(`removed ${info.kind === 'folder' ? 'directory ' : ''}'${name}'\n`);
      }
    }
    return status;
  },
);

/** `touch [-c] [-d date] file …`: files remember when they changed, and only that. */
export const touch = makeProgram(
  {
    name: 'touch',
    synopsis: '[OPTION]... FILE...',
    summary: 'Update the modification times of each FILE to the current time.',
    letters: 'acd:mr:t:',
    long: {'no-create': 'c', date: 'd', reference: 'r'},
  },
  async (process, given) => {
    if (given.operands.length === 0)
      return complain(process, "touch: missing file operand\nTry 'touch --help' for more information.");
    const {files} = process.machine;
    const text = given.value('d');
    if (text !== undefined && parseDate(text, process.machine.wall()) === undefined)
      return complain(process, `touch: invalid date format '${text}'`);
    let status = 0;
    for (const name of given.operands) {
      const path = process.path(name);
      if (given.has('c') && !files.info(path)) continue;
      const isNew = !files.info(path);
      const failed = name.endsWith('/') && isNew ? 'ENOENT' : files.touch(path);
      if (isNew && !failed) files.setMode(path, 0o666 & ~process.mask);
      if (failed) status = await complain(process, `touch: cannot touch '${name}': ${FILE_ERROR_TEXT[failed]}`);
    }
    return status;
  },
);

/** `chmod [-Rv] mode file …` */
export const chmod = makeProgram(
  {
    name: 'chmod',
    synopsis: '[OPTION]... MODE[,MODE]... FILE...',
    summary: 'Change the mode of each FILE to MODE.',
    letters: 'cfRvrwxXstugo',
    long: {recursive: 'R', verbose: 'v', silent: 'f', changes: 'c'},
    inOrder: true,
  },
  async (process, given) => {
    const letters = given.order.filter(letter => 'rwx'.includes(letter)).join('');
    const [mode, ...names] = letters === '' ? given.operands : [`-${letters}`, ...given.operands];
    if (mode === undefined) return missingOperand(process, 'chmod');
    if (names.length === 0)
      return complain(process, `chmod: missing operand after '${mode}'\nTry 'chmod --help' for more information.`);
    let status = 0;
    for (const name of names) status = (await chmodOne(process, {name, mode, isDeep: given.has('R')})) || status;
    return status;
  },
);

async function chmodOne(process: Process, task: {name: string; mode: string; isDeep: boolean}): Promise<number> {
  const {files} = process.machine;
  const path = process.path(task.name);
  const info = files.info(path);
  if (!info) return complain(process, `chmod: cannot access '${task.name}': ${FILE_ERROR_TEXT.ENOENT}`);
  const mode = changedMode(info.mode, task.mode, info.kind === 'folder');
  if (mode === undefined)
    return complain(process, `chmod: invalid mode: '${task.mode}'\nTry 'chmod --help' for more information.`);
  files.setMode(path, mode);
  if (task.isDeep) for (const name of files.list(path) ?? []) await chmodOne(process, {...task, name: `${task.name}/${name}`});
  return 0;
}

/** The mode after a change as `chmod` has it: `755`, `u+x`, `go=r`; undefined when it is wrong. */
export function changedMode(before: number, change: string, isFolder: boolean): number | undefined {
  if (/^[0-7]{1,4}$/.test(change)) return Number.parseInt(change, 8);
  let mode = before;
  for (const part of change.split(',')) {
    const match = /^([ugoa]*)([-+=])([rwxXst]*)$/.exec(part);
    if (!match) return undefined;
    const who = match[1] === '' || match[1]?.includes('a') ? 'ugo' : (match[1] ?? '');
    for (const each of who) {
      const shift = each === 'u' ? 6 : each === 'g' ? 3 : 0;
      let bits = 0;
      for (const letter of match[3] ?? '') {
        if (letter === 'r') bits |= 4;
        if (letter === 'w') bits |= 2;
        if (letter === 'x' || (letter === 'X' && (isFolder || before & 0o111))) bits |= 1;
      }
      if (match[2] === '+') mode |= bits << shift;
      else if (match[2] === '-') mode &= ~(bits << shift);
      else mode = (mode & ~(7 << shift)) | (bits << shift);
    }
  }
  return mode;
}

/** `chown [-R] owner[:group] file …` */
export const chown = makeProgram(
  {
    name: 'chown',
    synopsis: '[OPTION]... [OWNER][:[GROUP]] FILE...',
    summary: 'Change the owner and/or group of each FILE.',
    letters: 'cfhRv',
    long: {recursive: 'R', verbose: 'v'},
  },
  async (process, given) => {
    const [owner, ...names] = given.operands;
    if (owner === undefined) return missingOperand(process, 'chown');
    let status = 0;
    for (const name of names) {
      const path = process.path(name);
      const info = process.machine.files.info(path);
      const next = info && ownerNamed(process, owner, ownerOf(process, info));
      if (!next) status = await complain(process, `chown: cannot access '${name}': ${FILE_ERROR_TEXT.ENOENT}`);
      else if (typeof next === 'string') return complain(process, `chown: ${next}`);
      else if (!mayChown(process))
        status = await complain(process, `chown: changing ownership of '${name}': Operation not permitted`);
      else give(process.machine.files, path, {owner: next, all: given.has('R')});
    }
    return status;
  },
);

function give(files: Files, path: string, how: {readonly owner: Owner; readonly all: boolean}): void {
  files.setOwner(path, how.owner);
  if (how.all) for (const name of files.list(path) ?? []) give(files, `${path === '/' ? '' : path}/${name}`, how);
}

/** Only root may give files away, and only while that capability is not taken from it. */
function mayChown({machine: {identity}}: Process): boolean {
  return (identity?.uid ?? 0) === 0 && identity?.capabilities?.has('CHOWN') !== false;
}

/** `mktemp [-d] [-p folder] [-t] [template]` */
export const mktemp = makeProgram(
  {
    name: 'mktemp',
    synopsis: '[OPTION]... [TEMPLATE]',
    summary: 'Create a temporary file or directory, safely, and print its name.',
    letters: 'dp:qtu',
    long: {directory: 'd', tmpdir: 'p', quiet: 'q', 'dry-run': 'u'},
  },
  async (process, given) => {
    const {files} = process.machine;
    const template = given.operands[0] ?? 'tmp.XXXXXXXXXX';
    const run = /X{3,}(?!.*X{3})/.exec(template);
    if (!run) return complain(process, `mktemp: too few X's in template '${template}'`);
    const folder =
      given.has('p') || given.has('t') || given.operands.length === 0
        ? `${given.value('p') ?? process.environment.get('TMPDIR') ?? '/tmp'}/`
        : '';
    const dice = new Dice(process.pid * 31 + Math.floor(process.kernel.clock.now * 1000));
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
    const chance = run[0].replace(/X/g, () => letters[dice.below(letters.length)] ?? 'x');
    const name = folder + template.slice(0, run.index) + chance + template.slice(run.index + run[0].length);
    const path = process.path(name);
    const failed = given.has('u')
      ? undefined
      : given.has('d')
        ? files.isFolder(parentOf(path))
          ? files.makeFolder(path)
          : 'ENOENT'
        : files.write(path, '', 0o600);
    if (failed)
      return complain(
        process,
        `mktemp: failed to create ${given.has('d') ? 'directory' : 'file'} via template '${folder}${template}': ${FILE_ERROR_TEXT[failed]}`,
      );
    if (given.has('d')) files.setMode(path, 0o700);
    await process.out(`${name}\n`);
    return 0;
  },
);
