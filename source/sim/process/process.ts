// One running program, and its system calls. A call that need not wait returns at once; one that must wait returns a promise
// that the kernel resolves in an event of its own. One call is in flight at a time.
import type {Timer} from '../clock.ts';
import {assert} from '../assert.ts';
import {FILE_ERROR_TEXT, followPath, resolvePath} from '../files.ts';
import type {Caller, Failure} from '../network.ts';
import type {Kernel, SignalName, SpawnOptions} from './kernel.ts';
import type {Machine, Program} from './machine.ts';
import {openConnection} from './connection.ts';
import type {Connection, Reply} from './connection.ts';
import {INTERRUPTED} from './interrupted.ts';
import type {Interrupted} from './interrupted.ts';
import type {Stream} from './streams.ts';

export {INTERRUPTED} from './interrupted.ts';
export type {Interrupted} from './interrupted.ts';
export type {Connection, Reply} from './connection.ts';

/** Virtual CPU debt, in milliseconds, that a program may run up before it must pay by sleeping. */
const DEBT_LIMIT_MS = 1;

/** Characters that one program may hold of what it reads. */
export const MOST_TEXT = 32 * 1024 * 1024;

type Action = 'default' | 'ignore' | 'catch';

interface Birth {
  readonly pid: number;
  readonly machine: Machine;
  readonly parent: Process | undefined;
  readonly argv: readonly string[];
  readonly group: number | undefined;
  readonly environment: Map<string, string>;
  readonly folder: string;
  readonly streams: Map<number, Stream>;
}

/** A process of the simulated machines. */
export class Process {
  readonly kernel: Kernel;
  readonly pid: number;
  readonly parent: Process | undefined;
  readonly machine: Machine;
  argv: readonly string[];
  readonly group: number;
  readonly environment: Map<string, string>;
  streams: Map<number, Stream>;
  folder: string;
  /** Virtual CPU time that is used and not yet slept. */
  debtMs = 0;
  /** Memory that it holds beside what every process takes. */
  heldBytes = 0;
  /** Permissions that files which it makes do not get. */
  mask: number;
  /** All virtual CPU time that it has used. */
  cpuMs = 0;
  wakeUp: Timer | undefined;
  /** When it was started, on the clock. */
  readonly startedMs: number;
  /** The signal that ended it. */
  endedBy: SignalName | undefined;
  /** Why the last write wrote nothing, in libc's words. */
  writeFailure: string | undefined;
  readonly #actions = new Map<SignalName, Action>();
  #caught: SignalName[] = [];
  /** A signal was caught while no call waited: the next one that would wait is cut short, as nobody would wake it. */
  #cutsNext = false;
  #pending: ((woken: boolean) => void) | undefined;
  #isStopped = false;
  #isPaying = false;
  /** How it was woken while it was stopped. */
  #held: boolean | undefined;
  #exitCode: number | undefined;
  #endings: (() => void)[] = [];
  readonly #callers = new Set<Caller>();

  constructor(kernel: Kernel, birth: Birth) {
    this.kernel = kernel;
    this.pid = birth.pid;
    this.startedMs = kernel.clock.now;
    this.parent = birth.parent;
    this.mask = birth.parent?.mask ?? 0o022;
    this.machine = birth.machine;
    this.argv = birth.argv;
    this.group = birth.group ?? birth.pid;
    this.environment = birth.environment;
    this.folder = birth.folder;
    this.streams = birth.streams;
    for (const [name, action] of birth.parent?.actions ?? []) if (action === 'ignore') this.#actions.set(name, action);
  }

  /** Undefined while it runs. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** What it does with signals, where it was told. */
  get actions(): ReadonlyMap<SignalName, Action> {
    return this.#actions;
  }

  /** A path as this process sees it, absolute, with all links followed. In a circle of links it is the path of one of them. */
  path(name: string): string {
    const {files} = this.machine;
    return followPath(files, {folder: this.folder, path: name, last: true}) ?? this.linkPath(name);
  }

  /** The same, but a link at its end is not followed. */
  linkPath(name: string): string {
    const {files} = this.machine;
    return followPath(files, {folder: this.folder, path: name, last: false}) ?? resolvePath(this.folder, name);
  }

  // ---- waiting

