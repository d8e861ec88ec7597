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

/** Ends one of Kubernetes' own components: `"command failed"`. */
export function commandFailed(daemon: Daemon, why: string): void {
  failWith(daemon, [`E run.go:72] "command failed" err=${JSON.stringify(why)}`], 1);
}
