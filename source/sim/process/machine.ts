// A machine, as the programs on it see it: the player's laptop, a node, or the inside of a container. `world` fills it in.
import type {Files} from '../files.ts';
import type {Caller, Listener, Receiver} from '../network.ts';
import type {Process} from './process.ts';
import type {Stream} from './streams.ts';

/** A program: what an async `main` does on its process, and the exit code that it ends with. */
export type Program = (process: Process) => Promise<number>;

/** What the programs of one machine share. */
export interface Machine {
  /** As `hostname` prints it. */
  readonly name: string;
  readonly files: Files;
  /** Finds a program by the name that is typed, or by its path. */
  readonly program: (name: string) => Program | undefined;
  /** The names of all programs, sorted, for completion and `help`. */
  readonly programNames: () => readonly string[];
  /** The machine's idea of the time, in milliseconds since 1970. */
  readonly wall: () => number;
  /** Calls by name or address, as this machine resolves and routes it. */
  readonly dial: (host: string, port: number, request: unknown, receiver: Receiver) => Caller;
  /** Listens on a port of one of the machine's addresses; undefined when it is taken. Absent: nothing can listen here. */
  readonly listen?: (address: string, port: number, listener: Listener) => {close(): void} | undefined;
  /** How much of a CPU its programs get, all together: 1 is a whole one. A container's limit makes it less. */
  readonly cpuShare: number;
  /** Processes at most, running at once. */
  readonly processLimit: number;
  /** How much memory its programs may hold together, and what happens when it is more; absent: no bound. */
  readonly memory?: {readonly limitBytes: () => number; readonly exceeded: () => void};
  /** As whom its programs run; absent: root. */
  readonly identity?: Identity;
  /** The disk as `df` shows it, where that is not the bound of its files. */
  readonly disk?: () => {readonly sizeBytes: number; readonly usedBytes: number};
  /** A stream under a path that is no file, such as what the first process of a container writes to. Absent: none. */
  readonly device?: (path: string) => Stream | undefined;
  /** The machine whose root is mounted at a path; absent: of none. */
  readonly rootAt?: (path: string) => Machine | undefined;
  /** What runs here besides programs: the machine's own services. Absent: nothing. */
  readonly services?: () => readonly MachineService[];
}

/** A long-running process of the machine, as `ps` shows it and `kill` reaches it. */
export interface MachineService {
  readonly pid: number;
  readonly argv: readonly string[];
  /** By the clock, when it began. */
  readonly startedMs: number;
  /** How much memory it holds. */
  readonly memoryBytes: number;
  readonly signal: (name: string) => void;
  /** As whom it runs; absent: root. */
  readonly user?: string;
  /** The pid of the program that is shown as this one: the first of a container. */
  readonly standsFor?: number;
}

/** A user, as `id` prints it. */
export interface Identity {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  /** What root may do here, without `CAP_`; absent: everything. */
  readonly capabilities?: ReadonlySet<string>;
  /** Further groups, with their names where they have any. */
  readonly groups?: readonly {readonly id: number; readonly name?: string}[];
}
