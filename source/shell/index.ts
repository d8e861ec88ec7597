// The public face of the room: bash, and the programs that every machine has.
import type {Program} from '../sim/process/machine.ts';
import {makeBash} from './bash.ts';
import type {ShellSettings} from './bash.ts';
import {networkPrograms} from './network/index.ts';
import {coreutils} from './programs/index.ts';

export {makeBash} from './bash.ts';
export type {ShellSettings} from './bash.ts';
export {coreutils} from './programs/index.ts';
export {httpd, python} from './network/file-server.ts';
export {busyboxNslookup, smallNslookup} from './network/lookups.ts';
export {busyboxPs} from './programs/processes.ts';
export {networkPrograms} from './network/index.ts';

/** All programs of this room by name: `bash`, `sh` and the coreutils. */
export function shellPrograms(settings: Partial<ShellSettings> = {}): ReadonlyMap<string, Program> {
  const bash = makeBash(settings);
  return new Map<string, Program>([...coreutils, ...networkPrograms, ['bash', bash], ['sh', bash]]);
}
