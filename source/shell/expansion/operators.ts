// The operators of arithmetic.
import {add, bitAnd, bitOr, bitXor, multiply, shiftLeft, shiftRight, subtract} from './integers.ts';
import type {Integer} from './integers.ts';

/** Operators of more than one character, longest first. */
export const OPERATORS = [
  '<<=',
  '>>=',
  '**',
  '++',
  '--',
  '<<',
  '>>',
  '<=',
  '>=',
  '==',
  '!=',
  '&&',
  '||',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '&=',
  '|=',
  '^=',
];

/** How tightly operators with two sides bind. */
export const LEVELS: ReadonlyMap<string, number> = new Map([
  ['||', 1],
  ['&&', 2],
  ['|', 3],
  ['^', 4],
  ['&', 5],
  ['==', 6],
  ['!=', 6],
  ['<', 7],
  ['>', 7],
  ['<=', 7],
  ['>=', 7],
  ['<<', 8],
  ['>>', 8],
  ['+', 9],
  ['-', 9],
  ['*', 10],
  ['/', 10],
  ['%', 10],
  ['**', 11],
]);

/** Operators that need no more than their two values. */
export const SIMPLE: ReadonlyMap<string, (a: Integer, b: Integer) => Integer> = new Map<
  string,
  (a: Integer, b: Integer) => Integer
>([
  ['+', add],
  ['-', subtract],
  ['*', multiply],
  ['|', bitOr],
  ['^', bitXor],
  ['&', bitAnd],
  ['<<', shiftLeft],
  ['>>', shiftRight],
  ['==', (a, b) => (a === b ? 1 : 0)],
  ['!=', (a, b) => (a === b ? 0 : 1)],
  ['<', (a, b) => (a < b ? 1 : 0)],
  ['>', (a, b) => (a > b ? 1 : 0)],
  ['<=', (a, b) => (a <= b ? 1 : 0)],
  ['>=', (a, b) => (a >= b ? 1 : 0)],
]);
