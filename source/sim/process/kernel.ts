// The processes of all machines, and the driver that ties the promises of programs to the clock.
//
// Only programs are async. A program waits through a system call of its Process and nowhere else. Each wake-up is an event of
// its own, so at most one program is awake at any moment, and `advance` awaits that one until it waits again or has ended.
// While no program is awake nothing is awaited, and the clock steps as an ordinary function. A killed program is never resumed:
// its promise stays pending for good, and the kernel closes its files.
import type {Clock} from '../clock.ts';
import {assert} from '../assert.ts';
import {CpuMeter} from './cpu-meter.ts';
import type {Machine, Program} from './machine.ts';
import {Process} from './process.ts';
import type {Stream} from './streams.ts';

export type SignalName =
  | 'HUP'
  | 'INT'
  | 'QUIT'
  | 'KILL'
  | 'USR1'
  | 'USR2'
  | 'PIPE'
  | 'ALRM'
  | 'TERM'
  | 'CHLD'
  | 'STOP'
  | 'CONT'
  | 'WINCH';

/** The numbers of the signals. */
export const SIGNALS: Readonly<Record<SignalName, number>> = {
  HUP: 1,
  INT: 2,
  QUIT: 3,
  KILL: 9,
  USR1: 10,
  USR2: 12,
  PIPE: 13,
  ALRM: 14,
  TERM: 15,
  CHLD: 17,
  CONT: 18,
  STOP: 19,
  WINCH: 28,
};

/** Virtual CPU milliseconds that a spawn costs. */
export const SPAWN_COST_MS = 0.5;

/** What a new process gets; what is absent comes from the parent. */
export interface SpawnOptions {
  readonly argv: readonly string[];
  readonly machine?: Machine;
  readonly environment?: ReadonlyMap<string, string>;
  readonly folder?: string;
  readonly streams?: ReadonlyMap<number, Stream>;
  /** A process group to join; 'new' for one of its own. */
  readonly group?: number | 'new';
}

