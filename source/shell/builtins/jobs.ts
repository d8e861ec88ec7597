// `jobs`, `wait`, `fg`, `bg`, `disown`.
import {INTERRUPTED} from '../../sim/process/process.ts';
import type {Process} from '../../sim/process/process.ts';
import {controlsJobs, whileForeground} from '../interpreter/foreground.ts';
import {tellSignal} from '../interpreter/obituary.ts';
import {runTraps} from '../interpreter/traps.ts';
import {isEnded, statusOf} from '../state/jobs.ts';
import type {Job} from '../state/jobs.ts';
import {statusOfSignal} from '../state/shell.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';

const ENDED_BY: ReadonlyMap<number, string> = new Map([
  [129, 'Hangup'],
  [130, 'Interrupt'],
  [131, 'Quit'],
  [134, 'Aborted'],
  [137, 'Killed'],
  [138, 'User defined signal 1'],
  [139, 'Segmentation fault'],
  [140, 'User defined signal 2'],
  [141, 'Broken pipe'],
  [142, 'Alarm clock'],
  [143, 'Terminated'],
]);

function stateOf(job: Job): string {
  if (!isEnded(job)) return 'Running';
  const status = statusOf(job);
  return status === 0 ? 'Done' : (ENDED_BY.get(status) ?? `Exit ${status}`);
}

function lineOf(shell: Shell, job: Job, withPid: boolean): string {
  const pid = withPid ? ` ${job.processes[0]?.pid ?? ''}` : ' ';
  const space = withPid ? ' ' : ' ';
  return `[${job.number}]${shell.jobs.signOf(job)}${pid}${space}${stateOf(job).padEnd(24)}${job.text}${isEnded(job) ? '' : ' &'}\n`;
}

/** `jobs [-lpr]` */
export function* jobs(shell: Shell, args: readonly string[]): Steps<number> {
  const letters = args.filter(arg => arg.startsWith('-')).join('');
  for (const job of shell.jobs.all) {
    if (letters.includes('r') && isEnded(job)) continue;
    if (letters.includes('p')) yield* shell.print(`${job.processes[0]?.pid ?? ''}\n`);
    else yield* shell.print(lineOf(shell, job, letters.includes('l')));
  }
  shell.jobs.takeEnded();
  return 0;
}

/** Tells at the prompt which jobs have ended. */
export function* tellEnded(shell: Shell): Steps {
  const lines = shell.jobs.all.filter(job => isEnded(job) && !job.isTold).map(job => lineOf(shell, job, false));
  shell.jobs.takeEnded();
  if (lines.length > 0) yield* shell.printError(lines.join(''));
}

/** `wait [-n] [pid | %job …]`: a signal with a trap cuts it short. */
export function* waitFor(shell: Shell, args: readonly string[]): Steps<number> {
  const targets = args.filter(arg => !/^-[fnp]+$/.test(arg));
  if (args[0] === '-n') return yield* waitForNext(shell);
  if (targets.length === 0) {
    for (const job of shell.jobs.own) {
      const status = yield* waitForJob(shell, job);
      if (status === undefined) return shell.status;
    }
    return 0;
  }
  let status = 0;
  for (const target of targets) {
    const next = yield* waitForTarget(shell, target);
    if (next === undefined) return shell.status;
    status = next;
  }
  return status;
}

function* waitForTarget(shell: Shell, target: string): Steps<number | undefined> {
  if (target.startsWith('%')) {
    const job = shell.jobs.bySpecification(target);
    return job ? yield* waitForJob(shell, job) : yield* shell.complain(`wait: ${target}: no such job`, 127);
  }
  if (!/^\d+$/.test(target)) return yield* shell.complain(`wait: \`${target}': not a pid or valid job spec`);
  const pid = Number(target);
  const job = shell.jobs.byPid(pid);
  const process = job?.processes.find(each => each.pid === pid);
  if (!job || !process || job.isInherited) {
    return shell.jobs.endedStatus(pid) ?? (yield* shell.complain(`wait: pid ${pid} is not a child of this shell`, 127));
  }
  const status = yield* waitForProcess(shell, process, () => job.text);
  if (status !== undefined && isEnded(job)) shell.jobs.remove(job);
  return status;
}

function* waitForJob(shell: Shell, job: Job): Steps<number | undefined> {
  for (const process of job.processes) {
    if ((yield* waitForProcess(shell, process, () => job.text)) === undefined) return undefined;
  }
  shell.jobs.remove(job);
  return statusOf(job);
}

/** The status of a process when it has ended; undefined when a trap came first: `shell.status` tells which. */
function* waitForProcess(shell: Shell, process: Process, text: () => string): Steps<number | undefined> {
  while (process.exitCode === undefined) {
    const code = shell.process.hasSignals ? INTERRUPTED : yield shell.process.wait(process);
    if (code !== INTERRUPTED) break;
    const [name] = yield* handle(shell);
    if (name !== undefined) return undefined;
  }
  if (process.endedBy && process.endedBy !== 'TERM' && !shell.isInteractive) yield* tellSignal(shell, process, text);
  return process.exitCode ?? 0;
}

function* handle(shell: Shell): Steps<string[]> {
  const signals = shell.process.takeSignals();
  const [name] = signals;
  for (const each of signals) shell.process.interrupt(each);
  yield* runTraps(shell);
  if (name !== undefined) shell.status = statusOfSignal(name);
  return signals;
}

/** `wait -n`: the next that ends. */
function* waitForNext(shell: Shell): Steps<number> {
  if (shell.jobs.own.length === 0) return 127;
  for (;;) {
    const ended = shell.jobs.own.find(isEnded);
    if (ended) {
      shell.jobs.remove(ended);
      return statusOf(ended);
    }
    const woken = yield shell.process.block(wake => {
      for (const job of shell.jobs.own) for (const process of job.processes) process.onEnd(wake);
    });
    if (!woken && (yield* handle(shell)).length > 0) return shell.status;
  }
}

/** `fg [%job]` */
export function* fg(shell: Shell, args: readonly string[]): Steps<number> {
  if (!controlsJobs(shell)) return yield* shell.complain('fg: no job control');
  const job =
    args[0] === undefined ? shell.jobs.current : shell.jobs.bySpecification(args[0].startsWith('%') ? args[0] : `%${args[0]}`);
  if (!job) return yield* shell.complain(`fg: ${args[0] ?? 'current'}: no such job`);
  yield* shell.print(`${job.text}\n`);
  return yield* whileForeground(shell, job.processes, function* () {
    for (const process of job.processes) yield* shell.await(process);
    shell.jobs.remove(job);
    return statusOf(job);
  });
}

/** `bg [%job]`: jobs here are never stopped, so there is nothing to start again. */
export function* bg(shell: Shell, args: readonly string[]): Steps<number> {
  if (!controlsJobs(shell)) return yield* shell.complain('bg: no job control');
  const job = args[0] === undefined ? shell.jobs.current : shell.jobs.bySpecification(args[0]);
  if (!job) return yield* shell.complain(`bg: ${args[0] ?? 'current'}: no such job`);
  return yield* shell.complain(`bg: job ${job.number} already in background`, 0);
}

/** `disown [-a] [%job]` */
export function* disown(shell: Shell, args: readonly string[]): Steps<number> {
  const jobs =
    args[0] === '-a' ? [...shell.jobs.all] : [args[0] === undefined ? shell.jobs.current : shell.jobs.bySpecification(args[0])];
  for (const job of jobs) {
    if (!job) return yield* shell.complain(`disown: ${args[0] ?? 'current'}: no such job`);
    shell.jobs.remove(job);
  }
  return 0;
}
