// `chroot DIR [COMMAND]`: runs a command as if the folder were the root. A folder that is the root of another machine (the node, in a
// pod that has it mounted) brings that machine's programs and files; any other folder has no programs in it.
import type {Program} from '../../sim/process/machine.ts';
import {INTERRUPTED} from '../../sim/process/process.ts';
import {complain} from './output.ts';

const CHROOT_FAILED = 125;
const NOT_FOUND = 127;

/** The program. */
export const chroot: Program = async process => {
  const [folder, ...given] = process.argv.slice(1).filter((word, at) => at > 0 || !word.startsWith('--'));
  if (folder === undefined)
    return complain(process, "chroot: missing operand\nTry 'chroot --help' for more information.", CHROOT_FAILED);
  const {machine} = process;
  const path = process.path(folder);
  const cannot = (why: string) => complain(process, `chroot: cannot change root directory to '${folder}': ${why}`, CHROOT_FAILED);
  if (machine.identity?.capabilities?.has('SYS_CHROOT') === false || (machine.identity?.uid ?? 0) !== 0)
    return cannot('Operation not permitted');
  if (!machine.files.isFolder(path)) return cannot('No such file or directory');
  const words = given.length > 0 ? given : ['/bin/sh'];
  const [name = ''] = words;
  const inside = path === '/' ? machine : machine.rootAt?.(path);
  const program = inside?.program(name);
  if (!inside || !program)
    return complain(process, `chroot: failed to run command '${name}': No such file or directory`, NOT_FOUND);
  const child = process.spawn(program, {argv: words, machine: inside, folder: '/', environment: process.environment});
  if (!child) return 1;
  process.onEnd(() => {
    if (child.exitCode === undefined) process.kernel.signal(child, 'KILL');
  });
  for (;;) {
    const code = await process.wait(child);
    if (code !== INTERRUPTED) return code;
  }
};