/** All processes, and which of them is awake. */
export class Kernel {
  readonly clock: Clock;
  readonly processes = new Map<number, Process>();
  /** Wake-ups so far: a measure of work. */
  wakeUps = 0;
  #awake: Process | undefined;
  #settled: (() => void) | undefined;
  #pids = 1;
  #perMachine = new WeakMap<Machine, number>();
  #wantingOn = new WeakMap<Machine, number>();
  #heldOn = new WeakMap<Machine, number>();
  #metersOn = new WeakMap<Machine, CpuMeter>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  get awake(): Process | undefined {
    return this.#awake;
  }

  /** A number for a process, of a component too. */
  nextPid(): number {
    return ++this.#pids;
  }

  /** Runs all events up to and including `until`. Input that arrives meanwhile must be queued by the caller. */
  async advance(until: number): Promise<void> {
    while (this.clock.next <= until) {
      const awake = this.step();
      if (awake) await awake;
    }
    this.clock.settle(until);
  }

  /** Runs one event, and the program that it woke until that waits again. Returns nothing to await when none woke. */
  step(): Promise<void> | undefined {
    this.clock.step();
    return this.settle();
  }

  /** Waits until no program is awake. */
  settle(): Promise<void> | undefined {
    if (!this.#awake) return undefined;
    return new Promise(resolve => (this.#settled = resolve));
  }

  /** How many processes run on a machine. */
  countOn(machine: Machine): number {
    return this.#perMachine.get(machine) ?? 0;
  }

  /** One process more, or less, wants CPU time on a machine; how many do now. */
  wantCpu(machine: Machine, change: 1 | -1): number {
    const all = (this.#wantingOn.get(machine) ?? 0) + change;
    this.#wantingOn.set(machine, all);
    return all;
  }

  /** A process of the machine used CPU time up to now. */
  used(machine: Machine, ms: number): void {
    this.meterOn(machine).add(ms, this.clock.now);
  }

  /** What the processes of a machine use together. */
  meterOn(machine: Machine): CpuMeter {
    const known = this.#metersOn.get(machine);
    if (known) return known;
    const made = new CpuMeter(this.clock.now);
    this.#metersOn.set(machine, made);
    return made;
  }

  /** The memory that the processes of a machine hold together. */
  heldOn(machine: Machine): number {
    return this.#heldOn.get(machine) ?? 0;
  }

  /** A process of the machine holds so much more. */
  held(machine: Machine, bytes: number): void {
    const all = this.heldOn(machine) + bytes;
    this.#heldOn.set(machine, all);
    if (bytes > 0 && machine.memory && all > machine.memory.limitBytes()) machine.memory.exceeded();
  }

  /** A program wants more memory than anybody keeps count of. Where it is bounded, that is the end of all. */
  overflow({memory}: Machine): void {
    if (memory && memory.limitBytes() < Infinity) memory.exceeded();
  }

  /** Starts a program; undefined when the machine has too many processes. It begins in an event of its own. */
  spawn(program: Program, options: SpawnOptions, parent?: Process): Process | undefined {
    const machine = options.machine ?? parent?.machine;
    assert(machine, 'a process runs on a machine');
    if (this.countOn(machine) >= machine.processLimit) return undefined;
    this.#perMachine.set(machine, this.countOn(machine) + 1);
    const process = new Process(this, {pid: this.nextPid(), machine, parent, ...this.#inherit(options, parent)});
    this.processes.set(process.pid, process);
    process.debtMs = (parent?.debtMs ?? 0) + SPAWN_COST_MS;
    if (parent) parent.debtMs += SPAWN_COST_MS;
    process.wakeUp = this.clock.after(0, () => {
      process.wakeUp = undefined;
      this.rouse(process);
      program(process).then(
        code => this.end(process, code),
        (failure: unknown) => this.#crash(process, failure),
      );
    });
    return process;
  }

  #inherit(options: SpawnOptions, parent: Process | undefined) {
    const streams = new Map<number, Stream>();
    for (const [fd, stream] of options.streams ?? parent?.streams ?? []) streams.set(fd, stream.share());
    return {
      argv: options.argv,
      group: options.group === 'new' ? undefined : (options.group ?? parent?.group),
      environment: new Map(options.environment ?? parent?.environment),
      folder: options.folder ?? parent?.folder ?? '/',
      streams,
    };
  }

  /** A program that throws is a fault of ours; it must not take the game down, so the process dies and says so. */
  #crash(process: Process, failure: unknown): void {
    if (process.exitCode !== undefined) return;
    const words = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
    process.streams.get(2)?.write(`${process.argv[0]}: internal error: ${words}\n`);
    this.end(process, 134);
  }

  /** Marks a process as the awake one. */
  rouse(process: Process): void {
    assert(!this.#awake, 'two programs are awake');
    this.#awake = process;
    this.wakeUps++;
  }

  /** The awake process waits or has ended: the driver goes on. */
  rest(process: Process): void {
    if (this.#awake !== process) return;
    this.#awake = undefined;
    const settled = this.#settled;
    this.#settled = undefined;
    settled?.();
  }

  /** Ends a process: closes its files, tells those who wait. */
  end(process: Process, code: number): void {
    if (process.exitCode !== undefined) return;
    this.processes.delete(process.pid);
    this.#perMachine.set(process.machine, this.countOn(process.machine) - 1);
    if (process.heldBytes > 0) this.held(process.machine, -process.heldBytes);
    process.finish(code);
    this.rest(process);
  }

  /** Sends a signal to one process. */
  signal(process: Process, name: SignalName): void {
    if (process.exitCode !== undefined) return;
    if (name === 'STOP') return process.stop();
    if (name === 'CONT') process.continue();
    const action = name === 'KILL' ? 'default' : process.actionOf(name);
    if (action === 'ignore') return;
    if (action === 'catch') process.interrupt(name);
    else if (name !== 'CHLD' && name !== 'CONT' && name !== 'WINCH') {
      process.endedBy = name;
      this.end(process, 128 + SIGNALS[name]);
    }
  }

  /** Sends a signal to every process of a group. */
  signalGroup(group: number, name: SignalName): void {
    for (const process of this.processes.values()) if (process.group === group) this.signal(process, name);
  }

  /** Kills all processes of a machine at once, as a power cut or the end of a container does. */
  killAll(machine: Machine): void {
    for (const process of this.processes.values()) if (process.machine === machine) this.signal(process, 'KILL');
  }
}
