// What systemctl and journalctl ask of the machine that they are typed on. The machine fits these shapes as it is.
import type {JournalEntry} from '../../api/wire/journal.ts';

/** A service as systemd shows it. */
export interface ServiceState {
  readonly name: string;
  /** As its files were read last; undefined: there were none. */
  readonly loaded:
    | {
        readonly path: string;
        readonly dropIns: readonly string[];
        readonly state: 'loaded' | 'masked' | 'bad-setting';
        readonly description: string;
        /** As it stands in the file. */
        readonly execStart: string | undefined;
      }
    | undefined;
  /** The command line with which it was started last. */
  readonly argv: readonly string[];
  readonly active: 'active' | 'inactive' | 'failed' | 'activating';
  readonly sub: string;
  readonly enabled: boolean;
  /** When it came into this state, by the machine's clock. */
  readonly since: number;
  readonly pid: number | undefined;
  /** The main process that runs, or the last one that did. */
  readonly mainPid: number | undefined;
  /** How the last process ended; undefined while none has. */
  readonly exitCode: number | undefined;
  readonly restarts: number;
}

/** Why a service could not be started. */
export type StartRefusal = 'not-found' | 'masked' | 'bad-setting';

/** systemd. */
export interface ServiceManager {
  readonly names: readonly string[];
  state(name: string): ServiceState | undefined;
  /** Why it cannot be started; undefined when it is. */
  start(name: string): StartRefusal | undefined;
  stop(name: string): boolean;
  restart(name: string): StartRefusal | undefined;
  kill(name: string, signal?: string): boolean;
  enable(name: string, enabled: boolean): boolean;
  /** False where there was nothing to do. */
  mask(name: string, masked: boolean): boolean;
  /** Have its files changed since they were read? */
  isStale(name: string): boolean;
  reload(): void;
  resetFailed(): void;
}

/** journald. */
export interface JournalSource {
  readonly entries: readonly JournalEntry[];
  readonly boot: number;
  follow(listener: (line: JournalEntry) => void): () => void;
}

/** A machine with services. */
export interface ServiceMachine {
  readonly name: string;
  readonly units: ServiceManager;
  readonly journal: JournalSource;
}

/** `kubelet` for `kubelet.service`. */
export function bareName(unit: string): string {
  return unit.replace(/\.service$/, '');
}

/** `Mon 2026-11-30 09:00:00 UTC`. */
export function longTime(ms: number): string {
  const date = new Date(Math.floor(ms));
  const text = date.toISOString();
  return `${DAYS[date.getUTCDay()]} ${text.slice(0, 10)} ${text.slice(11, 19)} UTC`;
}

/** `Nov 30 09:00:12`. */
export function shortTime(ms: number): string {
  const date = new Date(Math.floor(ms));
  return `${MONTHS[date.getUTCMonth()]} ${String(date.getUTCDate()).padStart(2, '0')} ${date.toISOString().slice(11, 19)}`;
}

/** `2min 3s`, in the two largest units, as systemd rounds. */
export function timeSpan(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.floor(ms))}ms`;
  const seconds = Math.floor(ms / 1000);
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), seconds >= 172_800 ? ' days' : ' day'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count}${unit}`)
    .join(' ');
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
