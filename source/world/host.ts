// One machine of the world: an address on the machines' network, a disk, a clock that may be wrong, units with a journal, and the
// programs that can be typed on it. Components run on it as daemons. It has a loopback of its own: what listens at 127.0.0.1 is
// reached from this machine alone, and what listens at the machine's address is not reached there.
import {stampedLine} from '../api/meta/klog.ts';
import {MachineFiles} from '../cluster/host/machine-files.ts';
import {Journal} from '../cluster/host/journal.ts';
import {Units} from '../cluster/host/units.ts';
import {Daemon, type Dial, type Surroundings} from '../sim/daemon.ts';
import type {Dice} from '../sim/dice.ts';
import type {Clock} from '../sim/clock.ts';
import type {DiskArray} from '../sim/disk-array.ts';
import type {Caller, Listener, Network} from '../sim/network.ts';
import type {Kernel} from '../sim/process/kernel.ts';
import type {Machine, MachineService, Program} from '../sim/process/machine.ts';
import type {Trace} from '../sim/trace.ts';

/** What all machines of a world share. */
export interface Physics {
  readonly clock: Clock;
  readonly trace: Trace;
  readonly dice: Dice;
  readonly network: Network;
  readonly kernel: Kernel;
  /** Disks that no machine owns. */
  readonly disks: DiskArray;
  /** The time at virtual time 0, in milliseconds since 1970. */
  readonly startMs: number;
}

/** What a component has logged on a machine, over all its lives. */
interface ProcessLog {
  readonly lines: string[];
  /** Where its last life begins. */
  since: number;
}

/** Something that loses what is not synced when the power goes. */
interface Disk {
  powerCut(): void;
}

const PROCESSES_ON_A_MACHINE = 4096;
const LOG_LINES = 4000;

/** A machine. */
export class Host {
  readonly name: string;
  readonly address: string;
  /** The address that stands for 127.0.0.1 of this machine on the network. */
  readonly loopback: string;
  readonly physics: Physics;
  readonly files: MachineFiles;
  /** How far its clock is off, in milliseconds. */
  clockErrorMs = 0;
  powered = true;
  /** How large the disk is, and how much of it somebody has filled. */
  diskBytes = 100 * 1024 ** 3;
  filledBytes = 0;
  /** How much of it is taken in all. */
  usedDiskBytes: () => number = () => this.filledBytes;
  /** How it reaches others; set once the machine's network is laid. */
  dial: Dial;
  /** Programs of this machine alone; a name that is none of them is looked up in what many machines share. */
  readonly programs = new Map<string, Program>();
  sharedPrograms: ReadonlyMap<string, Program> = new Map();
  readonly daemons = new Map<string, Daemon>();
  readonly journal = new Journal();
  readonly units: Units;
  /** The data directories that processes of this machine have opened. */
  readonly disks = new Set<Disk>();
  /** Who wants to be told before the machine goes down, and what they do then; it waits for them. */
  readonly inhibitors = new Map<Daemon, (done: () => void) => void>();
  /** It goes down: nothing more is begun. */
  goesDown = false;
  /** The machine as programs see it. */
  readonly machine: Machine;
  /** The command lines of what runs here besides units, by name. */
  readonly commandLines = new Map<string, readonly string[]>();
  readonly #logs = new Map<string, ProcessLog>();
  /** Ports that one listener holds on all addresses. */
  readonly #everywhere = new Set<number>();
  readonly #holders = new Map<number, {readonly holder: string; readonly pid: number}>();

  constructor(physics: Physics, name: string, address: string) {
    this.physics = physics;
    this.name = name;
    this.address = address;
    this.loopback = `${name}/127.0.0.1`;
    this.files = new MachineFiles(this.wall);
    physics.network.attach(name, address);
    physics.network.attach(name, this.loopback);
    this.units = new Units({
      clock: physics.clock,
      wall: this.wall,
      journal: this.journal,
      files: this.files,
      nextPid: () => physics.kernel.nextPid(),
    });
    this.dial = (to, port, request, receiver) => this.dialAddress(to, port, {request, receiver});
    this.machine = this.#machine();
  }

  /** The machine's idea of the time. */
  readonly wall = (): number => this.physics.startMs + this.clockErrorMs + this.physics.clock.now;

  /** Calls an address, a socket of this machine by its path, or the machine itself. */
  dialAddress(to: string, port: number, {request, receiver}: {request: unknown; receiver: Parameters<Dial>[3]}): Caller {
    const target = to.startsWith('/') ? this.#socket(to) : isLoopback(to) ? this.loopback : to;
    return this.physics.network.call(this.address, target, port, request, receiver);
  }

