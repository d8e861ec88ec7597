// `ssh HOST [COMMAND]`: a shell on another machine, as root there, with this program's input and output. That the machine can be
// reached is found out as in life, by a connection to its port 22.
//
// Not modelled: keys and passwords (who may log in is a list), tunnels, and what a cut link does to a session that is open.
import {CONNECT} from '../../sim/network.ts';
import type {Machine, Program} from '../../sim/process/machine.ts';
import {INTERRUPTED, type Process} from '../../sim/process/process.ts';

/** A machine that one may log in to. */
export interface Target {
  readonly machine: Machine;
  /** Where its port 22 is reached. */
  readonly address: string;
  readonly shell: Program;
  readonly environment: ReadonlyMap<string, string>;
  /** Does it have power? */
  readonly isUp: () => boolean;
}

export interface SshOptions {
  /** Finds a machine by its name or address; undefined: nobody is called so. */
  readonly find: (name: string) => Target | undefined;
  /** May the user log in there? */
  readonly mayEnter: (name: string) => boolean;
}

const PORT = 22;
const CONNECT_MS = 20_000;
const FAILED = 255;
const WITH_VALUE = 'bceilopwBDEFIJLmOQRSW';

/** Makes the program. */
export function makeSsh({find, mayEnter}: SshOptions): Program {
  return async process => {
    const {host, command} = wordsOf(process.argv.slice(1));
    if (host === undefined) {
      await process.err('usage: ssh [-options] destination [command [argument ...]]\n');
      return FAILED;
    }
    const name = nameIn(host);
    const target = await reach(process, host, {find, mayEnter});
    return target === undefined ? FAILED : enter(process, target, {name, command});
  };
}

function nameIn(host: string): string {
  return host.slice(host.indexOf('@') + 1);
}

/** Connects to `[USER@]HOST`; undefined, after it has been said why, when that cannot be. */
export async function reach(process: Process, host: string, {find, mayEnter}: SshOptions): Promise<Target | undefined> {
  const name = nameIn(host);
  const target = find(name);
  const reached = await process.call(target?.address ?? name, PORT, CONNECT, CONNECT_MS);
  if (!reached.ok) {
    await process.err(reasonOf(name, reached.failure));
    return undefined;
  }
  if (target && mayEnter(target.machine.name)) return target;
  const user = host.includes('@') ? host.slice(0, host.indexOf('@')) : (process.environment.get('USER') ?? 'root');
  await process.err(`${user}@${name}: Permission denied (publickey).\n`);
  return undefined;
}

async function enter(
  process: Process,
  target: Target,
  {name, command}: {name: string; command: readonly string[]},
): Promise<number> {
  const {machine, shell} = target;
  const environment = new Map(target.environment);
  const term = process.environment.get('TERM');
  if (term !== undefined && command.length === 0) environment.set('TERM', term);
  const argv = command.length === 0 ? ['-bash'] : ['bash', '-c', command.join(' ')];
  const folder = environment.get('HOME') ?? '/';
  const child = process.spawn(shell, {argv, machine, environment, folder});
  if (!child) {
    await process.err(`Connection closed by ${name} port ${PORT}\n`);
    return FAILED;
  }
  let code = await process.wait(child);
  while (code === INTERRUPTED) code = await process.wait(child);
  if (child.endedBy === undefined || target.isUp()) {
    if (command.length === 0) await process.err(`Connection to ${name} closed.\n`);
    return code;
  }
  await process.err(`client_loop: send disconnect: Broken pipe\n`);
  return FAILED;
}

function wordsOf(words: readonly string[]): {readonly host: string | undefined; readonly command: readonly string[]} {
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (!word.startsWith('-')) return {host: word, command: words.slice(i + 1)};
    if (word.length === 2 && WITH_VALUE.includes(word[1] ?? '')) i++;
  }
  return {host: undefined, command: []};
}

function reasonOf(name: string, failure: string): string {
  if (failure === 'unresolved') return `ssh: Could not resolve hostname ${name}: Name or service not known\n`;
  if (failure === 'timeout') return `ssh: connect to host ${name} port ${PORT}: Connection timed out\n`;
  return `ssh: connect to host ${name} port ${PORT}: Connection refused\n`;
}
