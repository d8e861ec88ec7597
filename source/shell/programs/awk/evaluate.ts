// The value of an expression of awk.
import {wait} from '../../state/steps.ts';
import type {Steps} from '../../state/steps.ts';
import {Cell} from './cells.ts';
import {regexOf} from './builtins.ts';
import type {Machine} from './machine.ts';
import {AwkProblem} from './tokens.ts';
import type {Expression, Target} from './tree.ts';
import {compared, fromOutside, isTrue, numberOf, textOf} from './values.ts';
import type {Value} from './values.ts';

type Of<T extends Expression['type']> = Extract<Expression, {type: T}>;

export function* evaluate(awk: Machine, expression: Expression): Steps<Value> {
  switch (expression.type) {
    case 'number':
    case 'string':
      return expression.value;
    case 'regex':
      return regexOf(expression.source).locate(awk.record.text, 0) ? 1 : 0;
    case 'group':
      return yield* evaluate(awk, expression.inner);
    case 'variable':
      return awk.variable(expression.name);
    case 'field':
      return awk.record.get(yield* fieldIndex(awk, expression.index));
    case 'element': {
      const key = yield* keyOf(awk, expression.keys);
      const cell = awk.cell(expression.name);
      if (!cell.array.has(key)) cell.put(key, undefined);
      return cell.array.get(key);
    }
    case 'assign':
      return yield* assign(awk, expression);
    case 'step': {
      const before = numberOf(yield* evaluate(awk, expression.target));
      yield* put(awk, expression.target, before + expression.by);
      return expression.isPrefix ? before + expression.by : before;
    }
    case 'unary': {
      const value = yield* evaluate(awk, expression.operand);
      if (expression.operator === '!') return isTrue(value) ? 0 : 1;
      return expression.operator === '-' ? -numberOf(value) : numberOf(value);
    }
    case 'binary':
      return yield* binary(awk, expression);
    case 'match': {
      const text = textOf(yield* evaluate(awk, expression.left), awk.numberFormat);
      const pattern = yield* patternOf(awk, expression.right);
      return (regexOf(pattern).locate(text, 0) !== undefined) !== expression.isNegated ? 1 : 0;
    }
    case 'in':
      return awk.cell(expression.array).array.has(yield* keyOf(awk, expression.keys)) ? 1 : 0;
    case 'choice':
      return yield* evaluate(awk, isTrue(yield* evaluate(awk, expression.test)) ? expression.yes : expression.no);
    case 'call':
      return expression.isOwn ? yield* callFunction(awk, expression) : yield* awk.interpreter.call(awk, expression);
    default:
      return yield* getline(awk, expression);
  }
}

/** The expression that a value stands for; of `/…/` its own text. */
export function* patternOf(awk: Machine, expression: Expression): Steps<string> {
  if (expression.type === 'regex') return expression.source;
  return textOf(yield* evaluate(awk, expression), awk.numberFormat);
}

function* fieldIndex(awk: Machine, expression: Expression): Steps<number> {
  const index = Math.trunc(numberOf(yield* evaluate(awk, expression)));
  if (index < 0) throw new AwkProblem(`attempt to access field ${index}`);
  return index;
}

/** The key of an element: several are joined by SUBSEP. */
export function* keyOf(awk: Machine, keys: readonly Expression[]): Steps<string> {
  const texts: string[] = [];
  for (const key of keys) texts.push(textOf(yield* evaluate(awk, key), awk.numberFormat));
  return texts.length === 1 ? (texts[0] ?? '') : texts.join(awk.text('SUBSEP'));
}

/** Gives a target a value. */
export function* put(awk: Machine, target: Target, value: Value): Steps {
  if (target.type === 'variable') awk.setVariable(target.name, value);
  else if (target.type === 'field') awk.record.put(yield* fieldIndex(awk, target.index), value);
  else {
    const key = yield* keyOf(awk, target.keys);
    awk.cell(target.name).put(key, value);
  }
}

function* assign(awk: Machine, {operator, target, value: source}: Of<'assign'>): Steps<Value> {
  if (operator === '=') {
    const value = yield* evaluate(awk, source);
    awk.allocate(value);
    yield* put(awk, target, value);
    return value;
  }
  const left = numberOf(yield* evaluate(awk, target));
  const value = computed(operator.slice(0, -1), left, numberOf(yield* evaluate(awk, source)));
  yield* put(awk, target, value);
  return value;
}

function computed(operator: string, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '%':
      return left % right;
    default:
      return left ** right;
  }
}

function* binary(awk: Machine, {operator, left, right}: Of<'binary'>): Steps<Value> {
  const first = yield* evaluate(awk, left);
  if (operator === '&&') return isTrue(first) && isTrue(yield* evaluate(awk, right)) ? 1 : 0;
  if (operator === '||') return isTrue(first) || isTrue(yield* evaluate(awk, right)) ? 1 : 0;
  const second = yield* evaluate(awk, right);
  if (operator === ' ') return textOf(first, awk.numberFormat) + textOf(second, awk.numberFormat);
  if (!/[<>=!]/.test(operator)) return computed(operator, numberOf(first), numberOf(second));
  const order = compared(first, second, awk.numberFormat);
  const isSo = {'<': order < 0, '<=': order <= 0, '==': order === 0, '!=': order !== 0, '>': order > 0, '>=': order >= 0}[
    operator
  ];
  return isSo ? 1 : 0;
}

function* callFunction(awk: Machine, {name, args}: Of<'call'>): Steps<Value> {
  const called = awk.program.functions.get(name);
  if (!called) throw new AwkProblem(`function ${name} never defined`);
  if (args.length > called.parameters.length) throw new AwkProblem(`function ${name} called with too many arguments`);
  const frame = new Map<string, Cell>();
  for (const [index, parameter] of called.parameters.entries()) {
    const arg = args[index];
    if (!arg) frame.set(parameter, new Cell());
    else if (arg.type === 'variable' && !awk.isSpecial(arg.name)) {
      const cell = awk.cell(arg.name);
      frame.set(parameter, new Cell(cell.value, cell));
    } else frame.set(parameter, new Cell(yield* evaluate(awk, arg)));
  }
  return yield* awk.inFrame(frame, called.body);
}

function* getline(awk: Machine, {from, source, target}: Of<'getline'>): Steps<Value> {
  let record: string | undefined | false;
  if (from === 'input') record = yield* wait(awk.nextRecord());
  else {
    const name = textOf(source && (yield* evaluate(awk, source)), awk.numberFormat);
    record = yield* wait(awk.channels.read(from, name, awk.text('RS')));
    if (typeof record === 'string' && from === 'command') awk.countRecord();
  }
  if (record === false) return -1;
  if (record === undefined) return 0;
  if (target) yield* put(awk, target, fromOutside(record));
  else awk.record.set(record);
  return 1;
}
