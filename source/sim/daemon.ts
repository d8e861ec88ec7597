// A component of the cluster is a process: it has a pid, a log, an exit code, and can be stopped, killed or paused. Its
// timers and tasks live in its scope. What a component needs of the machine it runs on comes with it: the machine's clock
// (a level may set it wrong), dice of its own, the trace, and a way to dial and to listen.
import type {Clock} from './clock.ts';
import type {Dice} from './dice.ts';
import type {Caller, Failure, Listener, Receiver} from './network.ts';
import {Scope} from './task.ts';
import type {Trace} from './trace.ts';

/** How a program or component reaches others: by name or address, as its machine resolves them. */
export type Dial = (host: string, port: number, request: unknown, receiver: Receiver) => Caller;

/** What the machine gives to each of its components. */
export interface Surroundings {
  readonly clock: Clock;
  readonly trace: Trace;
  readonly dice: Dice;
  /** The machine's name, as the node is called. */
  readonly host: string;
  /** The machine's idea of the time, in milliseconds since 1970. */
  readonly wall: () => number;
  readonly dial: Dial;
  /** Listens on a port of one of the machine's addresses (default: all); undefined when it is taken. */
  readonly listen: (port: number, listener: Listener, address?: string) => {close(): void} | undefined;
}

const LOG_LINES = 2000;

/** A call of a process: it ends with the process, and what comes back waits while that is paused. There are many, so it has no closures. */
class OwnCall implements Receiver, Caller {
  readonly #scope: Scope;
  readonly #receiver: Receiver;
  #caller: Caller | undefined;
  #over = false;

  constructor(scope: Scope, receiver: Receiver) {
    this.#scope = scope;
    this.#receiver = receiver;
  }

  begin(caller: Caller): void {
    this.#caller = caller;
    if (!this.#over) this.#scope.attach(this);
  }

  answer(answer: unknown, more: boolean): void {
    if (!more) this.#forget();
    if (this.#scope.running) this.#receiver.answer(answer, more);
    else this.#scope.enter(() => this.#receiver.answer(answer, more));
  }

  frame(frame: unknown): void {
    if (this.#scope.running) this.#receiver.frame?.(frame);
    else this.#scope.enter(() => this.#receiver.frame?.(frame));
  }

  end(failure: Failure | undefined): void {
    this.#forget();
    if (this.#scope.running) this.#receiver.end?.(failure);
    else this.#scope.enter(() => this.#receiver.end?.(failure));
  }

  send(frame: unknown): void {
    this.#caller?.send(frame);
  }

  cancel(): void {
    this.#forget();
    this.#caller?.cancel();
  }

  /** The process ends: the other side learns of it. */
  stop(): void {
    this.#caller?.cancel();
  }

  #forget(): void {
    this.#over = true;
    this.#scope.detach(this);
  }
}

/** A running component. */
export class Daemon {
  readonly name: string;
  readonly pid: number;
  readonly scope: Scope;
  readonly clock: Clock;
  readonly trace: Trace;
  readonly dice: Dice;
  readonly host: string;
  readonly wall: () => number;
  /** When it began, by the clock. */
  readonly startedMs: number;
  readonly #surroundings: Surroundings;
  readonly #lines: string[] = [];
  #exitCode: number | undefined;
  onExit: ((code: number) => void) | undefined;
  onLog: ((line: string) => void) | undefined;
  onListen: ((port: number) => void) | undefined;
  /** What it does on SIGTERM, before it ends by itself. */
  onTerminate: (() => void) | undefined;

  constructor(name: string, pid: number, surroundings: Surroundings) {
    this.name = name;
    this.pid = pid;
    this.#surroundings = surroundings;
    this.clock = surroundings.clock;
    this.trace = surroundings.trace;
    this.dice = surroundings.dice.ofLife(`${name}@${surroundings.host}`);
    this.host = surroundings.host;
    this.wall = surroundings.wall;
    this.startedMs = surroundings.clock.now;
    this.scope = new Scope(surroundings.clock);
  }

  /** The machine's time as the API writes it: RFC 3339, whole seconds. */
  now(): string {
    return rfc3339(this.wall());
  }

  /** Undefined while it runs. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** All that is kept of what it logged, oldest first. */
  get log(): readonly string[] {
    return this.#lines;
  }

  /** Writes a line to its log. */
  print(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > LOG_LINES) this.#lines.splice(0, LOG_LINES / 2);
    this.onLog?.(line);
  }

  /** Calls another, as long as this process lives: what comes later is dropped, and the other side learns of the end. */
  dial(host: string, port: number, request: unknown, receiver: Receiver): Caller {
    const call = new OwnCall(this.scope, receiver);
    call.begin(this.#surroundings.dial(host, port, request, call));
    return call;
  }

  /** Takes calls on a port, as long as this process lives. False when the port is taken. */
  listen(port: number, listener: Listener, address?: string): boolean {
    const open = this.#surroundings.listen(port, call => this.scope.enter(() => listener(call)), address);
    if (open) this.scope.onStop(() => open.close());
    if (open) this.onListen?.(port);
    return open !== undefined;
  }

  /** Asks it to end, as SIGTERM does; one that is stopped hears nothing. */
  terminate(): void {
    if (this.#exitCode !== undefined) return;
    if (this.onTerminate) this.scope.enter(() => this.onTerminate?.());
    else this.exit(0);
  }

  /** Ends it: by itself with a code, or from outside (143 for SIGTERM, 137 for SIGKILL). */
  exit(code: number): void {
    if (this.#exitCode !== undefined) return;
    this.#exitCode = code;
    this.scope.stop();
    this.onExit?.(code);
  }
}

let secondOf = -1;
let textOf = '';

/** Milliseconds since 1970 as RFC 3339 in UTC, whole seconds: the form of every time in the API. */
export function rfc3339(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== secondOf) {
    secondOf = second;
    textOf = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
  }
  return textOf;
}
