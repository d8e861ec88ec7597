// Calls of awk's own functions.
import {strftime} from '../../text/dates.ts';
import {wait} from '../../state/steps.ts';
import type {Steps} from '../../state/steps.ts';
import {piece, regexOf, replaced} from './builtins.ts';
import {evaluate, patternOf, put} from './evaluate.ts';
import type {Machine} from './machine.ts';
import {cosine, exponential, logarithm, sine} from './numbers.ts';
import {splitText} from './record.ts';
import {AwkProblem} from './tokens.ts';
import type {Expression, Target} from './tree.ts';
import {formatted, fromOutside, isTrue, numberOf, textOf} from './values.ts';
import type {Value} from './values.ts';

type Call = Extract<Expression, {type: 'call'}>;

/** Calls one. */
export function* callBuiltin(awk: Machine, call: Call): Steps<Value> {
  const {name, args} = call;
  if (name === 'sub' || name === 'gsub' || name === 'gensub') return yield* substitute(awk, call);
  if (name === 'split') return yield* split(awk, args);
  if (name === 'match') return yield* match(awk, args);
  const [first] = args;
  if (name === 'length' && first?.type === 'variable' && awk.cell(first.name).isArray) return awk.cell(first.name).array.size;
  const values: Value[] = [];
  for (const arg of args) values.push(yield* evaluate(awk, arg));
  return yield* plain(awk, name, values);
}

function* plain(awk: Machine, name: string, values: readonly Value[]): Steps<Value> {
  const text = (index: number): string => textOf(values[index], awk.numberFormat);
  const number = (index: number): number => numberOf(values[index]);
  switch (name) {
    case 'length':
      return [...(values.length === 0 ? awk.record.text : text(0))].length;
    case 'substr':
      return piece(text(0), number(1), values.length > 2 ? number(2) : undefined);
    case 'index':
      return text(0).indexOf(text(1)) + 1;
    case 'sprintf':
      return formatted(text(0), values.slice(1), awk.numberFormat);
    case 'tolower':
      return text(0).toLowerCase();
    case 'toupper':
      return text(0).toUpperCase();
    case 'rand':
      return awk.chance.next();
    case 'srand':
      return awk.chance.start(values.length > 0 ? number(0) : Math.floor(awk.wall() / 1000));
    case 'systime':
      return Math.floor(awk.wall() / 1000);
    case 'strftime':
      return strftime(values.length > 0 ? text(0) : '%a %b %e %H:%M:%S %Z %Y', values.length > 1 ? number(1) * 1000 : awk.wall());
    case 'system':
      return yield* wait(awk.channels.run(text(0)));
    case 'close':
      return yield* wait(awk.channels.close(text(0)));
    case 'fflush':
      yield* wait(awk.channels.flush());
      return 0;
    default:
      return numeric(name, number(0), number(1));
  }
}

function numeric(name: string, x: number, y: number): number {
  switch (name) {
    case 'int':
      return Math.trunc(x);
    case 'sqrt':
      return Math.sqrt(x);
    case 'exp':
      return exponential(x);
    case 'log':
      return logarithm(x);
    case 'sin':
      return sine(x);
    case 'cos':
      return cosine(x);
    default:
      return Math.atan2(x, y);
  }
}

function* substitute(awk: Machine, {name, args}: Call): Steps<Value> {
  const [patternArg, replacementArg, third, fourth] = args;
  if (!patternArg || !replacementArg) throw new AwkProblem(`not enough arguments to ${name}`);
  const pattern = yield* patternOf(awk, patternArg);
  const replacement = textOf(yield* evaluate(awk, replacementArg), awk.numberFormat);
  const record: Target = {type: 'field', index: {type: 'number', value: 0}};
  const target = (name === 'gensub' ? fourth : third) ?? record;
  const text = textOf(yield* evaluate(awk, target), awk.numberFormat);
  if (name === 'gensub') {
    const how = third ? textOf(yield* evaluate(awk, third), awk.numberFormat) : '1';
    const nth = /^[gG]/.test(how) ? 0 : Math.max(1, Math.trunc(numberOf(how)));
    return replaced(text, pattern, {replacement, nth, hasGroups: true}).text;
  }
  const result = replaced(text, pattern, {replacement, nth: name === 'gsub' ? 0 : 1, hasGroups: false});
  awk.allocate(result.text);
  const isTarget = target.type === 'variable' || target.type === 'element' || target.type === 'field';
  if (result.count > 0 && isTarget) yield* put(awk, target, result.text);
  return result.count;
}

function* split(awk: Machine, args: readonly Expression[]): Steps<Value> {
  const [textArg, arrayArg, separatorArg] = args;
  if (!textArg || arrayArg?.type !== 'variable') throw new AwkProblem('split needs an array');
  const text = textOf(yield* evaluate(awk, textArg), awk.numberFormat);
  const separator = separatorArg ? yield* patternOf(awk, separatorArg) : awk.text('FS');
  const {array} = awk.cell(arrayArg.name);
  array.clear();
  const parts = splitText(text, separator);
  for (const [index, part] of parts.entries()) array.set(String(index + 1), fromOutside(part));
  return parts.length;
}

/** `match(text, expression [, array])`: sets RSTART and RLENGTH, and gawk's array the groups. */
function* match(awk: Machine, [textArg, patternArg, arrayArg]: readonly Expression[]): Steps<Value> {
  if (!textArg || !patternArg) throw new AwkProblem('not enough arguments to match');
  const text = textOf(yield* evaluate(awk, textArg), awk.numberFormat);
  const found = regexOf(yield* patternOf(awk, patternArg)).find(text, 0);
  awk.setVariable('RSTART', found ? found.start + 1 : 0);
  awk.setVariable('RLENGTH', found ? found.end - found.start : -1);
  if (arrayArg?.type === 'variable') {
    const {array} = awk.cell(arrayArg.name);
    array.clear();
    for (const [index, group] of (found?.groups ?? []).entries())
      if (group !== undefined) array.set(String(index), fromOutside(group));
  }
  return found ? found.start + 1 : 0;
}

/** Is a rule's expression true for the record? */
export function* holds(awk: Machine, expression: Expression): Steps<boolean> {
  return isTrue(yield* evaluate(awk, expression));
}
