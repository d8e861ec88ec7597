import {SIGNALS} from '../../sim/process/kernel.ts';
import {quote} from '../expansion/transformations.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import {signalList, signalOf} from './kill.ts';

const OTHERS: ReadonlySet<string> = new Set(['EXIT', 'ERR', 'DEBUG', 'RETURN']);

/** `trap [-lp] [[command] signal …]` */
export function* trap(shell: Shell, args: readonly string[]): Steps<number> {
  if (args[0] === '-l') {
    yield* shell.print(signalList());
    return 0;
  }
  if (args.length === 0 || args[0] === '-p') return yield* print(shell, args.slice(1));
  const words = args[0] === '--' ? args.slice(1) : args;
  const [first] = words;
  if (first === undefined) return 0;
  const isReset = words.length === 1 || first === '-' || /^\d+$/.test(first);
  const names = isReset && first !== '-' ? words : words.slice(1);
  if (names.length === 0) {
    yield* shell.printError('trap: usage: trap [-lp] [[arg] signal_spec ...]\n');
    return 2;
  }
  let status = 0;
  for (const text of names) {
    const name = nameOf(text);
    if (name === undefined) {
      status = yield* shell.complain(`trap: ${text}: invalid signal specification`);
      continue;
    }
    if (isReset) shell.traps.delete(name);
    else shell.traps.set(name, first);
    shell.interpreter.arm(shell, name);
  }
  return status;
}

function nameOf(text: string): string | undefined {
  const upper = text.toUpperCase();
  if (text === '0') return 'EXIT';
  return OTHERS.has(upper) ? upper : signalOf(text);
}

function* print(shell: Shell, wanted: readonly string[]): Steps<number> {
  const names = wanted.length > 0 ? wanted.map(nameOf) : [...shell.traps.keys()].sort((a, b) => order(a) - order(b));
  for (const name of names) {
    const text = name === undefined ? undefined : shell.traps.get(name);
    if (name !== undefined && text !== undefined)
      yield* shell.print(`trap -- ${quote(text)} ${OTHERS.has(name) ? name : `SIG${name}`}\n`);
  }
  return 0;
}

function order(name: string): number {
  if (name === 'EXIT') return 0;
  return Object.hasOwn(SIGNALS, name) ? (Object.entries(SIGNALS).find(([each]) => each === name)?.[1] ?? 0) : 1000;
}
