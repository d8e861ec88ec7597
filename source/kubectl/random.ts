// Ends of names that are to be unlike all others: they depend on who asks, and when.
import {createHash} from 'node:crypto';
import type {Process} from '../sim/process/process.ts';

const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';
const LENGTH = 5;

/** Five letters; another `salt` gives others. */
export function randomSuffix(process: Process, salt = ''): string {
  const hash = createHash('sha256').update(`${process.pid} ${process.machine.wall()} ${salt}`).digest();
  return Array.from(hash.subarray(0, LENGTH), byte => LETTERS.charAt(byte % LETTERS.length)).join('');
}