  /** Waits until `register`'s wake is called (true) or a caught signal comes (false). */
  block(register: (wake: () => void) => void): Promise<boolean> {
    assert(this.kernel.awake === this, `${this.argv[0]} made a system call while it was not awake`);
    if (this.#cutsNext) {
      this.#cutsNext = false;
      return Promise.resolve(false);
    }
    return new Promise(resolve => {
      this.#pending = resolve;
      register(() => {
        if (this.#pending === resolve && !this.wakeUp) this.#schedule(true);
      });
      this.kernel.rest(this);
    });
  }

  #schedule(woken: boolean): void {
    this.wakeUp = this.kernel.clock.after(0, () => this.#resume(woken));
  }

  #resume(woken: boolean): void {
    const resolve = this.#pending;
    this.wakeUp = undefined;
    if (!resolve || this.#exitCode !== undefined) return;
    if (this.#isStopped) {
      this.#held = woken;
      return;
    }
    this.#pending = undefined;
    this.kernel.rouse(this);
    resolve(woken);
  }

  /** Sleeps. False when a caught signal cut it short. */
  async sleep(ms: number): Promise<boolean> {
    const {clock} = this.kernel;
    let timer: Timer | undefined;
    const woken = await this.block(wake => (timer = clock.after(ms, wake)));
    clock.cancel(timer);
    return woken;
  }

  /** Uses virtual CPU time. Returns a promise only when the debt has grown enough to be slept off. */
  cpu(ms: number): Promise<unknown> | undefined {
    this.debtMs += ms;
    this.cpuMs += ms;
    return this.debtMs < DEBT_LIMIT_MS ? undefined : this.#pay();
  }

  /** Sleeps the debt off; all that want CPU time on one machine share it, so that a fork bomb is no more work than one loop. */
  async #pay(): Promise<boolean> {
    const debt = this.debtMs / this.machine.cpuShare;
    this.debtMs = 0;
    this.#isPaying = true;
    const rivals = this.kernel.wantCpu(this.machine, 1);
    const woken = await this.sleep(debt * rivals);
    this.#isPaying = false;
    this.kernel.used(this.machine, debt * this.machine.cpuShare);
    this.kernel.wantCpu(this.machine, -1);
    return woken;
  }

  /** Takes memory until its end. Returns a promise, which never resolves, only when that was too much for the machine. */
  allocate(bytes: number): Promise<never> | undefined {
    this.heldBytes += bytes;
    this.kernel.held(this.machine, bytes);
    return this.#exitCode === undefined ? undefined : new Promise<never>(() => undefined);
  }

  // ---- files and streams

  /** Reads what a stream has; null at its end. */
  async read(fd = 0): Promise<string | null | Interrupted> {
    for (;;) {
      const stream = this.streams.get(fd);
      if (!stream) return null;
      const result = stream.read();
      if (result !== undefined) return result;
      if (!(await this.block(wake => stream.onChange(wake)))) return INTERRUPTED;
    }
  }

  /** Reads a stream to its end. Not for programs that catch signals. */
  async readAll(fd = 0): Promise<string> {
    let all = '';
    for (;;) {
      const text = await this.read(fd);
      if (text === null) return all;
      if (text === INTERRUPTED) continue;
      all += text;
      if (all.length > MOST_TEXT) await this.runOut();
      const killed = this.allocate(text.length);
      if (killed) await killed;
    }
  }

  /** Holds more text than a machine could: killed, as by the kernel of a machine that is out of memory. */
  runOut(): Promise<never> {
    this.kernel.overflow(this.machine);
    this.kernel.signal(this, 'KILL');
    return new Promise<never>(() => undefined);
  }

  /** The lines of a stream as they come, without their ends. */
  async *lines(fd = 0): AsyncGenerator<string> {
    let rest = '';
    for (;;) {
      const text = await this.read(fd);
      if (text === INTERRUPTED) continue;
      if (text === null) {
        if (rest !== '') yield rest;
        return;
      }
      rest += text;
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  }

  /** Writes to a stream. Returns a promise only when it has to wait; a broken pipe ends the process. See `writeFailure`. */
  write(fd: number, text: string): Promise<void> | undefined {
    if (text === '') return undefined;
    const result = this.streams.get(fd)?.write(text);
    this.writeFailure = result === 'full' ? FILE_ERROR_TEXT.ENOSPC : result === undefined ? 'Bad file descriptor' : undefined;
    if (result === 'wait') return this.#writeLater(fd, text);
    if (result === 'broken') return this.#breakPipe();
    return undefined;
  }

  /** Writes to standard output. */
  out(text: string): Promise<void> | undefined {
    return this.write(1, text);
  }

  /** Writes to standard error. */
  err(text: string): Promise<void> | undefined {
    return this.write(2, text);
  }

  async #writeLater(fd: number, text: string): Promise<void> {
    for (;;) {
      const stream = this.streams.get(fd);
      await this.block(wake => (stream ? stream.onChange(wake) : wake()));
      const result = stream?.write(text);
      if (result === 'broken') return this.#breakPipe();
      if (result !== 'wait') return undefined;
    }
  }

