// etcd's log: one JSON object a line, in the order of zap's encoder.
import type {Daemon} from '../../sim/daemon.ts';

/** How grave a line is. */
export type Level = 'info' | 'warn' | 'error' | 'fatal' | 'panic';

/** One line: when, from where, what, and the facts. */
export interface Line {
  readonly level: Level;
  readonly logger?: string;
  readonly caller: string;
  readonly msg: string;
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** Writes a line to the log of the process. */
export function log(daemon: Daemon, {level, logger, caller, msg, facts}: Line): void {
  const at = daemon.wall();
  const micros = String(Math.floor((at % 1) * 1000)).padStart(3, '0');
  const ts = `${new Date(Math.floor(at)).toISOString().slice(0, 23)}${micros}Z`;
  const trace = level === 'info' || level === 'warn' ? {} : {stacktrace: stackTrace(caller)};
  daemon.print(JSON.stringify({level, ts, ...(logger ? {logger} : {}), caller, msg, ...facts, ...trace}));
}

// Grave lines carry Go's stack; what stands in it is no more than where the line comes from.
function stackTrace(caller: string): string {
  return `go.etcd.io/etcd/server/v3/${caller.replace(/\/.*$/, '')}\n\tgo.etcd.io/etcd/server/v3/${caller}\nmain.main\n\tgo.etcd.io/etcd/v3/main.go:31\nruntime.main\n\truntime/proc.go:283`;
}
