// Statements of awk.
import {wait} from '../../state/steps.ts';
import type {Steps} from '../../state/steps.ts';
import {evaluate, keyOf} from './evaluate.ts';
import type {Leave, Machine} from './machine.ts';
import {AwkProblem} from './tokens.ts';
import type {Statement} from './tree.ts';
import {formatted, isTrue, numberOf, textOf} from './values.ts';

type Of<T extends Statement['type']> = Extract<Statement, {type: T}>;

const STATEMENT_COST_MS = 0.001;

/** Runs one; why what stands around it is left. */
export function* execute(awk: Machine, statement: Statement): Steps<Leave> {
  const due = awk.process.cpu(STATEMENT_COST_MS);
  if (due) yield due;
  switch (statement.type) {
    case 'expression':
      yield* evaluate(awk, statement.expression);
      return undefined;
    case 'print':
      return yield* print(awk, statement);
    case 'block':
      for (const each of statement.body) {
        const leave = yield* execute(awk, each);
        if (leave) return leave;
      }
      return undefined;
    case 'if': {
      const branch = isTrue(yield* evaluate(awk, statement.test)) ? statement.yes : statement.no;
      return branch && (yield* execute(awk, branch));
    }
    case 'while':
      return yield* loop(awk, statement);
    case 'for':
      return yield* count(awk, statement);
    case 'forIn':
      return yield* forIn(awk, statement);
    case 'leave':
      return statement.kind;
    case 'delete': {
      const {array} = awk.cell(statement.name);
      if (statement.keys) array.delete(yield* keyOf(awk, statement.keys));
      else array.clear();
      return undefined;
    }
    case 'exit':
      if (statement.value) awk.status = Math.trunc(numberOf(yield* evaluate(awk, statement.value))) & 255;
      return 'exit';
    default:
      awk.returned = statement.value && (yield* evaluate(awk, statement.value));
      return 'return';
  }
}

function* loop(awk: Machine, {test, body, isFirst}: Of<'while'>): Steps<Leave> {
  for (let turn = 0; ; turn++) {
    if (!(isFirst && turn === 0) && !isTrue(yield* evaluate(awk, test))) return undefined;
    const leave = yield* execute(awk, body);
    if (leave === 'break') return undefined;
    if (leave && leave !== 'continue') return leave;
  }
}

function* count(awk: Machine, {start, test, step, body}: Of<'for'>): Steps<Leave> {
  if (start) yield* execute(awk, start);
  for (;;) {
    if (test && !isTrue(yield* evaluate(awk, test))) return undefined;
    const leave = yield* execute(awk, body);
    if (leave === 'break') return undefined;
    if (leave && leave !== 'continue') return leave;
    if (step) yield* execute(awk, step);
  }
}

function* forIn(awk: Machine, {variable, array: name, body}: Of<'forIn'>): Steps<Leave> {
  const {array} = awk.cell(name);
  const keys = [...array.keys()];
  for (const key of keys) {
    if (!array.has(key)) continue;
    awk.setVariable(variable, key);
    const leave = yield* execute(awk, body);
    if (leave === 'break') return undefined;
    if (leave && leave !== 'continue') return leave;
  }
  return undefined;
}

function* print(awk: Machine, {args, isFormatted, redirect}: Of<'print'>): Steps<Leave> {
  const values = [];
  for (const arg of args) values.push(yield* evaluate(awk, arg));
  let text: string;
  if (isFormatted) text = formatted(textOf(values[0], awk.numberFormat), values.slice(1), awk.numberFormat);
  else {
    const how = awk.text('OFMT');
    const shown = args.length === 0 ? [awk.record.text] : values.map(value => textOf(value, how));
    text = shown.join(awk.text('OFS')) + awk.text('ORS');
  }
  if (!redirect) {
    const held = awk.channels.print(text);
    if (held) yield held;
    return undefined;
  }
  const name = textOf(yield* evaluate(awk, redirect.to), awk.numberFormat);
  const problem = yield* wait(awk.channels.printTo(redirect.operator, name, text));
  if (problem !== undefined) throw new AwkProblem(`cannot open "${name}" for output (${problem})`);
  return undefined;
}
