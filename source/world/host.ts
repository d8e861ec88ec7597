// One machine of the world: an address on the machines' network, a disk, a clock that may be wrong, and the programs that can be
// typed on it. Components run on it as daemons.
import {Daemon, type Dial, type Surroundings} from '../sim/daemon.ts';
import type {Dice} from '../sim/dice.ts';
import {Files} from '../sim/files.ts';
import type {Clock} from '../sim/clock.ts';
import type {Listener, Network} from '../sim/network.ts';
import type {Kernel} from '../sim/process/kernel.ts';
import type {Machine, Program} from '../sim/process/machine.ts';
import type {Trace} from '../sim/trace.ts';

/** What all machines of a world share. */
export interface Physics {
  readonly clock: Clock;
  readonly trace: Trace;
  readonly dice: Dice;
  readonly network: Network;
  readonly kernel: Kernel;
  /** The time at virtual time 0, in milliseconds since 1970. */
  readonly startMs: number;
}

const PROCESSES_ON_A_MACHINE = 4096;

/** A machine. */
export class Host {
  readonly name: string;
  readonly address: string;
  readonly physics: Physics;
  readonly files: Files;
  /** How far its clock is off, in milliseconds. */
  clockErrorMs = 0;
  /** How it reaches others; set once the machine's network is laid. */
  dial: Dial;
  readonly programs = new Map<string, Program>();
  readonly daemons = new Map<string, Daemon>();
  /** The machine as programs see it. */
  readonly machine: Machine;

  constructor(physics: Physics, name: string, address: string) {
    this.physics = physics;
    this.name = name;
    this.address = address;
    this.files = new Files(this.wall);
    physics.network.attach(name, address);
    this.dial = (to, port, request, receiver) => this.dialAddress(to, port, {request, receiver});
    this.machine = this.#machine();
  }

  /** The machine's idea of the time. */
  readonly wall = (): number => this.physics.startMs + this.clockErrorMs + this.physics.clock.now;

  /** Calls an address, or a socket of this machine by its path. */
  dialAddress(to: string, port: number, {request, receiver}: {request: unknown; receiver: Parameters<Dial>[3]}) {
    return this.physics.network.call(this.address, to.startsWith('/') ? this.#socket(to) : to, port, request, receiver);
  }

  /** Listens on a port of this machine, or on a socket (a path, port 0). */
  listen(port: number, listener: Listener, at = this.address): {close(): void} | undefined {
    return this.physics.network.listen(at.startsWith('/') ? this.#socket(at) : at, port, listener);
  }

  #socket(path: string): string {
    const name = `${this.name}:${path}`;
    this.physics.network.attach(this.name, name);
    return name;
  }

  get surroundings(): Surroundings {
    const {clock, trace, dice} = this.physics;
    return {
      clock,
      trace,
      dice,
      host: this.name,
      wall: this.wall,
      dial: (to, port, request, receiver) => this.dial(to, port, request, receiver),
      listen: (port, listener, address) => this.listen(port, listener, address),
    };
  }

  /** A process for a component; an older one of that name is killed first. */
  newDaemon(name: string): Daemon {
    this.daemons.get(name)?.exit(137);
    const daemon = new Daemon(name, this.physics.kernel.nextPid(), this.surroundings);
    this.daemons.set(name, daemon);
    return daemon;
  }

  #machine(): Machine {
    const names = () => [...this.programs.keys()].sort();
    return {
      name: this.name,
      files: this.files,
      cpuShare: 1,
      processLimit: PROCESSES_ON_A_MACHINE,
      programNames: names,
      program: name => this.programs.get(name.startsWith('/') ? name.slice(name.lastIndexOf('/') + 1) : name),
      wall: () => this.wall(),
      dial: (to, port, request, receiver) => this.dial(to, port, request, receiver),
    };
  }
}
