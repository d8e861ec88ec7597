// `test` and `[`: expressions of words. With up to four words their number decides how they are read, as POSIX has it.
import {evaluate} from '../expansion/arithmetic.ts';
import {cellsOf} from '../state/assign.ts';
import {placeOf} from '../state/variables.ts';
import {element} from '../state/assign.ts';
import type {Process} from '../../sim/process/process.ts';
import {compareNumbers} from '../expansion/integers.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';

const UNARY = 'abcdefghkprstuwxzGLNOSnovR';
const BINARY: ReadonlySet<string> = new Set([
  '=',
  '==',
  '!=',
  '<',
  '>',
  '-eq',
  '-ne',
  '-lt',
  '-le',
  '-gt',
  '-ge',
  '-nt',
  '-ot',
  '-ef',
]);

/** `[ expression ]` */
export function bracket(shell: Shell, args: readonly string[]): Steps<number> | number {
  if (args.at(-1) !== ']') return shell.complain("[: missing `]'", 2);
  return run(shell, '[', args.slice(0, -1));
}

/** `test expression` */
export function test(shell: Shell, args: readonly string[]): Steps<number> | number {
  return run(shell, 'test', args);
}

function run(shell: Shell, who: string, args: readonly string[]): Steps<number> | number {
  const result = new Expression(args, {
    unary: (operator, operand) => evaluateUnary(shell, operator, operand),
    compareFiles: (operator, pair) => compareFiles(shell, operator, pair),
  }).whole();
  if (typeof result === 'string') return shell.complain(`${who}: ${result}`, 2);
  return result ? 0 : 1;
}

/** What an expression asks of the machine. */
export interface Questions {
  unary(operator: string, operand: string): boolean;
  compareFiles(operator: string, pair: Pair): boolean;
}

interface Pair {
  readonly left: string;
  readonly right: string;
}

/** An expression of `test`: a truth, or words for what is wrong with it. */
export class Expression {
  readonly #args: readonly string[];
  readonly #questions: Questions;
  #at = 0;
  #problem: string | undefined;

  constructor(args: readonly string[], questions: Questions) {
    this.#args = args;
    this.#questions = questions;
  }

  whole(): boolean | string {
    const truth = this.#byCount(this.#args);
    return this.#problem ?? truth;
  }

  #fail(words: string): boolean {
    this.#problem ??= words;
    return false;
  }

  #byCount(args: readonly string[]): boolean {
    const [a = '', b = '', c = '', d = ''] = args;
    switch (args.length) {
      case 0:
        return false;
      case 1:
        return a !== '';
      case 2:
        if (a === '!') return b === '';
        return isUnary(a) ? this.#unary(a, b) : this.#fail(`${a}: unary operator expected`);
      case 3:
        if (BINARY.has(b)) return this.#binary(a, b, c);
        if (b === '-a') return a !== '' && c !== '';
        if (b === '-o') return a !== '' || c !== '';
        if (a === '!') return !this.#byCount([b, c]);
        return a === '(' && c === ')' ? b !== '' : this.#fail(`${b}: binary operator expected`);
      case 4:
        if (a === '!') return !this.#byCount([b, c, d]);
        if (a === '(' && d === ')') return this.#byCount([b, c]);
        return this.#parse();
      default:
        return this.#parse();
    }
  }

  #parse(): boolean {
    this.#at = 0;
    const truth = this.#or();
    if (this.#at < this.#args.length) return this.#fail('too many arguments');
    return truth;
  }

  #or(): boolean {
    let truth = this.#and();
    while (this.#args[this.#at] === '-o') {
      this.#at++;
      const right = this.#and();
      truth = truth || right;
    }
    return truth;
  }

  #and(): boolean {
    let truth = this.#term();
    while (this.#args[this.#at] === '-a') {
      this.#at++;
      const right = this.#term();
      truth = truth && right;
    }
    return truth;
  }

  #term(): boolean {
    const args = this.#args;
    const first = args[this.#at];
    if (first === undefined) return this.#fail('argument expected');
    if (first === '!') {
      this.#at++;
      return !this.#term();
    }
    const operator = args[this.#at + 1] ?? '';
    if (BINARY.has(operator) && this.#at + 2 < args.length) {
      this.#at += 3;
      return this.#binary(first, operator, args[this.#at - 1] ?? '');
    }
    if (first === '(') {
      this.#at++;
      const truth = this.#or();
      if (args[this.#at] !== ')') return this.#fail("`)' expected");
      this.#at++;
      return truth;
    }
    if (isUnary(first) && this.#at + 1 < args.length) {
      this.#at += 2;
      return this.#unary(first, operator);
    }
    this.#at++;
    return first !== '';
  }

  #unary(operator: string, operand: string): boolean {
    return this.#questions.unary(operator, operand);
  }

  #binary(left: string, operator: string, right: string): boolean {
    switch (operator) {
      case '=':
      case '==':
        return left === right;
      case '!=':
        return left !== right;
      case '<':
        return left < right;
      case '>':
        return left > right;
      case '-nt':
      case '-ot':
      case '-ef':
        return this.#questions.compareFiles(operator, {left, right});
      default:
        return this.#numbers(left, operator, right);
    }
  }

  #numbers(left: string, operator: string, right: string): boolean {
    const a = integerOf(left);
    const b = integerOf(right);
    if (a === undefined) return this.#fail(`${left}: integer expression expected`);
    if (b === undefined) return this.#fail(`${right}: integer expression expected`);
    return compareNumbers(a, operator, b);
  }
}

