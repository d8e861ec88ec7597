// systemd as far as a node needs it: services that are started and stopped by hand, that come up with the machine when they are
// enabled, and that are started again by themselves when they die. What happens to them stands in the journal, in systemd's
// words. Not modelled: dependencies, targets, timers, sockets, and the limit on how often a service may be started.
import type {Clock, Timer} from '../../sim/clock.ts';
import type {Daemon} from '../../sim/daemon.ts';
import type {Journal} from './journal.ts';

/** A service as its unit file describes it. */
export interface UnitDescription {
  /** Without its ending. */
  readonly name: string;
  /** As `systemctl status` shows it. */
  readonly description: string;
  /** The unit file. */
  readonly file: string;
  /** The command line of its main process, as its files say it now. */
  readonly command: () => string;
  /** Starts its process. */
  readonly start: () => Daemon;
  /** Started again this long after its end; undefined: never. */
  readonly restartMs: number | undefined;
}

/** What `systemctl` shows of a unit. */
export interface UnitState {
  readonly description: UnitDescription;
  readonly active: 'active' | 'inactive' | 'failed' | 'activating';
  readonly sub: 'running' | 'dead' | 'failed' | 'auto-restart';
  readonly enabled: boolean;
  /** When it came into this state, by the machine's clock. */
  readonly since: number;
  readonly pid: number | undefined;
  /** The main process that runs, or the last one that did. */
  readonly mainPid: number | undefined;
  /** How the last process ended. */
  readonly exitCode: number | undefined;
  readonly restarts: number;
}

export interface UnitsOptions {
  readonly clock: Clock;
  readonly wall: () => number;
  readonly journal: Journal;
}

interface Unit {
  description: UnitDescription;
  state: UnitState;
  daemon: Daemon | undefined;
  timer: Timer | undefined;
}

/** All services of one machine. */
export class Units {
  readonly #options: UnitsOptions;
  readonly #units = new Map<string, Unit>();

  constructor(options: UnitsOptions) {
    this.#options = options;
  }

  /** Adds a service; it does not run yet. */
  add(description: UnitDescription): void {
    const state: UnitState = {
      description,
      active: 'inactive',
      sub: 'dead',
      enabled: true,
      since: this.#options.wall(),
      pid: undefined,
      mainPid: undefined,
      exitCode: undefined,
      restarts: 0,
    };
    this.#units.set(description.name, {description, state, daemon: undefined, timer: undefined});
  }

