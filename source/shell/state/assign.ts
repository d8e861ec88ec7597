// Giving variables their values, with the attributes that `declare` sets: integer, upper and lower case, readonly, nameref. Lists
// and tables are here too. Everything answers with words when something is wrong.
import {evaluate} from '../expansion/arithmetic.ts';
import type {Cells} from '../expansion/arithmetic.ts';
import {serializeCommand} from '../syntax/text.ts';
import type {Shell} from './shell.ts';
import {isName, placeOf} from './variables.ts';
import type {Variable} from './variables.ts';

/** What is assigned: to a variable, or to the element with this key (for a list: index in digits, or arithmetic). */
export interface Target {
  readonly name: string;
  readonly key?: string | undefined;
  readonly append?: boolean;
}

const cells = new WeakMap<Shell, Cells>();

/** The variables of a shell, as arithmetic sees them. */
export function cellsOf(shell: Shell): Cells {
  let known = cells.get(shell);
  if (!known) {
    known = {
      read: (name, key) =>
        key === undefined ? (shell.variables.text(name) ?? dynamicText(shell, name)) : element(shell, name, key),
      write: (name, key, value) => assign(shell, {name, key}, String(value)),
      isTable: name => shell.variables.get(name)?.table !== undefined,
      get strict() {
        return shell.options.nounset;
      },
    };
    cells.set(shell, known);
  }
  return known;
}

/** The text of an element whose key is known. */
export function element(shell: Shell, name: string, key: string): string | undefined {
  const variable = shell.variables.get(name);
  if (!variable) return undefined;
  if (variable.table) return variable.table.get(key);
  const index = Number(key);
  if (!variable.list) return index === 0 || index === -1 ? variable.text : undefined;
  return variable.list.get(index < 0 ? lengthOf(variable.list) + index : index);
}

/** One more than the greatest index. */
export function lengthOf(list: ReadonlyMap<number, string>): number {
  let length = 0;
  for (const index of list.keys()) if (index >= length) length = index + 1;
  return length;
}

/** Assigns a text. Words when that cannot be. */
export function assign(shell: Shell, target: Target, text: string): string | undefined {
  const {name} = target;
  if (!isName(name)) return `\`${name}': not a valid identifier`;
  const own = shell.variables.own(name);
  if (own?.reference && own.text === undefined) {
    own.text = text;
    return undefined;
  }
  if (name === 'SECONDS' || name === 'RANDOM') return assignDynamic(shell, name, text);
  const real = placeOf(shell.variables.nameOf(name));
  const variable = shell.variables.obtain(real.name);
  if (variable.readonly) return `${real.name}: readonly variable`;
  if (shell.options.allexport) variable.exported = true;
  return put(shell, variable, {...target, name: real.name, key: target.key ?? real.subscript}, text);
}

function put(shell: Shell, variable: Variable, target: Target, text: string): string | undefined {
  const {key} = target;
  if (key === undefined) {
    const before = target.append ? shell.variables.text(target.name) : undefined;
    const shaped = shape(shell, variable, {before, text});
    if (!shaped.ok) return shaped.words;
    if (variable.list) variable.list.set(0, shaped.text);
    else if (variable.table) variable.table.set('0', shaped.text);
    else variable.text = shaped.text;
    return undefined;
  }
  const shaped = shape(shell, variable, {before: target.append ? element(shell, target.name, key) : undefined, text});
  if (!shaped.ok) return shaped.words;
  if (variable.table) {
    if (key === '') return `${target.name}[]: bad array subscript`;
    variable.table.set(key, shaped.text);
    return undefined;
  }
  return putAt(shell, variable, target, shaped.text);
}

function putAt(shell: Shell, variable: Variable, target: Target, text: string): string | undefined {
  const outcome = evaluate(target.key ?? '0', cellsOf(shell));
  if (!outcome.ok) return outcome.words;
  const list = asList(variable);
  const value = Number(outcome.value);
  const index = value < 0 ? lengthOf(list) + value : value;
  if (index < 0) return `${target.name}[${target.key}]: bad array subscript`;
  list.set(index, text);
  return undefined;
}

