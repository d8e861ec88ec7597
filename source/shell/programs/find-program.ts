// Programs that run programs (`xargs`, `env`, `timeout`, `watch` …) find them as the shell does: by path, or in PATH.
import type {Program} from '../../sim/process/machine.ts';
import type {Process} from '../../sim/process/process.ts';

/** A program with the arguments that it gets, or libc's words for why there is none, and the status for that. */
export type FoundProgram =
  | {readonly ok: true; readonly program: Program; readonly argv: readonly string[]; readonly path: string}
  | {readonly ok: false; readonly words: string; readonly status: 126 | 127};

const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin';

/** Finds what an argument vector names. */
export function findByName(process: Process, argv: readonly string[]): FoundProgram {
  const name = argv[0] ?? '';
  const {machine} = process;
  if (name.includes('/')) return byPath(process, process.path(name), argv);
  for (const folder of (process.environment.get('PATH') ?? USUAL_PATH).split(':')) {
    const path = process.path(`${folder}/${name}`);
    const info = folder === '' ? undefined : machine.files.info(path);
    if (info?.kind === 'file' && (info.mode & 0o111) !== 0) return byPath(process, path, argv);
  }
  const program = name === '' ? undefined : machine.program(name);
  if (program) return {ok: true, program, argv, path: `/usr/bin/${name}`};
  return {ok: false, words: 'No such file or directory', status: 127};
}

function byPath(process: Process, path: string, argv: readonly string[]): FoundProgram {
  const {machine} = process;
  const info = machine.files.info(path);
  const program = machine.program(path);
  if (program && info?.kind !== 'folder') return {ok: true, program, argv, path};
  if (!info) return {ok: false, words: 'No such file or directory', status: 127};
  if (info.kind === 'folder' || (info.mode & 0o111) === 0) return {ok: false, words: 'Permission denied', status: 126};
  const line = /^#!\s*(\S+)[ \t]*(.*)/.exec(machine.files.read(path) ?? '');
  const interpreter = line?.[1] ?? '/bin/sh';
  const runner = machine.program(interpreter) ?? machine.program(interpreter.slice(interpreter.lastIndexOf('/') + 1));
  if (!runner) return {ok: false, words: 'No such file or directory', status: 127};
  const option = line?.[2]?.trim() ?? '';
  return {ok: true, program: runner, argv: [interpreter, ...(option === '' ? [] : [option]), path, ...argv.slice(1)], path};
}
