// What the first word of a command stands for: a function, a builtin, a program of the machine, or a script in a file.
import type {Program} from '../../sim/process/machine.ts';
import type {Shell} from '../state/shell.ts';

/** A program to run: with what stands before the arguments where a script needs an interpreter. */
export interface Found {
  readonly kind: 'program';
  readonly program: Program;
  readonly before: readonly string[];
  readonly path: string;
}

/** Why there is none: bash's words and status. */
export interface Missing {
  readonly kind: 'missing';
  readonly words: string;
  readonly status: 126 | 127;
}

/** Finds a program by the word that was typed. `searchPath` replaces PATH, as in `PATH=/x command`. */
export function findProgram(shell: Shell, name: string, searchPath?: string): Found | Missing {
  if (name.includes('/')) return byPath(shell, name);
  const {machine} = shell.process;
  const folders = (searchPath ?? shell.variables.text('PATH') ?? '').split(':').filter(folder => folder !== '');
  for (const folder of folders) {
    const path = shell.process.path(`${folder}/${name}`);
    const info = machine.files.info(path);
    if (info?.kind === 'file' && (info.mode & 0o111) !== 0)
      return machine.program(path) ? found(shell, name, path) : script(shell, path, path);
  }
  const path = pathOf(shell, name, folders);
  return path === undefined || name === ''
    ? {kind: 'missing', words: notFound(shell, name), status: 127}
    : found(shell, name, path);
}

/** Where the machine's own programs stand: in the first folder of PATH that such programs have. */
function pathOf(shell: Shell, name: string, folders: readonly string[]): string | undefined {
  if (!shell.process.machine.program(name)) return undefined;
  const folder = ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin', '/sbin'].find(each => folders.includes(each));
  return folder === undefined ? undefined : `${folder}/${name}`;
}

function found(shell: Shell, name: string, path: string): Found | Missing {
  const program = shell.process.machine.program(path) ?? shell.process.machine.program(name);
  return program ? {kind: 'program', program, before: [], path} : {kind: 'missing', words: notFound(shell, name), status: 127};
}

function notFound(shell: Shell, name: string): string {
  return shell.settings.flavour === 'ash' ? `${name}: not found` : `${name}: command not found`;
}

function byPath(shell: Shell, name: string): Found | Missing {
  const {machine} = shell.process;
  const path = shell.process.path(name);
  const info = machine.files.info(path);
  const program = machine.program(path);
  if (program && info?.kind !== 'folder') return {kind: 'program', program, before: [], path};
  if (info?.kind === 'folder') return {kind: 'missing', words: `${name}: Is a directory`, status: 126};
  if (!info) return {kind: 'missing', words: `${name}: No such file or directory`, status: 127};
  if ((info.mode & 0o111) === 0) return {kind: 'missing', words: `${name}: Permission denied`, status: 126};
  return script(shell, name, path);
}

/** A file that is run: `#!` names its interpreter, else it is the shell. */
function script(shell: Shell, name: string, path: string): Found | Missing {
  const {machine} = shell.process;
  const text = machine.files.read(path) ?? '';
  const line = /^#!\s*(\S+)[ \t]*(.*)/.exec(text);
  const interpreter = line?.[1] ?? 'bash';
  const program =
    machine.program(interpreter) ??
    machine.program(interpreter.slice(interpreter.lastIndexOf('/') + 1)) ??
    (line ? undefined : machine.program('sh'));
  if (!program) return {kind: 'missing', words: `${name}: cannot execute: required file not found`, status: 127};
  const option = line?.[2]?.trim() ?? '';
  return {kind: 'program', program, before: [interpreter, ...(option === '' ? [] : [option]), name], path};
}

/** The path of a script that `bash NAME` and `source NAME` mean: here, or else in PATH. */
export function findScript(shell: Shell, name: string): string {
  const {files} = shell.process.machine;
  if (name.includes('/') || files.info(shell.process.path(name))) return name;
  for (const folder of (shell.variables.text('PATH') ?? '').split(':')) {
    const path = shell.process.path(`${folder}/${name}`);
    if (files.info(path)?.kind === 'file') return path;
  }
  return name;
}