  get names(): readonly string[] {
    return [...this.#units.keys()].sort();
  }

  /** A unit's state; undefined for a name that is none. */
  state(name: string): UnitState | undefined {
    return this.#units.get(withoutEnding(name))?.state;
  }

  /** Starts a service that does not run. False for a name that is none. */
  start(name: string): boolean {
    const unit = this.#units.get(withoutEnding(name));
    if (!unit) return false;
    if (unit.daemon) return true;
    this.#options.clock.cancel(unit.timer);
    this.#set(unit, {restarts: 0});
    this.#launch(unit);
    return true;
  }

  /** Stops a service for good. */
  stop(name: string): boolean {
    const unit = this.#units.get(withoutEnding(name));
    if (!unit) return false;
    this.#options.clock.cancel(unit.timer);
    unit.timer = undefined;
    const {daemon} = unit;
    const {description} = unit.description;
    if (!daemon && unit.state.active === 'inactive') return true;
    unit.daemon = undefined;
    if (daemon) {
      this.#say(unit, `Stopping ${unitName(unit)} - ${description}...`);
      daemon.terminate();
      if (daemon.exitCode === undefined) daemon.exit(0);
      this.#say(unit, `${unitName(unit)}: Deactivated successfully.`);
    }
    this.#set(unit, {active: 'inactive', sub: 'dead', pid: undefined, exitCode: daemon ? 0 : unit.state.exitCode});
    this.#say(unit, `Stopped ${unitName(unit)} - ${description}.`);
    return true;
  }

  /** Sends SIGTERM to its main process, which is then started again as after any other end. */
  kill(name: string): boolean {
    const unit = this.#units.get(withoutEnding(name));
    const {daemon} = unit ?? {};
    daemon?.terminate();
    return unit !== undefined;
  }

  restart(name: string): boolean {
    return this.stop(name) && this.start(name);
  }

  /** Sets whether it comes up with the machine. */
  enable(name: string, enabled: boolean): boolean {
    const unit = this.#units.get(withoutEnding(name));
    if (unit) this.#set(unit, {enabled});
    return unit !== undefined;
  }

  /** The machine boots, after the first time: all that is enabled comes up, in the order of adding. */
  boot(isFirst = false): void {
    if (!isFirst) this.#options.journal.boot++;
    for (const [name, {state}] of this.#units) if (state.enabled) this.start(name);
  }

  /** The machine stops at once: nothing is said, nothing is started again. */
  powerOff(): void {
    for (const unit of this.#units.values()) {
      this.#options.clock.cancel(unit.timer);
      const {daemon} = unit;
      unit.daemon = undefined;
      daemon?.exit(137);
      this.#set(unit, {active: 'inactive', sub: 'dead', pid: undefined});
    }
  }

  #launch(unit: Unit): void {
    unit.timer = undefined;
    this.#say(unit, `Started ${unitName(unit)} - ${unit.description.description}.`);
    const daemon = unit.description.start();
    const before = daemon.onExit;
    unit.daemon = daemon;
    this.#set(unit, {active: 'active', sub: 'running', pid: daemon.pid, mainPid: daemon.pid});
    const ended = (code: number) => {
      before?.(code);
      if (unit.daemon === daemon) this.#ended(unit, code);
    };
    daemon.onExit = ended;
    if (daemon.exitCode !== undefined) ended(daemon.exitCode);
  }

  #ended(unit: Unit, code: number): void {
    const {clock} = this.#options;
    const {restartMs} = unit.description;
    unit.daemon = undefined;
    const killed = code > 128;
    const how = killed
      ? `code=killed, status=${code - 128}/${SIGNALS[code - 128] ?? 'KILL'}`
      : `code=exited, status=${code}/${code === 0 ? 'SUCCESS' : 'FAILURE'}`;
    this.#say(unit, `${unitName(unit)}: Main process exited, ${how}`, NOTICE);
    if (code !== 0) this.#say(unit, `${unitName(unit)}: Failed with result '${killed ? 'signal' : 'exit-code'}'.`, WARNING);
    if (restartMs === undefined) {
      this.#set(unit, {
        active: code === 0 ? 'inactive' : 'failed',
        sub: code === 0 ? 'dead' : 'failed',
        exitCode: code,
        pid: undefined,
      });
      return;
    }
    this.#set(unit, {active: 'activating', sub: 'auto-restart', exitCode: code, pid: undefined});
    unit.timer = clock.after(restartMs, () => {
      const restarts = unit.state.restarts + 1;
      this.#set(unit, {restarts});
      this.#say(unit, `${unitName(unit)}: Scheduled restart job, restart counter is at ${restarts}.`);
      this.#launch(unit);
    });
  }

  #set(unit: Unit, change: Partial<UnitState>): void {
    const since = change.active === undefined || change.active === unit.state.active ? unit.state.since : this.#options.wall();
    unit.state = Object.freeze({...unit.state, ...change, since});
  }

  #say(unit: Unit, text: string, priority = INFO): void {
    const {journal, wall} = this.#options;
    journal.append({at: wall(), unit: unitName(unit), identifier: 'systemd', pid: 1, text, priority});
  }
}

const WARNING = 4;
const NOTICE = 5;
const INFO = 6;

const SIGNALS: Readonly<Record<number, string>> = {6: 'ABRT', 9: 'KILL', 11: 'SEGV', 15: 'TERM'};

function unitName({description}: Unit): string {
  return `${description.name}.service`;
}

function withoutEnding(name: string): string {
  return name.replace(/\.service$/, '');
}
