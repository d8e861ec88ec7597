// The programs that every machine has, by name.
import type {Program} from '../../sim/process/machine.ts';
import {cat} from './cat.ts';
import {sleep} from './sleep.ts';

export const coreutils: ReadonlyMap<string, Program> = new Map<string, Program>([
  ['cat', cat],
  ['sleep', sleep],
]);
