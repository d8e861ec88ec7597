// `systemctl`: the services of this machine. Modelled: start, stop, restart, reload-or-restart, enable, disable, is-active,
// is-enabled, is-failed, mask, unmask, status, show, cat, list-units, list-unit-files, daemon-reload, reset-failed, kill, poweroff, halt,
// reboot. Not modelled: targets, timers, sockets, mounts, edits, dependencies.
import type {Program} from '../../sim/process/machine.ts';
import type {Process} from '../../sim/process/process.ts';
import {getOpt, optionsOf} from '../flags/getopt.ts';
import {bareName, type ServiceMachine, type ServiceState, type StartRefusal} from './services.ts';
import type {GoDown} from './shutdown.ts';
import {fileState, showText, statusText, unitFilesTable, unitsTable} from './unit-text.ts';

const OPTIONS = optionsOf({
  letters: 'l=full n=lines o=output q=quiet t=type p=property a=all H=host f=force s=signal h=help',
  none: 'now no-pager full quiet all force value no-legend failed plain no-block help system no-ask-password',
  needed: 'lines output type property host state signal kill-whom',
});
const NOT_FOUND = 5;
const NOT_RUNNING = 3;
const NO_SUCH = 4;

interface Given {
  readonly process: Process;
  readonly machine: ServiceMachine;
  readonly units: readonly string[];
  readonly given: ReadonlyMap<string, readonly string[]>;
}

type Command = (given: Given) => Promise<number> | number;

const COMMANDS: Readonly<Record<string, Command>> = {
  start: given => begin(given, 'start', name => given.machine.units.start(name)),
  stop: given => each(given, 'stop', name => given.machine.units.stop(name)),
  restart: given => begin(given, 'restart', name => given.machine.units.restart(name)),
  reload: given =>
    each(given, 'reload', name => {
      const known = given.machine.units.state(name) !== undefined;
      return known ? `Job type reload is not applicable for unit ${fullName(name)}.` : false;
    }),
  'reload-or-restart': given => begin(given, 'restart', name => given.machine.units.restart(name)),
  'try-restart': given =>
    begin(given, 'restart', name =>
      given.machine.units.state(name)?.active === 'active' ? given.machine.units.restart(name) : undefined,
    ),
  mask: given => mask(given, true),
  unmask: given => mask(given, false),
  enable: given => enable(given, true),
  disable: given => enable(given, false),
  'is-active': given =>
    ask(
      given,
      state => state.active,
      'inactive',
      state => state.active === 'active',
    ),
  'is-failed': given =>
    ask(
      given,
      state => state.active,
      'inactive',
      state => state.active === 'failed',
    ),
  'is-enabled': given => ask(given, fileState, 'not-found', state => fileState(state) === 'enabled', 1),
  status,
  show,
  cat,
  'list-units': listUnits,
  'list-unit-files': async ({process, machine}) => {
    await process.out(unitFilesTable(machine.units.names.map(name => machine.units.state(name))));
    return 0;
  },
  'daemon-reload': ({machine}) => {
    machine.units.reload();
    return 0;
  },
  'daemon-reexec': ({machine}) => {
    machine.units.reload();
    return 0;
  },
  'reset-failed': ({machine}) => {
    machine.units.resetFailed();
    return 0;
  },
  'is-system-running': async ({process, machine}) => {
    const failed = machine.units.names.some(name => machine.units.state(name)?.active === 'failed');
    await process.out(failed ? 'degraded\n' : 'running\n');
    return failed ? 1 : 0;
  },
  kill: given => {
    const signal = given.given.get('signal')?.at(-1)?.replace(/^SIG/, '').replace(/^9$/, 'KILL');
    return each(given, 'kill', name => given.machine.units.kill(name, signal ?? 'TERM'));
  },
};

const GOING_DOWN: Readonly<Record<string, 'off' | 'boot'>> = {poweroff: 'off', halt: 'off', reboot: 'boot'};

/** Makes the program of a machine. */
export function makeSystemctl(machine: ServiceMachine, goDown: GoDown): Program {
  return async process => {
    const read = getOpt('systemctl', process.argv.slice(1), OPTIONS);
    if (!read.ok) {
      await process.err(`${read.message}\n`);
      return 1;
    }
    const [verb = 'list-units', ...units] = read.words;
    const then = Object.hasOwn(GOING_DOWN, verb) ? GOING_DOWN[verb] : undefined;
    if (then) {
      goDown(then);
      return 0;
    }
    const command = Object.hasOwn(COMMANDS, verb) ? COMMANDS[verb] : undefined;
    if (!command) {
      await process.err(`Unknown command verb '${verb}'.\n`);
      return 1;
    }
    return command({process, machine, units, given: read.given});
  };
}

function fullName(unit: string): string {
  return unit.includes('.') ? unit : `${unit}.service`;
}

const REFUSALS: Readonly<Record<StartRefusal, (unit: string) => string>> = {
  'not-found': unit => `Unit ${unit} not found.`,
  masked: unit => `Unit ${unit} is masked.`,
  'bad-setting': unit => `Unit ${unit} has a bad unit file setting.\nSee system logs and 'systemctl status ${unit}' for details.`,
};

/** Starts, and says where files on the disk are no longer what was read. */
async function begin(given: Given, verb: string, act: (name: string) => StartRefusal | undefined): Promise<number> {
  for (const unit of given.units) await warnOfStale(given, unit);
  return each(given, verb, name => {
    const refusal = act(name);
    return refusal === undefined || REFUSALS[refusal](fullName(name));
  });
}

