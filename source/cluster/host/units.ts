// systemd as far as a node needs it: services that are started and stopped by hand, that come up with the machine when they are
// enabled, and that are started again by themselves when they die. Their unit files are read when the machine boots and when it is
// told to (`daemon-reload`); the files of their environment at each start. What happens to them stands in the journal, in systemd's
// words. Not modelled: dependencies, targets, timers, sockets, and the limit on how often a service may be started.
import type {Clock, Timer} from '../../sim/clock.ts';
import type {Daemon} from '../../sim/daemon.ts';
import type {Files} from '../../sim/files.ts';
import type {Journal} from './journal.ts';
import {commandLineOf, loadUnit, type LoadedUnit} from './unit-file.ts';

/** A service that this machine can run. */
export interface UnitDescription {
  /** Without its ending. */
  readonly name: string;
  /** Starts its process with a command line; undefined when the program is not there. */
  readonly start: (argv: readonly string[]) => Daemon | undefined;
}

/** What `systemctl` shows of a unit. */
export interface UnitState {
  readonly name: string;
  /** As it was loaded last; undefined: there was no file. */
  readonly loaded: LoadedUnit | undefined;
  /** The command line with which it was started last. */
  readonly argv: readonly string[];
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
  readonly files: Files;
  readonly nextPid: () => number;
}

interface Unit {
  readonly description: UnitDescription;
  state: UnitState;
  daemon: Daemon | undefined;
  timer: Timer | undefined;
}

/** Why a unit could not be started. */
export type StartRefusal = 'not-found' | 'masked' | 'bad-setting';