/** Makes a variable a list; a text becomes its first element. */
export function asList(variable: Variable): Map<number, string> {
  if (!variable.list) {
    variable.list = new Map();
    if (variable.text !== undefined) variable.list.set(0, variable.text);
    variable.text = undefined;
  }
  return variable.list;
}

type Shaped = {readonly ok: true; readonly text: string} | {readonly ok: false; readonly words: string};

function shape(shell: Shell, variable: Variable, change: {before: string | undefined; text: string}): Shaped {
  const {before, text} = change;
  if (variable.integer) {
    const outcome = evaluate(before === undefined ? text : `${before || 0}+(${text})`, cellsOf(shell));
    return outcome.ok ? {ok: true, text: String(outcome.value)} : {ok: false, words: outcome.words};
  }
  const whole = (before ?? '') + text;
  if (whole.length > LONGEST) {
    shell.process.kernel.overflow(shell.process.machine);
    return {ok: false, words: `xrealloc: cannot allocate ${whole.length} bytes`};
  }
  if (variable.letters === 'lower') return {ok: true, text: whole.toLowerCase()};
  if (variable.letters === 'upper') return {ok: true, text: whole.toUpperCase()};
  return {ok: true, text: whole};
}

/** A text longer than this is refused, where a real bash would fill the machine's memory. */
export const LONGEST = 16 * 1024 * 1024;

function assignDynamic(shell: Shell, name: string, text: string): undefined {
  const value = Number.parseInt(text, 10) || 0;
  if (name === 'RANDOM') shell.randomState = Math.abs(value) % 2_147_483_647;
  else shell.startedMs = shell.process.kernel.clock.now - value * 1000;
}

/** Variables that bash computes when they are read. */
export function dynamicText(shell: Shell, name: string): string | undefined {
  switch (name) {
    case 'RANDOM':
      shell.randomState = (Math.imul(shell.randomState, 1_103_515_245) + 12_345) & 0x7fffffff;
      return String((shell.randomState >>> 8) & 32_767);
    case 'SECONDS':
      return String(Math.floor((shell.process.kernel.clock.now - shell.startedMs) / 1000));
    case 'LINENO':
      return String(shell.line);
    case 'EPOCHSECONDS':
      return String(Math.floor(shell.process.machine.wall() / 1000));
    case 'EPOCHREALTIME':
      return (shell.process.machine.wall() / 1000).toFixed(6);
    case 'BASHPID':
      return String(shell.process.pid);
    case 'PPID':
      return String(shell.process.parent?.pid ?? 0);
    case 'BASH_SUBSHELL':
      return String(shell.level);
    case 'BASH_COMMAND':
      return shell.command && serializeCommand(shell.command);
    case 'BASHOPTS':
      return shell.options.shoptNames.join(':');
    case 'SHELLOPTS':
      return shell.options.names.join(':');
    case 'FUNCNAME':
    case 'PIPESTATUS':
    case 'BASH_SOURCE':
    case 'BASH_LINENO':
      return dynamicList(shell, name)?.[0];
    default:
      return undefined;
  }
}

/** Lists that bash computes when they are read. */
export function dynamicList(shell: Shell, name: string): readonly string[] | undefined {
  switch (name) {
    case 'PIPESTATUS':
      return shell.pipeStatus.map(String);
    case 'FUNCNAME': {
      const names = shell.calls.map(call => call.name).reverse();
      if (names.length === 0) return undefined;
      return shell.origin === 'environment' ? names : [...names, 'main'];
    }
    case 'BASH_SOURCE':
      return [...shell.calls.map(call => call.source).reverse(), ...(shell.origin === 'environment' ? [] : [shell.name])];
    case 'BASH_LINENO':
      return [...shell.calls.map(call => String(call.line)).reverse(), '0'];
    default:
      return undefined;
  }
}