function isUnary(word: string): boolean {
  return word.length === 2 && word.startsWith('-') && UNARY.includes(word.slice(1));
}

function integerOf(text: string): number | bigint | undefined {
  if (text.length < 16 && /^-?\d+$/.test(text)) return Number(text);
  return /^\s*[-+]?\d+\s*$/.test(text) ? BigInt(text.trim().replace(/^\+/, '')) : undefined;
}

/** The operators with one operand that a shell answers: of its variables and options, of texts and of files. */
export function evaluateUnary(shell: Shell, operator: string, operand: string): boolean {
  switch (operator) {
    case '-v':
      return isSet(shell, operand);
    case '-R':
      return shell.variables.own(operand)?.reference === true;
    case '-o':
      return shell.options.has(operand);
    default:
      return askFile(shell.process, operator, operand);
  }
}

function isSet(shell: Shell, operand: string): boolean {
  const {name, subscript} = placeOf(operand);
  if (/^\d+$/.test(operand)) return Number(operand) <= shell.positional.length;
  if (subscript === undefined) return shell.variables.text(name) !== undefined;
  const variable = shell.variables.get(name);
  if (subscript === '@' || subscript === '*') return (variable?.list ?? variable?.table)?.size !== 0;
  if (variable?.table) return variable.table.has(subscript);
  const outcome = evaluate(subscript, cellsOf(shell));
  return outcome.ok && element(shell, name, String(outcome.value)) !== undefined;
}

/** The operators with one operand that anybody answers: of texts and of files. */
export function askFile(process: Process, operator: string, operand: string): boolean {
  if (operator === '-z') return operand === '';
  if (operator === '-n') return operand !== '';
  if (operator === '-t') return process.streams.get(Number(operand))?.isTerminal === true;
  if (operator === '-L' || operator === '-h') return process.machine.files.linkAt(process.linkPath(operand)) !== undefined;
  const path = process.path(operand);
  const info = operand === '' ? undefined : process.machine.files.info(path);
  const isDevice = /^\/dev\/(null|zero|full|random|urandom|tty|stdin|stdout|stderr)$/.test(path);
  switch (operator) {
    case '-e':
    case '-a':
      return info !== undefined || isDevice || /^\/dev\/fd\/\d+$/.test(path);
    case '-f':
      return info?.kind === 'file';
    case '-d':
      return info?.kind === 'folder';
    case '-s':
      return info !== undefined && info.size > 0;
    case '-c':
      return isDevice;
    case '-p':
      return /^\/dev\/fd\/\d+$/.test(path);
    case '-r':
      return isDevice || (info !== undefined && mayUse(process, info.mode, 0o444));
    case '-w':
      return isDevice || (info !== undefined && mayUse(process, info.mode, 0o222));
    case '-x':
      return info !== undefined && (info.mode & 0o111) !== 0;
    case '-O':
    case '-G':
      return info !== undefined;
    default:
      return false;
  }
}

function mayUse(process: Process, mode: number, bits: number): boolean {
  return (process.machine.identity?.uid ?? 0) === 0 || (mode & bits) !== 0;
}

/** `-nt`, `-ot`, `-ef` */
export function compareFiles(shell: {readonly process: Process}, operator: string, {left, right}: Pair): boolean {
  const {process} = shell;
  const a = process.machine.files.info(process.path(left));
  const b = process.machine.files.info(process.path(right));
  if (operator === '-ef') return (a !== undefined && a.path === b?.path) || ((a?.links ?? 1) > 1 && a?.node === b?.node);
  if (operator === '-nt') return a !== undefined && (b === undefined || a.modified > b.modified);
  return b !== undefined && (a === undefined || a.modified < b.modified);
}
