// Reads a line that is being written as far as the word under the cursor: which command it is, its flags and arguments, and whether
// the word is the value of a flag.
import {flagsOf, type CommandSpec, type FlagSpec} from '../flags/catalogue.ts';
import {findLine, readFlags} from '../flags/parse.ts';
import {Failure} from '../failure.ts';
import type {Values} from '../flags/values.ts';

/** The line was understood. */
export interface Line {
  readonly command: CommandSpec;
  readonly values: Values;
  /** The flag whose value is begun. */
  readonly flag: FlagSpec | undefined;
  readonly begun: string;
}

/** It was not; the sentence says why. */
export interface Unread {
  readonly problem: string;
  readonly command: CommandSpec | undefined;
}

interface Value {
  readonly flag: FlagSpec | undefined;
  readonly unknown: string | undefined;
  /** What is left to be read as flags and arguments. */
  readonly rest: readonly string[];
  readonly begun: string;
}

/** Reads the words before `begun`. */
export function readLine(before: readonly string[], begun: string): Line | Unread {
  const found = findLine(before);
  if (found instanceof Failure)
    return {problem: `unable to find a command for arguments: [${before.join(' ')}]`, command: undefined};
  const {command} = found;
  const value = valueOf(flagsOf(command), found.rest, begun);
  const read = readFlags(command, value.rest);
  if ('problem' in read) {
    const problem = `Error while parsing flags from args [${value.rest.join(' ')}]: ${read.problem}`;
    return {problem, command};
  }
  const {values} = read;
  if (value.unknown !== undefined && values.argsBeforeDash === undefined)
    return {problem: `Subcommand '${command.name}' does not support flag '${value.unknown}'`, command};
  return {command, values, flag: value.flag, begun: value.begun};
}

/** Is the word the value of a flag? Behind `--flag=`, or of the flag before it when that cannot stand alone. */
function valueOf(specs: readonly FlagSpec[], rest: readonly string[], begun: string): Value {
  const none: Value = {flag: undefined, unknown: undefined, rest, begun};
  if (begun.startsWith('-')) {
    const at = begun.indexOf('=');
    if (at < 0) return none;
    const name = begun.startsWith('--') ? begun.slice(2, at) : begun.slice(at - 1, at);
    const flag = flagNamed(specs, name);
    return flag ? {...none, flag, begun: begun.slice(at + 1)} : {...none, unknown: name};
  }
  const before = rest.at(-1) ?? '';
  if (!/^(--.|-[^-])/.test(before) || before.includes('=')) return none;
  const name = before.startsWith('--') ? before.slice(2) : before.slice(-1);
  const flag = flagNamed(specs, name);
  if (!flag) return {...none, unknown: name};
  return flag.bare === undefined ? {...none, flag, rest: rest.slice(0, -1)} : none;
}

function flagNamed(specs: readonly FlagSpec[], name: string): FlagSpec | undefined {
  return specs.find(spec => (name.length === 1 ? spec.shorthand === name : spec.name === name));
}