async function warnOfStale({process, machine}: Given, unit: string): Promise<void> {
  if (!machine.units.isStale(unit)) return;
  const what = `The unit file, source configuration file or drop-ins of ${fullName(unit)} changed on disk.`;
  await process.err(`Warning: ${what} Run 'systemctl daemon-reload' to reload units.\n`);
}

/** Acts on each unit; a text, or false for a unit that is none, is why it could not. */
async function each({process, units}: Given, verb: string, act: (name: string) => boolean | string): Promise<number> {
  if (units.length === 0) {
    await process.err('Too few arguments.\n');
    return 1;
  }
  let code = 0;
  for (const unit of units) {
    const done = act(unit);
    if (done === true) continue;
    const full = fullName(unit);
    const why = done === false ? `Unit ${full} not loaded.` : done;
    await process.err(`Failed to ${verb} ${verb === 'kill' ? 'unit ' : ''}${full}: ${why}\n`);
    code = done === false || done.endsWith('not found.') ? NOT_FOUND : 1;
  }
  // The manager does what it is asked in a moment.
  await process.sleep(20);
  return code;
}

async function mask({process, machine, units, given}: Given, masked: boolean): Promise<number> {
  for (const unit of units) {
    const link = `/etc/systemd/system/${fullName(unit)}`;
    const state = machine.units.state(unit);
    if (masked && !state) await process.err(`Unit ${fullName(unit)} does not exist, proceeding anyway.\n`);
    if (machine.units.mask(unit, masked))
      await process.err(masked ? `Created symlink '${link}' → '/dev/null'.\n` : `Removed '${link}'.\n`);
    if (masked && given.has('now')) machine.units.stop(unit);
  }
  return 0;
}

const WANTS = '/etc/systemd/system/multi-user.target.wants';

async function enable(given: Given, enabled: boolean): Promise<number> {
  const {process, machine, units} = given;
  for (const unit of units) {
    const state = machine.units.state(unit);
    const full = fullName(unit);
    const verb = enabled ? 'enable' : 'disable';
    if (!state?.loaded || state.loaded.state === 'masked') {
      const why = state?.loaded ? `Unit ${full} is masked` : `Unit ${full} does not exist`;
      await process.err(`Failed to ${verb} unit: ${why}\n`);
      return 1;
    }
    if (state.enabled !== enabled) {
      const link = `${WANTS}/${full}`;
      await process.err(enabled ? `Created symlink '${link}' → '${state.loaded.path}'.\n` : `Removed '${link}'.\n`);
    }
    machine.units.enable(unit, enabled);
  }
  if (!given.given.has('now')) return 0;
  return enabled
    ? begin(given, 'start', name => machine.units.start(name))
    : each(given, 'stop', name => machine.units.stop(name));
}

async function ask(
  {process, machine, units, given}: Given,
  word: (state: ServiceState) => string,
  unknown: string,
  good: (state: ServiceState) => boolean,
  bad = NOT_RUNNING,
): Promise<number> {
  let anyGood = false;
  let anyKnown = false;
  for (const unit of units) {
    const state = machine.units.state(unit);
    anyKnown ||= state !== undefined;
    anyGood ||= state !== undefined && good(state);
    if (!given.has('quiet')) await process.out(`${state ? word(state) : unknown}\n`);
  }
  return anyGood ? 0 : anyKnown ? bad : NO_SUCH;
}

async function status({process, machine, units, given}: Given): Promise<number> {
  const lines = Number(given.get('lines')?.at(-1) ?? 10);
  let code = 0;
  let isFirst = true;
  for (const unit of units.length === 0 ? machine.units.names : units) {
    const state = machine.units.state(unit);
    if (!state) {
      await process.err(`Unit ${fullName(unit)} could not be found.\n`);
      code = NO_SUCH;
      continue;
    }
    if (!isFirst) await process.out('\n');
    isFirst = false;
    await warnOfStale({process, machine, units, given}, unit);
    await process.out(statusText(machine, state, {files: process.machine.files, now: process.machine.wall(), lines}));
    if (state.active !== 'active' && code === 0) code = NOT_RUNNING;
  }
  return code;
}

async function show({process, machine, units, given}: Given): Promise<number> {
  const wanted = given.get('property')?.flatMap(text => text.split(','));
  for (const unit of units) {
    const text = showText(bareName(unit), machine.units.state(unit), wanted, given.has('value'));
    await process.out(text);
  }
  return 0;
}

async function cat({process, machine, units, given}: Given): Promise<number> {
  const {files} = process.machine;
  for (const unit of units) {
    const loaded = machine.units.state(unit)?.loaded;
    if (!loaded) {
      await process.err(`No files found for ${fullName(unit)}.\n`);
      return 1;
    }
    if (loaded.state === 'masked') {
      await process.out(`# Unit ${fullName(unit)} is masked.\n`);
      continue;
    }
    await warnOfStale({process, machine, units, given}, unit);
    const parts = [loaded.path, ...loaded.dropIns].map(path => `# ${path}\n${files.read(path) ?? ''}`);
    await process.out(parts.join('\n'));
  }
  return 0;
}

async function listUnits({process, machine, given}: Given): Promise<number> {
  const failed = given.has('failed') || given.get('state')?.at(-1) === 'failed';
  const states = machine.units.names
    .map(name => machine.units.state(name))
    .filter(state => state !== undefined)
    .filter(state => (failed ? state.active === 'failed' : given.has('all') || state.active !== 'inactive'));
  await process.out(unitsTable(states, given.has('no-legend')));
  return 0;
}