  /** Listens on a port of one of this machine's addresses (absent: all of its own), or on a socket (a path, port 0). */
  listen(port: number, listener: Listener, at = '0.0.0.0'): {close(): void} | undefined {
    const {network} = this.physics;
    if (at.startsWith('/')) return network.listen(this.#socket(at), port, listener);
    if (isLoopback(at)) return network.listen(this.loopback, port, listener);
    if (!isAny(at)) return network.hostOf(at) === this.name ? network.listen(at, port, listener) : undefined;
    const outside = network.listen(this.address, port, listener);
    const inside = network.listen(this.loopback, port, listener);
    const close = () => {
      outside?.close();
      inside?.close();
      this.#everywhere.delete(port);
    };
    if (outside && inside) {
      this.#everywhere.add(port);
      return {close};
    }
    close();
    return undefined;
  }

  /** Can a process listen at that address here? */
  isLocal(address: string): boolean {
    return isLoopback(address) || isAny(address) || this.physics.network.hostOf(address) === this.name;
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

  /** A process for a component; an older one of that name is killed first. What it logs is kept, for a unit in the journal too. */
  newDaemon(name: string, unit?: string): Daemon {
    this.daemons.get(name)?.exit(137);
    const daemon = new Daemon(name, this.physics.kernel.nextPid(), this.surroundings);
    const keep = this.enroll(daemon, name);
    daemon.onLog = line => {
      const text = keep(line);
      if (unit !== undefined) this.journal.append({at: this.wall(), unit, identifier: name, pid: daemon.pid, text});
    };
    return daemon;
  }

  /** Counts a process that another has made for a component as one of this machine's; the answer keeps a line of its log. */
  enroll(daemon: Daemon, name: string): (line: string) => string {
    this.daemons.set(name, daemon);
    daemon.onListen = port => this.#holders.set(port, {holder: name, pid: daemon.pid});
    const log = this.#logOf(name);
    log.since = log.lines.length;
    const others = daemon.onLog;
    const keep = (line: string) => {
      const text = stampedLine(line, this.wall(), daemon.pid);
      log.lines.push(text);
      if (log.lines.length > LOG_LINES) log.since = Math.max(0, log.since - log.lines.splice(0, LOG_LINES / 2).length);
      return text;
    };
    daemon.onLog = line => {
      keep(line);
      others?.(line);
    };
    return keep;
  }

  /** The ports that are open here, with who holds them as far as that is known. */
  get ports(): readonly {address: string; port: number; holder: string; pid: number}[] {
    const {network} = this.physics;
    const [outside, inside] = [network.portsOf(this.address), network.portsOf(this.loopback)];
    const holder = (port: number) => this.#holders.get(port) ?? {holder: '', pid: 0};
    const both = this.#everywhere;
    return [
      ...inside.filter(port => !both.has(port)).map(port => ({address: '127.0.0.1', port, ...holder(port)})),
      ...outside.map(port => ({address: both.has(port) ? '*' : this.address, port, ...holder(port)})),
    ].sort((a, b) => a.port - b.port);
  }

  /** What a component has logged: in all its lives, or since its last start. */
  logOf(name: string, lastLife: boolean): readonly string[] {
    const {lines, since} = this.#logOf(name);
    return lastLife ? lines.slice(since) : lines;
  }

  #logOf(name: string): ProcessLog {
    const known = this.#logs.get(name) ?? {lines: [], since: 0};
    this.#logs.set(name, known);
    return known;
  }

  #machine(): Machine {
    const find = (name: string) => this.programs.get(name) ?? this.sharedPrograms.get(name);
    return {
      name: this.name,
      files: this.files,
      cpuShare: 1,
      processLimit: PROCESSES_ON_A_MACHINE,
      programNames: () => [...new Set([...this.programs.keys(), ...this.sharedPrograms.keys()])].sort(),
      program: name => find(name.startsWith('/') ? name.slice(name.lastIndexOf('/') + 1) : name),
      wall: () => this.wall(),
      dial: (to, port, request, receiver) => this.dial(to, port, request, receiver),
      listen: (address, port, listener) => this.listen(port, listener, address),
      services: () => this.#services(),
      disk: () => ({sizeBytes: this.diskBytes, usedBytes: this.usedDiskBytes()}),
    };
  }

  #services(): MachineService[] {
    const init = {pid: 1, argv: ['/sbin/init'], startedMs: 0, memoryBytes: 13_000_000, signal: () => undefined};
    const running = [...this.daemons].filter(([, daemon]) => daemon.exitCode === undefined);
    return [
      init,
      ...running.map(([name, daemon]) => {
        const unit = this.units.state(name)?.argv;
        const argv = unit && unit.length > 0 ? unit : (this.commandLines.get(name) ?? [name]);
        return {pid: daemon.pid, argv, startedMs: daemon.startedMs, memoryBytes: 48_000_000, signal: signalTo(daemon)};
      }),
    ];
  }
}

/** What a signal does to a component. Those that ask it to read its files anew end it, as it has no handler for them. */
function signalTo(daemon: Daemon): (name: string) => void {
  return name => {
    if (name === 'KILL') daemon.exit(137);
    else if (name === 'STOP' || name === 'TSTP') daemon.scope.pause();
    else if (name === 'CONT') daemon.scope.resume();
    else if (name === 'TERM' || name === 'INT') daemon.terminate();
    else if (!['CHLD', 'WINCH', 'URG', 'PIPE'].includes(name)) daemon.exit(128 + 1);
  };
}

/** Is it a name or an address of the machine itself? */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host.startsWith('127.') || host === '::1' || host === '[::1]';
}

function isAny(host: string): boolean {
  return host === '0.0.0.0' || host === '::' || host === '[::]' || host === '';
}
