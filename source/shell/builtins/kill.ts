// `kill`: signals to processes, jobs and process groups.
import {SIGNALS} from '../../sim/process/kernel.ts';
import type {SignalName} from '../../sim/process/kernel.ts';
import type {Process} from '../../sim/process/process.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';

/** All signals of Linux by number, as `kill -l` lists them; those that the simulation knows can be sent. */
const NAMES = [
  'HUP',
  'INT',
  'QUIT',
  'ILL',
  'TRAP',
  'ABRT',
  'BUS',
  'FPE',
  'KILL',
  'USR1',
  'SEGV',
  'USR2',
  'PIPE',
  'ALRM',
  'TERM',
  'STKFLT',
  'CHLD',
  'CONT',
  'STOP',
  'TSTP',
  'TTIN',
  'TTOU',
  'URG',
  'XCPU',
  'XFSZ',
  'VTALRM',
  'PROF',
  'WINCH',
  'IO',
  'PWR',
  'SYS',
];

/** The table of `kill -l`. */
export function signalList(): string {
  const cells = NAMES.map((name, index) => `${String(index + 1).padStart(2)}) SIG${name}`);
  let text = '';
  for (const [index, cell] of cells.entries()) text += cell + (index % 5 === 4 || index === cells.length - 1 ? '\n' : '\t');
  return text;
}

/** The name of a signal that is written as name, SIGname or number. */
export function signalOf(text: string): SignalName | undefined {
  const name = /^\d+$/.test(text) ? NAMES[Number(text) - 1] : text.toUpperCase().replace(/^SIG/, '');
  return Object.keys(SIGNALS).find((known): known is SignalName => known === name);
}

/** The processes that an argument of `kill` names: a pid, or a group with a minus before it. */
export function targetsOf(own: Process, text: string): readonly Process[] {
  const pid = Number(text);
  const all = [...own.kernel.processes.values()].filter(each => each.machine === own.machine);
  if (pid === 0) return all.filter(each => each.group === own.group);
  if (pid === -1) return all.filter(each => each !== own && each.pid !== 1);
  return all.filter(each => (pid < 0 ? each.group === -pid : each.pid === pid));
}

/** `kill [-s name | -n number | -name] pid | %job …` */
export function* kill(shell: Shell, args: readonly string[]): Steps<number> {
  const [first] = args;
  if (first === '-l' || first === '-L') return yield* list(shell, args.slice(1));
  let rest = args;
  let text = 'TERM';
  if (first === '-s' || first === '-n') {
    text = args[1] ?? '';
    rest = args.slice(2);
  } else if (first === '--') rest = args.slice(1);
  else if (first?.startsWith('-') && first !== '-') {
    text = first.slice(1);
    rest = args[1] === '--' ? args.slice(2) : args.slice(1);
  }
  if (rest.length === 0) {
    yield* shell.printError('kill: usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]\n');
    return 2;
  }
  const name = text === '0' ? undefined : signalOf(text);
  if (text !== '0' && name === undefined) return yield* shell.complain(`kill: ${text}: invalid signal specification`);
  let status = 0;
  for (const target of rest) {
    const words = yield* send(shell, target, name);
    if (words !== undefined) status = yield* shell.complain(`kill: ${words}`);
  }
  return status;
}

function* send(shell: Shell, target: string, name: SignalName | undefined): Steps<string | undefined> {
  if (target.startsWith('%')) {
    const job = shell.jobs.bySpecification(target);
    if (!job) return `${target}: no such job`;
    if (name) for (const process of job.processes) yield* shell.signal(process, name);
    return undefined;
  }
  if (!/^-?\d+$/.test(target)) return `${target}: arguments must be process or job IDs`;
  const targets = targetsOf(shell.process, target);
  const service = shell.process.machine.services?.().find(({pid}) => pid === Number(target));
  if (service && name) service.signal(name);
  if (service) return undefined;
  if (targets.length === 0) {
    const ended = shell.jobs.byPid(Number(target)) !== undefined;
    return ended ? undefined : `(${target}) - No such process`;
  }
  if (name) for (const process of targets) yield* shell.signal(process, name);
  return undefined;
}

function* list(shell: Shell, args: readonly string[]): Steps<number> {
  if (args.length === 0) yield* shell.print(signalList());
  let status = 0;
  for (const text of args) {
    const number = Number(text) > 128 ? Number(text) - 128 : Number(text);
    const found = /^\d+$/.test(text) ? NAMES[number - 1] : NAMES.indexOf(text.toUpperCase().replace(/^SIG/, '')) + 1;
    if (found === undefined || found === 0) status = yield* shell.complain(`kill: ${text}: invalid signal specification`);
    else yield* shell.print(`${found}\n`);
  }
  return status;
}
