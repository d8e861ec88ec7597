// The stack of folders: `pushd`, `popd`, `dirs`.
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import {changeFolder} from './cd.ts';

/** `dirs [-clpv]` */
export function* dirs(shell: Shell, args: readonly string[]): Steps<number> {
  const letters = args.filter(arg => arg.startsWith('-')).join('');
  if (letters.includes('c')) {
    shell.folders = [];
    return 0;
  }
  const all = [shell.process.folder, ...shell.folders].map(path => (letters.includes('l') ? path : short(shell, path)));
  if (letters.includes('v')) yield* shell.print(all.map((path, index) => `${String(index).padStart(2)}  ${path}\n`).join(''));
  else yield* shell.print(letters.includes('p') ? `${all.join('\n')}\n` : `${all.join(' ')}\n`);
  return 0;
}

function short(shell: Shell, path: string): string {
  const home = shell.variables.text('HOME');
  return home && (path === home || path.startsWith(`${home}/`)) ? `~${path.slice(home.length)}` : path;
}

/** `pushd [folder | +n]` */
export function* pushd(shell: Shell, args: readonly string[]): Steps<number> {
  const [target] = args.filter(arg => arg !== '-n');
  const here = shell.process.folder;
  if (target === undefined || /^[-+]\d+$/.test(target)) {
    const all = [here, ...shell.folders];
    if (all.length < 2) return yield* shell.complain('pushd: no other directory');
    const count = target === undefined ? 1 : Number(target);
    const from = target?.startsWith('-') ? all.length - 1 + count : count;
    if (from < 0 || from >= all.length) return yield* shell.complain(`pushd: ${target}: directory stack index out of range`);
    const turned = target === undefined ? [all[1] ?? '', here, ...all.slice(2)] : [...all.slice(from), ...all.slice(0, from)];
    const status = yield* changeFolder(shell, turned[0] ?? here, turned[0] ?? here, 'pushd');
    if (status !== 0) return status;
    shell.folders = turned.slice(1);
  } else {
    const status = yield* changeFolder(shell, shell.process.path(target), target, 'pushd');
    if (status !== 0) return status;
    shell.folders = [here, ...shell.folders];
  }
  return yield* dirs(shell, []);
}

/** `popd` */
export function* popd(shell: Shell): Steps<number> {
  const [next] = shell.folders;
  if (next === undefined) return yield* shell.complain('popd: directory stack empty');
  const status = yield* changeFolder(shell, next, next, 'popd');
  if (status !== 0) return status;
  shell.folders = shell.folders.slice(1);
  return yield* dirs(shell, []);
}
