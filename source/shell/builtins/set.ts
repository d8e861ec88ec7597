// `set`, `shopt` and `shift`.
import {Options, SET_OPTIONS, SHOPT_OPTIONS} from '../state/options.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import {plainList} from './declare.ts';

/** `set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg …]` */
export function* setCommand(shell: Shell, args: readonly string[]): Steps<number> {
  if (args.length === 0) return yield* plainList(shell);
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      shell.positional = args.slice(at + 1);
      return 0;
    }
    if (arg === '-') {
      shell.options.set('xtrace', false);
      shell.options.set('verbose', false);
      at++;
      break;
    }
    if (!/^[-+]./.test(arg)) break;
    const isOn = arg.startsWith('-');
    for (const letter of arg.slice(1)) {
      if (letter === 'o') {
        const name = args[at + 1];
        if (name === undefined) return yield* printOptions(shell, isOn);
        at++;
        if (!shell.options.set(name, isOn)) return yield* shell.complain(`set: ${name}: invalid option name`, 2);
        continue;
      }
      const name = Options.nameOf(letter);
      if (name === undefined) {
        yield* shell.complain(`set: ${arg[0]}${letter}: invalid option`);
        yield* shell.printError('set: usage: set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]\n');
        return 2;
      }
      shell.options.set(name, isOn);
    }
  }
  if (at < args.length) shell.positional = args.slice(at);
  return 0;
}

function* printOptions(shell: Shell, asTable: boolean): Steps<number> {
  let text = '';
  for (const name of SET_OPTIONS.keys()) {
    const isOn = shell.options.has(name);
    text += asTable ? `${name.padEnd(15)}\t${isOn ? 'on' : 'off'}\n` : `set ${isOn ? '-' : '+'}o ${name}\n`;
  }
  yield* shell.print(text);
  return 0;
}

/** `shopt [-pqsuo] [optname …]` */
export function* shopt(shell: Shell, args: readonly string[]): Steps<number> {
  const letters = args.filter(arg => /^-[pqsuo]+$/.test(arg)).join('');
  const names = args.filter(arg => !arg.startsWith('-'));
  const isOn = (name: string): boolean => (letters.includes('o') ? shell.options.has(name) : shell.options.shopt(name));
  const known = letters.includes('o') ? SET_OPTIONS : SHOPT_OPTIONS;
  let status = 0;
  for (const name of names) {
    if (!known.has(name)) status = yield* shell.complain(`shopt: ${name}: invalid shell option name`);
    else if (letters.includes('s') || letters.includes('u')) {
      if (letters.includes('o')) shell.options.set(name, letters.includes('s'));
      else shell.options.setShopt(name, letters.includes('s'));
    } else {
      if (!isOn(name)) status = 1;
      if (!letters.includes('q')) yield* shell.print(optionLine(name, isOn(name), letters));
    }
  }
  if (names.length > 0) return status;
  for (const name of known.keys()) {
    if ((letters.includes('s') && !isOn(name)) || (letters.includes('u') && isOn(name))) continue;
    yield* shell.print(optionLine(name, isOn(name), letters));
  }
  return 0;
}

function optionLine(name: string, isOn: boolean, letters: string): string {
  return letters.includes('p') ? `shopt -${isOn ? 's' : 'u'} ${name}\n` : `${name.padEnd(15)}\t${isOn ? 'on' : 'off'}\n`;
}

/** `shift [n]` */
export function shift(shell: Shell, args: readonly string[]): Steps<number> | number {
  const [text] = args;
  const count = text === undefined ? 1 : Number(text);
  if (!Number.isInteger(count)) return shell.complain(`shift: ${text}: numeric argument required`);
  if (count < 0) return shell.complain(`shift: ${text}: shift count out of range`);
  if (count > shell.positional.length) return 1;
  shell.positional = shell.positional.slice(count);
  return 0;
}