const EXEC = 203;
const MASKS = '/etc/systemd/system';

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
      name: description.name,
      loaded: loadUnit(this.#options.files, `${description.name}.service`),
      argv: [],
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

  /** Have a unit's files changed since they were loaded? */
  isStale(name: string): boolean {
    const state = this.state(name);
    return state !== undefined && loadUnit(this.#options.files, `${state.name}.service`)?.text !== state.loaded?.text;
  }

  /** Reads all unit files anew. */
  reload(): void {
    for (const unit of this.#units.values())
      this.#set(unit, {loaded: loadUnit(this.#options.files, `${unit.description.name}.service`)});
  }

  /** Starts a service that does not run; why not, where it cannot. */
  start(name: string): StartRefusal | undefined {
    const unit = this.#units.get(withoutEnding(name));
    if (!unit?.state.loaded) return 'not-found';
    const {state} = unit.state.loaded;
    if (state !== 'loaded') return state;
    if (unit.daemon) return undefined;
    this.#options.clock.cancel(unit.timer);
    this.#set(unit, {restarts: 0});
    this.#launch(unit);
    return undefined;
  }

  /** Stops a service for good. */
  stop(name: string): boolean {
    const unit = this.#units.get(withoutEnding(name));
    if (!unit) return false;
    this.#options.clock.cancel(unit.timer);
    unit.timer = undefined;
    const {daemon} = unit;
    if (!daemon && unit.state.active === 'inactive') return true;
    unit.daemon = undefined;
    if (daemon) {
      this.#say(unit, `Stopping ${titleOf(unit)}...`);
      daemon.terminate();
      if (daemon.exitCode === undefined) daemon.exit(0);
      this.#say(unit, `${unitName(unit)}: Deactivated successfully.`);
    }
    this.#set(unit, {active: 'inactive', sub: 'dead', pid: undefined, exitCode: daemon ? 0 : unit.state.exitCode});
    this.#say(unit, `Stopped ${titleOf(unit)}.`);
    return true;
  }

  /** Sends a signal to its main process, which is then started again as after any other end. */
  kill(name: string, signal = 'TERM'): boolean {
    const unit = this.#units.get(withoutEnding(name));
    if (signal === 'KILL') unit?.daemon?.exit(137);
    else unit?.daemon?.terminate();
    return unit !== undefined;
  }

  restart(name: string): StartRefusal | undefined {
    this.stop(name);
    return this.start(name);
  }

  /** Sets whether it comes up with the machine. */
  enable(name: string, enabled: boolean): boolean {
    const unit = this.#units.get(withoutEnding(name));
    if (unit) this.#set(unit, {enabled});
    return unit !== undefined;
  }

  /** Takes a unit out of use, by a link to nowhere in the place of its file, or takes that back. */
  mask(name: string, masked: boolean): boolean {
    const unit = this.#units.get(withoutEnding(name));
    const path = `${MASKS}/${withoutEnding(name)}.service`;
    const {files} = this.#options;
    if (masked && files.info(path) === undefined) {
      files.makeFolder(MASKS);
      files.makeLink(path, '/dev/null');
    } else if (!masked && files.linkAt(path) === '/dev/null') files.remove(path);
    else return false;
    if (unit) this.#set(unit, {loaded: loadUnit(files, unitName(unit))});
    return true;
  }

  /** What failed counts as merely not running. */
  resetFailed(): void {
    for (const unit of this.#units.values())
      if (unit.state.active === 'failed') this.#set(unit, {active: 'inactive', sub: 'dead'});
  }

  /** The machine boots, after the first time: all that is enabled comes up, in the order of adding. */
  boot(isFirst = false): void {
    if (!isFirst) {
      this.#options.journal.boot++;
      this.reload();
    }
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
    const {loaded} = unit.state;
    const line = loaded && commandLineOf(loaded, this.#options.files);
    if (!line || 'missing' in line) {
      this.#say(unit, `${unitName(unit)}: Failed to load environment files: No such file or directory`, WARNING);
      this.#say(unit, `${unitName(unit)}: Failed to run 'start' task: No such file or directory`, WARNING);
      this.#say(unit, `${unitName(unit)}: Failed with result 'resources'.`, WARNING);
      return this.#again(unit, 1);
    }
    this.#say(unit, `Started ${titleOf(unit)}.`);
    this.#set(unit, {argv: line.argv});
    const daemon = unit.description.start(line.argv);
    if (!daemon) return this.#notExecuted(unit, line.argv[0] ?? '');
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

  #notExecuted(unit: Unit, program: string): void {
    const pid = this.#options.nextPid();
    const identifier = `(${program.replace(/^.*\//, '')})`;
    const say = (text: string) =>
      this.#options.journal.append({at: this.#options.wall(), unit: unitName(unit), identifier, pid, text, priority: ERROR});
    say(`${unitName(unit)}: Unable to locate executable '${program}': No such file or directory`);
    say(`${unitName(unit)}: Failed at step EXEC spawning ${program}: No such file or directory`);
    this.#set(unit, {mainPid: pid});
    this.#ended(unit, EXEC);
  }

  #ended(unit: Unit, code: number): void {
    unit.daemon = undefined;
    const killed = code > 128 && code !== EXEC;
    const how = killed
      ? `code=killed, status=${code - 128}/${SIGNALS[code - 128] ?? 'KILL'}`
      : `code=exited, status=${exitName(code)}`;
    this.#say(unit, `${unitName(unit)}: Main process exited, ${how}`, NOTICE);
    if (code !== 0) this.#say(unit, `${unitName(unit)}: Failed with result '${killed ? 'signal' : 'exit-code'}'.`, WARNING);
    this.#again(unit, code);
  }

  /** Starts it again after its pause, where its file says so. */
  #again(unit: Unit, code: number): void {
    const {restart = 'no', restartMs = 0} = unit.state.loaded ?? {};
    if (restart === 'no' || (restart === 'on-failure' && code === 0)) {
      const dead = code === 0;
      this.#set(unit, {active: dead ? 'inactive' : 'failed', sub: dead ? 'dead' : 'failed', exitCode: code, pid: undefined});
      return;
    }
    this.#set(unit, {active: 'activating', sub: 'auto-restart', exitCode: code, pid: undefined});
    unit.timer = this.#options.clock.after(restartMs, () => {
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

const ERROR = 3;
const WARNING = 4;
const NOTICE = 5;
const INFO = 6;

const SIGNALS: Readonly<Record<number, string>> = {6: 'ABRT', 9: 'KILL', 11: 'SEGV', 15: 'TERM'};
const EXITS: Readonly<Record<number, string>> = {0: 'SUCCESS', 1: 'FAILURE', 2: 'INVALIDARGUMENT', 203: 'EXEC'};

/** `1/FAILURE`. */
function exitName(code: number): string {
  return EXITS[code] === undefined ? `${code}/n/a` : `${code}/${EXITS[code]}`;
}

function unitName({description}: Unit): string {
  return `${description.name}.service`;
}

function titleOf(unit: Unit): string {
  return `${unitName(unit)} - ${unit.state.loaded?.description ?? ''}`;
}

function withoutEnding(name: string): string {
  return name.replace(/\.service$/, '');
}
