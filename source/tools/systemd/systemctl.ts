// `systemctl`: the services of this machine. Modelled: start, stop, restart, reload-or-restart, enable, disable, is-active,
// is-enabled, is-failed, status, show, cat, list-units, list-unit-files, daemon-reload, reset-failed, kill. Not modelled: targets,
// timers, sockets, mounts, masks, edits, dependencies.
import type {Program} from '../../sim/process/machine.ts';
import type {Process} from '../../sim/process/process.ts';
import {getOpt, optionsOf} from '../flags/getopt.ts';
import {bareName, type ServiceMachine, type ServiceState} from './services.ts';
import {showText, statusText, unitFilesTable, unitsTable} from './unit-text.ts';

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
  start: given => each(given, 'start', name => given.machine.units.start(name)),
  stop: given => each(given, 'stop', name => given.machine.units.stop(name)),
  restart: given => each(given, 'restart', name => given.machine.units.restart(name)),
  'reload-or-restart': given => each(given, 'restart', name => given.machine.units.restart(name)),
  'try-restart': given =>
    each(given, 'restart', name => given.machine.units.state(name)?.active !== 'active' || given.machine.units.restart(name)),
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
  'is-enabled': given =>
    ask(
      given,
      state => (state.enabled ? 'enabled' : 'disabled'),
      'not-found',
      state => state.enabled,
      1,
    ),
  status,
  show,
  cat,
  'list-units': listUnits,
  'list-unit-files': async ({process, machine}) => {
    await process.out(unitFilesTable(machine.units.names.map(name => machine.units.state(name))));
    return 0;
  },
  'daemon-reload': () => 0,
  'daemon-reexec': () => 0,
  'reset-failed': () => 0,
  kill: given => each(given, 'kill', name => given.machine.units.kill(name)),
};

/** Makes the program of a machine. */
export function makeSystemctl(machine: ServiceMachine): Program {
  return async process => {
    const read = getOpt('systemctl', process.argv.slice(1), OPTIONS);
    if (!read.ok) {
      await process.err(`${read.message}\n`);
      return 1;
    }
    const [verb = 'list-units', ...units] = read.words;
    const command = Object.hasOwn(COMMANDS, verb) ? COMMANDS[verb] : undefined;
    if (!command) {
      await process.err(`Unknown command verb '${verb}'.\n`);
      return 1;
    }
    return command({process, machine, units, given: read.given});
  };
}

async function each({process, units}: Given, verb: string, act: (name: string) => boolean): Promise<number> {
  if (units.length === 0) {
    await process.err('Too few arguments.\n');
    return 1;
  }
  let code = 0;
  for (const unit of units) {
    if (act(unit)) continue;
    const full = unit.includes('.') ? unit : `${unit}.service`;
    const why = `Unit ${full} not ${verb === 'stop' || verb === 'kill' ? 'loaded' : 'found'}.`;
    await process.err(verb === 'kill' ? `Failed to kill unit ${full}: ${why}\n` : `Failed to ${verb} ${full}: ${why}\n`);
    code = NOT_FOUND;
  }
  // The manager does what it is asked in a moment.
  await process.sleep(20);
  return code;
}

const WANTS = '/etc/systemd/system/multi-user.target.wants';

async function enable(given: Given, enabled: boolean): Promise<number> {
  const {process, machine, units} = given;
  for (const unit of units) {
    const state = machine.units.state(unit);
    const full = unit.includes('.') ? unit : `${unit}.service`;
    if (!state) {
      const verb = enabled ? 'enable' : 'disable';
      await process.err(`Failed to ${verb} unit: Unit ${full} does not exist\n`);
      return 1;
    }
    if (state.enabled !== enabled) {
      const link = `${WANTS}/${full}`;
      await process.err(enabled ? `Created symlink '${link}' → '${state.description.file}'.\n` : `Removed '${link}'.\n`);
    }
    machine.units.enable(unit, enabled);
  }
  if (!given.given.has('now')) return 0;
  const act = (name: string) => (enabled ? machine.units.start(name) : machine.units.stop(name));
  return each(given, enabled ? 'start' : 'stop', act);
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
      await process.err(`Unit ${unit.includes('.') ? unit : `${unit}.service`} could not be found.\n`);
      code = NO_SUCH;
      continue;
    }
    if (!isFirst) await process.out('\n');
    isFirst = false;
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

async function cat({process, machine, units}: Given): Promise<number> {
  const {files} = process.machine;
  for (const unit of units) {
    const state = machine.units.state(unit);
    if (!state) {
      await process.err(`No files found for ${unit.includes('.') ? unit : `${unit}.service`}.\n`);
      return 1;
    }
    const {file} = state.description;
    const more = (files.list(`${file}.d`) ?? []).filter(name => name.endsWith('.conf')).map(name => `${file}.d/${name}`);
    const parts = [file, ...more].map(path => `# ${path}\n${files.read(path) ?? ''}`);
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
