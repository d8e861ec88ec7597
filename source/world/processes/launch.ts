// What a component of the control plane gets when it is started, by a unit, by a container's runtime, or by hand: a process, its
// command line, and the files that it sees.
import type {Daemon} from '../../sim/daemon.ts';
import type {Files} from '../../sim/files.ts';

/** A start. */
export interface Launch {
  readonly daemon: Daemon;
  /** The program's name and its flags. */
  readonly argv: readonly string[];
  readonly files: Files;
  readonly machine: LaunchMachine;
}

/** The machine under a process. */
export interface LaunchMachine {
  readonly name: string;
  readonly address: string;
  /** Can a process listen at that address here? */
  isLocal(address: string): boolean;
  /** With which words each program was started last. */
  readonly commandLines: Map<string, readonly string[]>;
  /** The data directories that its processes have opened. */
  readonly disks: Set<{powerCut(): void}>;
}

/** Ends a process that failed at its start, in its own words. */
export function failWith(daemon: Daemon, lines: readonly string[], code: number): void {
  for (const line of lines) daemon.print(line);
  daemon.exit(code);
}

/** The last words of a process, and its exit code. */
export interface Ending {
  readonly lines: readonly string[];
  readonly code: number;
}

/** How one of Kubernetes' own components ends: `"command failed"`. */
export function commandLine(why: string): Ending {
  return {lines: [`E run.go:72] "command failed" err=${JSON.stringify(why)}`], code: 1};
}

/** Ends one of them. */
export function commandFailed(daemon: Daemon, why: string): void {
  const {lines, code} = commandLine(why);
  failWith(daemon, lines, code);
}