  /** SIGPIPE: by default the end, and then nothing of this program goes on. */
  #breakPipe(): Promise<void> | undefined {
    this.kernel.signal(this, 'PIPE');
    return this.#exitCode === undefined ? undefined : new Promise(() => undefined);
  }

  // ---- other processes

  /** Starts a child; undefined when there are too many processes. */
  spawn(program: Program, options: SpawnOptions): Process | undefined {
    return this.kernel.spawn(program, options, this);
  }

  /** Becomes another program, with its pid, streams and folder: what it caught is as at the start again. */
  exec(program: Program, argv: readonly string[], environment: ReadonlyMap<string, string>): Promise<number> {
    this.argv = argv;
    const variables = [...environment];
    this.environment.clear();
    for (const [name, value] of variables) this.environment.set(name, value);
    for (const [name, action] of this.#actions) if (action === 'catch') this.#actions.delete(name);
    this.takeSignals();
    return program(this);
  }

  /** Waits for the end of a process; its exit code. */
  async wait(child: Process): Promise<number | Interrupted> {
    while (child.exitCode === undefined) {
      if (!(await this.block(wake => child.onEnd(wake)))) return INTERRUPTED;
    }
    return child.exitCode;
  }

  /** Calls `ending` when the process has ended. */
  onEnd(ending: () => void): void {
    if (this.#exitCode === undefined) this.#endings.push(ending);
    else ending();
  }

  // ---- signals

  /** Chooses what a signal does from now on. */
  onSignal(name: SignalName, action: Action): void {
    this.#actions.set(name, action);
  }

  actionOf(name: SignalName): Action {
    return this.#actions.get(name) ?? 'default';
  }

  /** The caught signals since the last call. */
  takeSignals(): SignalName[] {
    const caught = this.#caught;
    this.#caught = [];
    this.#cutsNext = false;
    return caught;
  }

  /** Are there caught signals that nobody took yet? */
  get hasSignals(): boolean {
    return this.#caught.length > 0;
  }

  /** A caught signal: noted, and a call that waits is cut short. */
  interrupt(name: SignalName): void {
    this.#caught.push(name);
    if (this.#pending && !this.wakeUp) this.#schedule(false);
    else this.#cutsNext = true;
  }

  /** SIGSTOP: it goes on only after `continue`. */
  stop(): void {
    this.#isStopped = true;
  }

  /** SIGCONT */
  continue(): void {
    this.#isStopped = false;
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined && !this.wakeUp) this.#schedule(held);
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  // ---- the network

  /** One request, one answer. `timeoutMs`: how long to wait for it. */
  async call<A>(host: string, port: number, request: unknown, timeoutMs = Infinity): Promise<Reply<A>> {
    const opened = await this.connect<A, never>(host, port, request, timeoutMs);
    if ('failure' in opened && !('answer' in opened)) return {ok: false, failure: opened.failure};
    opened.close();
    return {ok: true, answer: opened.answer};
  }

  /** A request whose answer may be followed by frames. */
  connect<A, F>(
    host: string,
    port: number,
    request: unknown,
    timeoutMs = Infinity,
  ): Promise<Connection<A, F> | {failure: Failure | 'timeout'}> {
    return openConnection(this, {host, port, request, timeoutMs});
  }

  /** Cancels a call when the process ends; the answer ends the call now. */
  hold(caller: Caller): () => void {
    this.#callers.add(caller);
    return () => {
      this.#callers.delete(caller);
      caller.cancel();
    };
  }

  /** The kernel ended it. */
  finish(code: number): void {
    this.#exitCode = code;
    if (this.#isPaying) this.kernel.wantCpu(this.machine, -1);
    this.kernel.clock.cancel(this.wakeUp);
    this.#pending = undefined;
    for (const caller of this.#callers) caller.cancel();
    this.#callers.clear();
    for (const stream of this.streams.values()) stream.close();
    this.streams.clear();
    const endings = this.#endings;
    this.#endings = [];
    for (const ending of endings) ending();
    if (this.parent) this.kernel.signal(this.parent, 'CHLD');
  }
}
