import {FILE_ERROR_TEXT} from '../../sim/files.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import {write} from './echo.ts';

/** `cd [-LP] [folder]`: home without an argument, the folder before with `-`. */
export function* cd(shell: Shell, args: readonly string[]): Steps<number> {
  const rest = args.filter(arg => !/^-[LPe]+$/.test(arg) && arg !== '--');
  if (rest.length > 1) return yield* shell.complain('cd: too many arguments');
  let [target] = rest;
  if (target === undefined) {
    target = shell.variables.text('HOME');
    if (target === undefined) return yield* shell.complain('cd: HOME not set');
  }
  const isBack = target === '-';
  if (isBack) {
    target = shell.variables.text('OLDPWD');
    if (target === undefined) return yield* shell.complain('cd: OLDPWD not set');
  }
  const found = find(shell, target);
  const status = yield* changeFolder(shell, found.path, target);
  if (status !== 0 || !(isBack || found.isTold)) return status;
  const written = write(shell, 'cd', `${shell.process.folder}\n`);
  return typeof written === 'number' ? written : yield* written;
}

/** Looks in CDPATH for a name that is no path. */
function find(shell: Shell, target: string): {path: string; isTold: boolean} {
  const folders = shell.variables.text('CDPATH');
  if (folders !== undefined && !/^\.{0,2}\//.test(target)) {
    for (const folder of folders.split(':')) {
      const path = shell.process.path(`${folder}/${target}`);
      if (folder !== '' && folder !== '.' && shell.process.machine.files.isFolder(path)) return {path, isTold: true};
    }
  }
  return {path: shell.process.path(target), isTold: false};
}

/** Goes to a folder; `name` is how messages call it. */
export function* changeFolder(shell: Shell, path: string, name: string, who = 'cd'): Steps<number> {
  const {files} = shell.process.machine;
  if (!files.isFolder(path)) {
    return yield* shell.complain(`${who}: ${name}: ${files.info(path) ? FILE_ERROR_TEXT.ENOTDIR : FILE_ERROR_TEXT.ENOENT}`);
  }
  shell.variables.setText('OLDPWD', shell.process.folder).exported = true;
  shell.process.folder = path;
  shell.variables.setText('PWD', path).exported = true;
  return 0;
}

/** `pwd` */
export function pwd(shell: Shell): Steps<number> | number {
  return write(shell, 'pwd', `${shell.process.folder}\n`);
}
