import {FILE_ERROR_TEXT, resolvePath} from '../../sim/files.ts';
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
  const isPhysical = args.includes('-P');
  const status = yield* changeFolder(shell, isPhysical ? shell.process.path(found.path) : found.path, target);
  if (status !== 0 || !(isBack || found.isTold)) return status;
  const written = write(shell, 'cd', `${folderOf(shell)}\n`);
  return typeof written === 'number' ? written : yield* written;
}

/** The folder by the way that led to it, links and all, as PWD has it while that is true. */
export function folderOf(shell: Shell): string {
  const {process} = shell;
  const told = shell.variables.text('PWD');
  return told?.startsWith('/') && process.path(told) === process.folder ? resolvePath('/', told) : process.folder;
}

/** Looks in CDPATH for a name that is no path. */
function find(shell: Shell, target: string): {path: string; isTold: boolean} {
  const folders = shell.variables.text('CDPATH');
  if (folders !== undefined && !/^\.{0,2}\//.test(target)) {
    for (const folder of folders.split(':')) {
      const path = resolvePath(folderOf(shell), `${folder}/${target}`);
      if (folder !== '' && folder !== '.' && shell.process.machine.files.isFolder(shell.process.path(path)))
        return {path, isTold: true};
    }
  }
  return {path: resolvePath(folderOf(shell), target), isTold: false};
}

/** Goes to a folder; `name` is how messages call it. */
export function* changeFolder(shell: Shell, path: string, name: string, who = 'cd'): Steps<number> {
  const {process} = shell;
  const {files} = process.machine;
  const real = process.path(path);
  // A way that goes back through a folder that does not exist is none.
  const back = name.indexOf('/..');
  const isLost = back > 0 && !files.isFolder(process.path(name.slice(0, back)));
  if (isLost || !files.isFolder(real)) {
    const exists = !isLost && files.info(real) !== undefined;
    return yield* shell.complain(`${who}: ${name}: ${exists ? FILE_ERROR_TEXT.ENOTDIR : FILE_ERROR_TEXT.ENOENT}`);
  }
  shell.variables.setText('OLDPWD', folderOf(shell)).exported = true;
  process.folder = real;
  shell.variables.setText('PWD', path).exported = true;
  return 0;
}

/** `pwd [-LP]` */
export function pwd(shell: Shell, args: readonly string[]): Steps<number> | number {
  return write(shell, 'pwd', `${args.includes('-P') ? shell.process.folder : folderOf(shell)}\n`);
}
