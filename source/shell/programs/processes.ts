// What runs on this machine: `ps`, `pgrep`, `pidof`, `pkill`, `killall`, `kill`, `uptime`.
import type {Program} from '../../sim/process/machine.ts';
import type {Process} from '../../sim/process/process.ts';
import type {SignalName} from '../../sim/process/kernel.ts';
import {signalList, signalOf, targetsOf} from '../builtins/kill.ts';
import {compileRegex} from '../text/regex/regex.ts';
import {strftime} from '../text/dates.ts';
import {makeProgram} from './arguments.ts';
import {identityOf} from './identity.ts';
import {complain} from './output.ts';

/** A process as it is listed: a program's, or a service's of the machine. */
interface Listed {
  readonly pid: number;
  readonly parent: number;
  readonly argv: readonly string[];
  readonly user: string;
  readonly startedMs: number;
  readonly cpuMs: number;
  readonly memoryBytes: number;
  readonly isTerminal: boolean;
  readonly isOwn: boolean;
  readonly signal: (name: SignalName) => void;
}

/** How much of its life a service computes. */
const SERVICE_SHARE = 0.012;
const PROGRAM_BYTES = 3712 * 1024;

/** All that runs on the machine of a program, by pid. */
function listed(own: Process): readonly Listed[] {
  const {kernel, machine} = own;
  const known = machine.services?.() ?? [];
  const first = known.find(({standsFor}) => standsFor !== undefined)?.standsFor;
  const programs = [...kernel.processes.values()]
    .filter(each => each.machine === machine && each.pid !== first)
    .map(each => listedProgram(own, each))
    .map(each => (each.parent === first ? {...each, parent: 1} : each));
  const services = known.map(service => ({
    ...service,
    parent: service.pid === 1 ? 0 : 1,
    user: service.user ?? 'root',
    cpuMs: Math.floor((kernel.clock.now - service.startedMs) * SERVICE_SHARE),
    isTerminal: false,
    isOwn: false,
  }));
  return [...programs, ...services].sort((a, b) => a.pid - b.pid);
}

function listedProgram(own: Process, process: Process): Listed {
  const {parent} = process;
  return {
    pid: process.pid,
    parent: parent ? (parent.exitCode === undefined ? parent.pid : 1) : 0,
    argv: process.argv,
    user: identityOf(process).name || String(identityOf(process).uid),
    startedMs: process.startedMs,
    cpuMs: process.cpuMs,
    memoryBytes: PROGRAM_BYTES,
    isTerminal: process.streams.get(0)?.isTerminal === true,
    isOwn: process === own,
    signal: name => own.kernel.signal(process, name),
  };
}

function nameOfProcess({argv: [first = '']}: {readonly argv: readonly string[]}): string {
  return first.slice(first.lastIndexOf('/') + 1);
}

