// A handful of programs, as a small image has them, for stories that need real processes but no shell.
import {INTERRUPTED} from '../../../source/sim/process/process.ts';
import type {Program} from '../../../source/sim/process/machine.ts';

export const PROGRAMS: Readonly<Record<string, Program>> = {
  true: async () => 0,
  false: async () => 1,
  async echo(process) {
    await process.out(`${process.argv.slice(1).join(' ')}\n`);
    return 0;
  },
  async sleep(process) {
    await process.sleep(Number(process.argv[1]) * 1000);
    return 0;
  },
  /** `fail CODE SECONDS WORDS…`: says it on stderr and ends. */
  async fail(process) {
    const [, code, seconds, ...words] = process.argv;
    if (words.length > 0) await process.err(`${words.join(' ')}\n`);
    if (Number(seconds) > 0) await process.sleep(Number(seconds) * 1000);
    return Number(code);
  },
  async cat(process) {
    const [, path] = process.argv;
    if (path === undefined) {
      await process.out(await process.readAll());
      return 0;
    }
    const text = process.machine.files.read(process.path(path));
    if (text === undefined) {
      await process.err(`cat: can't open '${path}': No such file or directory\n`);
      return 1;
    }
    await process.out(text);
    return 0;
  },
  async touch(process) {
    const [, path = ''] = process.argv;
    const failed = process.machine.files.touch(process.path(path));
    if (failed) await process.err(`touch: ${path}: ${failed}\n`);
    return failed ? 1 : 0;
  },
  async write(process) {
    const [, path = '', ...words] = process.argv;
    process.machine.files.write(process.path(path), `${words.join(' ')}\n`);
    return 0;
  },
  /** `note PATH CODE WORDS…`: writes a file and ends with the code. */
  async note(process) {
    const [, path = '', code = '0', ...words] = process.argv;
    process.machine.files.write(process.path(path), `${words.join(' ')}\n`);
    return Number(code);
  },
  async rm(process) {
    process.machine.files.remove(process.path(process.argv[1] ?? ''));
    return 0;
  },
  /** `until PATH`: waits until a file is there. */
  async until(process) {
    const path = process.path(process.argv[1] ?? '');
    await process.out(`waiting for ${path}\n`);
    while (process.machine.files.info(path) === undefined) await process.sleep(1000);
    return 0;
  },
  async env(process) {
    for (const [name, value] of process.environment) await process.out(`${name}=${value}\n`);
    return 0;
  },
  /** Ends on SIGTERM with a word and code 143. */
  async polite(process) {
    process.onSignal('TERM', 'catch');
    await process.out('here\n');
    for (;;) {
      if (await process.sleep(1000)) continue;
      await process.out('bye\n');
      return Number(process.argv[1] ?? 143);
    }
  },
  async read(process) {
    const text = await process.read();
    await process.out(text === INTERRUPTED || text === null ? 'nothing\n' : `got ${text}`);
    return 0;
  },
};
