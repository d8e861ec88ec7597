// What runs on this machine: `ps`, `pgrep`, `pkill`, `kill`, `uptime`, `free`.
import type {Program} from '../../sim/process/machine.ts';
import type {Process} from '../../sim/process/process.ts';
import {signalList, signalOf, targetsOf} from '../builtins/kill.ts';
import {compileRegex} from '../text/regex/regex.ts';
import {strftime} from '../text/dates.ts';
import {makeProgram} from './arguments.ts';
import {identityOf} from './identity.ts';
import {complain} from './output.ts';

/** The processes of the machine that a program runs on, by pid. */
export function processesOf(own: Process): readonly Process[] {
  return [...own.kernel.processes.values()].filter(each => each.machine === own.machine).sort((a, b) => a.pid - b.pid);
}

function nameOfProcess(process: Process): string {
  const first = process.argv[0] ?? '';
  return first.slice(first.lastIndexOf('/') + 1);
}

function cpuTime(process: Process): string {
  const seconds = Math.floor(process.cpuMs / 1000);
  return `${String(Math.floor(seconds / 3600)).padStart(2, '0')}:${String(Math.floor(seconds / 60) % 60).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
}

/** `ps [-e] [-f] [aux]` */
export const ps: Program = async process => {
  const options = process.argv.slice(1).join('').replaceAll('-', '');
  const all = /[eAax]/.test(options);
  const terminal = process.streams.get(0)?.isTerminal === true;
  const shown = processesOf(process).filter(each => all || each.streams.get(0)?.isTerminal === terminal);
  const rows = shown.map(each => rowOf(process, each, options));
  await process.out([headOf(options), ...rows].map(row => `${row.trimEnd()}\n`).join(''));
  return 0;
};

function headOf(options: string): string {
  if (options.includes('u')) return 'USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND';
  if (options.includes('f')) return 'UID          PID    PPID  C STIME TTY          TIME CMD';
  return '    PID TTY          TIME CMD';
}

function rowOf(own: Process, process: Process, options: string): string {
  const user = (identityOf(process).name || String(identityOf(process).uid)).padEnd(8).slice(0, 8);
  const pid = String(process.pid);
  const tty = process.streams.get(0)?.isTerminal ? 'pts/0' : '?';
  const started = strftime('%H:%M', own.machine.wall() - (own.kernel.clock.now - process.startedMs));
  const words = process.argv.join(' ');
  if (options.includes('u')) {
    const age = Math.max(1, own.kernel.clock.now - process.startedMs);
    const share = ((process.cpuMs / age) * 100).toFixed(1).padStart(4);
    const time = `${Math.floor(process.cpuMs / 60_000)}:${String(Math.floor(process.cpuMs / 1000) % 60).padStart(2, '0')}`;
    const state = process === own ? 'R+' : 'S';
    return `${user} ${pid.padStart(7)} ${share}  0.0   4624  3712 ${tty.padEnd(8)} ${state.padEnd(4)} ${started} ${time.padStart(6)} ${words}`;
  }
  if (options.includes('f')) {
    const parent = String(process.parent?.exitCode === undefined ? (process.parent?.pid ?? 0) : 1);
    return `${user} ${pid.padStart(7)} ${parent.padStart(7)}  0 ${started} ${tty.padEnd(8)} ${cpuTime(process)} ${words}`;
  }
  return `${pid.padStart(7)} ${tty.padEnd(8)} ${cpuTime(process)} ${nameOfProcess(process)}`;
}

function found(own: Process, pattern: string, options: {full: boolean; exact: boolean}): readonly Process[] | string {
  const regex = compileRegex(options.exact ? `^(${pattern})$` : pattern, {extended: true});
  if (!regex.ok) return regex.words;
  return processesOf(own).filter(each => each !== own && regex.find(options.full ? each.argv.join(' ') : nameOfProcess(each), 0));
}

/** `pgrep [-flxac] pattern` */
export const pgrep = makeProgram(
  {
    name: 'pgrep',
    synopsis: '[OPTION]... PATTERN',
    summary: 'List the processes whose names match PATTERN.',
    letters: 'aflxcno',
    long: {full: 'f', 'list-full': 'a', 'list-name': 'l', exact: 'x', count: 'c', newest: 'n', oldest: 'o'},
    failure: 2,
  },
  async (process, given) => {
    const [pattern] = given.operands;
    if (pattern === undefined)
      return complain(process, "pgrep: no matching criteria specified\nTry `pgrep --help' for more information.", 2);
    const matches = found(process, pattern, {full: given.has('f'), exact: given.has('x')});
    if (typeof matches === 'string') return complain(process, `pgrep: ${matches}`, 2);
    const chosen = given.has('n') ? matches.slice(-1) : given.has('o') ? matches.slice(0, 1) : matches;
    if (given.has('c')) await process.out(`${chosen.length}\n`);
    else {
      for (const each of chosen) {
        const name = given.has('a') ? ` ${each.argv.join(' ')}` : given.has('l') ? ` ${nameOfProcess(each)}` : '';
        await process.out(`${each.pid}${name}\n`);
      }
    }
    return chosen.length > 0 ? 0 : 1;
  },
);

/** `pkill [-signal] [-fx] pattern` */
export const pkill: Program = async process => {
  const args = process.argv.slice(1);
  const signal = args.map(arg => (/^-[A-Z0-9]+$/.test(arg) ? signalOf(arg.slice(1)) : undefined)).find(Boolean) ?? 'TERM';
  const pattern = args.find(arg => !arg.startsWith('-'));
  if (pattern === undefined)
    return complain(process, "pkill: no matching criteria specified\nTry `pkill --help' for more information.", 2);
  const matches = found(process, pattern, {full: args.includes('-f'), exact: args.includes('-x')});
  if (typeof matches === 'string') return complain(process, `pkill: ${matches}`, 2);
  for (const each of matches) process.kernel.signal(each, signal);
  return matches.length > 0 ? 0 : 1;
};

/** `kill`, as a program */
export const killProgram: Program = async process => {
  const args = process.argv.slice(1);
  if (args[0] === '-l') {
    await process.out(signalList());
    return 0;
  }
  const named = args[0] === '-s' || args[0] === '-n' ? args[1] : args[0]?.startsWith('-') ? args[0].slice(1) : undefined;
  const rest = args.slice(args[0] === '-s' || args[0] === '-n' ? 2 : named === undefined ? 0 : 1);
  const signal = named === '0' ? undefined : signalOf(named ?? 'TERM');
  if (named !== '0' && !signal) return complain(process, `kill: ${named}: invalid signal`);
  if (rest.length === 0) return complain(process, 'kill: not enough arguments');
  let status = 0;
  for (const text of rest) {
    const targets = targetsOf(process, text);
    if (targets.length === 0) status = await complain(process, `kill: (${text}): No such process`);
    if (signal) for (const target of targets) process.kernel.signal(target, signal);
    if (process.exitCode !== undefined) return process.exitCode;
  }
  return status;
};

/** `uptime` */
export const uptime: Program = async process => {
  const minutes = Math.floor(process.kernel.clock.now / 60_000);
  const up = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
  await process.out(` ${strftime('%T', process.machine.wall())} up ${up},  1 user,  load average: 0.00, 0.00, 0.00\n`);
  return 0;
};