function cpuTime(process: Listed): string {
  const seconds = Math.floor(process.cpuMs / 1000);
  return `${String(Math.floor(seconds / 3600)).padStart(2, '0')}:${String(Math.floor(seconds / 60) % 60).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
}

/** `ps [-e] [-f] [aux]`, `ps -p PID`, `ps -C NAME` */
export const ps: Program = async process => {
  const words = process.argv.slice(1);
  const chosen = words.findIndex(word => /^(-?p|-C|-o|--pid)$/.test(word));
  const options = words
    .filter((word, i) => !(chosen >= 0 && i > chosen) && !word.startsWith('--'))
    .join('')
    .replaceAll('-', '');
  const all = /[eAaxC]/.test(options);
  const terminal = process.streams.get(0)?.isTerminal === true;
  const wanted = chosen >= 0 && words[chosen] !== '-o' ? (words[chosen + 1] ?? '').split(',') : undefined;
  const shown = listed(process).filter(each =>
    wanted ? wanted.includes(String(each.pid)) || wanted.includes(nameOfProcess(each)) : all || each.isTerminal === terminal,
  );
  const rows = shown.map(each => rowOf(process, each, options));
  await process.out([headOf(options), ...rows].map(row => `${row.trimEnd()}\n`).join(''));
  return wanted && shown.length === 0 ? 1 : 0;
};

/** `ps` of busybox: everything, whatever the options. */
export const busyboxPs: Program = async process => {
  const rows = listed(process).map(({pid, user, cpuMs, argv}) => {
    const time = `${Math.floor(cpuMs / 60_000)}:${String(Math.floor(cpuMs / 1000) % 60).padStart(2, '0')}`;
    return `${String(pid).padStart(5)} ${user.slice(0, 8).padEnd(8)} ${time.padStart(5)} ${argv.join(' ')}\n`;
  });
  await process.out(`PID   USER     TIME  COMMAND\n${rows.join('')}`);
  return 0;
};

function headOf(options: string): string {
  if (options.includes('u')) return 'USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND';
  if (options.includes('f')) return 'UID          PID    PPID  C STIME TTY          TIME CMD';
  return '    PID TTY          TIME CMD';
}

function rowOf(own: Process, process: Listed, options: string): string {
  const user = process.user.padEnd(8).slice(0, 8);
  const pid = String(process.pid);
  const tty = process.isTerminal ? 'pts/0' : '?';
  const started = strftime('%H:%M', own.machine.wall() - (own.kernel.clock.now - process.startedMs));
  const words = process.argv.join(' ');
  if (options.includes('u')) {
    const age = Math.max(1, own.kernel.clock.now - process.startedMs);
    const share = ((process.cpuMs / age) * 100).toFixed(1).padStart(4);
    const time = `${Math.floor(process.cpuMs / 60_000)}:${String(Math.floor(process.cpuMs / 1000) % 60).padStart(2, '0')}`;
    const state = process.isOwn ? 'R+' : process.parent <= 1 ? 'Ss' : 'S';
    const size = String(Math.round(process.memoryBytes / 1024)).padStart(5);
    return `${user} ${pid.padStart(7)} ${share}  0.0   4624 ${size} ${tty.padEnd(8)} ${state.padEnd(4)} ${started} ${time.padStart(6)} ${words}`;
  }
  if (options.includes('f')) {
    const parent = String(process.parent);
    return `${user} ${pid.padStart(7)} ${parent.padStart(7)}  0 ${started} ${tty.padEnd(8)} ${cpuTime(process)} ${words}`;
  }
  return `${pid.padStart(7)} ${tty.padEnd(8)} ${cpuTime(process)} ${nameOfProcess(process)}`;
}

function found(own: Process, pattern: string, options: {full: boolean; exact: boolean}): readonly Listed[] | string {
  const regex = compileRegex(options.exact ? `^(${pattern})$` : pattern, {extended: true});
  if (!regex.ok) return regex.words;
  return listed(own).filter(each => !each.isOwn && regex.find(options.full ? each.argv.join(' ') : nameOfProcess(each), 0));
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
  for (const each of matches) each.signal(signal);
  return matches.length > 0 ? 0 : 1;
};

/** `pidof name …`: the newest first. */
export const pidof: Program = async process => {
  const names = process.argv.slice(1).filter(word => !word.startsWith('-'));
  const pids = names.flatMap(name =>
    listed(process)
      .filter(each => nameOfProcess(each) === name)
      .map(({pid}) => pid)
      .reverse(),
  );
  if (pids.length > 0) await process.out(`${pids.join(' ')}\n`);
  return pids.length > 0 ? 0 : 1;
};

/** `killall [-SIGNAL] name …` */
export const killall: Program = async process => {
  const args = process.argv.slice(1);
  const signal = args.map(arg => (/^-[A-Z0-9]+$/.test(arg) ? signalOf(arg.slice(1)) : undefined)).find(Boolean) ?? 'TERM';
  let status = 0;
  for (const name of args.filter(arg => !arg.startsWith('-'))) {
    const matches = listed(process).filter(each => nameOfProcess(each) === name);
    for (const each of matches) each.signal(signal);
    if (matches.length === 0) status = await complain(process, `${name}: no process found`);
  }
  return status;
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
    const service = process.machine.services?.().find(({pid}) => pid === Number(text));
    if (service && signal) service.signal(signal);
    if (targets.length === 0 && !service) status = await complain(process, `kill: (${text}): No such process`);
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
