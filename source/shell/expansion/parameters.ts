// What a parameter holds: variables, elements of lists and tables, `$1`, `$@`, `$?` and the others.
import {cellsOf, dynamicList, dynamicText, element} from '../state/assign.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import {placeOf, sortedItems} from '../state/variables.ts';
import type {Place, Variable} from '../state/variables.ts';
import {isPlain, quotedWord} from '../syntax/quoted.ts';
import {evaluate} from './arithmetic.ts';

/** A text (undefined when unset), or all elements of a list; `star` tells `*` from `@`. */
export type Value =
  | {readonly kind: 'text'; readonly text: string | undefined}
  | {readonly kind: 'list'; readonly values: readonly string[]; readonly star: boolean};

const places = new Map<string, Place>();

/** Splits a parameter as the parser gives it: `x`, `x[1]`, `x[@]`. */
export function parameterPlace(parameter: string): Place {
  let place = places.get(parameter);
  if (!place) {
    place = placeOf(parameter);
    if (places.size > 1000) places.clear();
    places.set(parameter, place);
  }
  return place;
}

/** Reads a parameter. */
export function* readParameter(shell: Shell, parameter: string): Steps<Value> {
  if (parameter === '@' || parameter === '*') return {kind: 'list', values: shell.positional, star: parameter === '*'};
  const {name, subscript} = parameterPlace(parameter);
  if (subscript === undefined) return plainValue(shell, name);
  if (subscript === '@' || subscript === '*') {
    return {kind: 'list', values: elementsOf(shell, name), star: subscript === '*'};
  }
  const key = yield* expandKey(shell, name, subscript);
  if (key === undefined) return {kind: 'text', text: undefined};
  const list = shell.variables.get(name) ? undefined : dynamicList(shell, name);
  return {kind: 'text', text: list ? list[Number(key)] : element(shell, name, key)};
}

function plainValue(shell: Shell, name: string): Value {
  const variable = shell.variables.own(name);
  if (variable?.reference && variable.text?.endsWith('[@]')) {
    return {kind: 'list', values: elementsOf(shell, placeOf(variable.text).name), star: false};
  }
  return {kind: 'text', text: plainText(shell, name)};
}

/** The text of a parameter without a subscript. */
export function plainText(shell: Shell, name: string): string | undefined {
  const text = shell.variables.text(name);
  if (text !== undefined) return text;
  const first = name.charCodeAt(0);
  if ((first >= 65 && first <= 90) || (first >= 97 && first <= 122) || name.length > 1) {
    const own = shell.variables.own(name);
    if (own?.reference && own.text) {
      const place = placeOf(shell.variables.nameOf(own.text));
      return place.subscript === undefined ? undefined : element(shell, place.name, place.subscript);
    }
    if (first >= 48 && first <= 57) return positional(shell, Number(name));
    return own ? undefined : dynamicText(shell, name);
  }
  if (first >= 48 && first <= 57) return positional(shell, Number(name));
  return special(shell, name);
}

function positional(shell: Shell, index: number): string | undefined {
  return index === 0 ? shell.name : shell.positional[index - 1];
}

function special(shell: Shell, name: string): string | undefined {
  switch (name) {
    case '?':
      return String(shell.status);
    case '#':
      return String(shell.positional.length);
    case '$':
      return String(shell.mainPid);
    case '!':
      return shell.lastBackground === undefined ? undefined : String(shell.lastBackground);
    case '-':
      return shell.options.letters + (shell.isInteractive ? 'i' : '');
    case '_':
      return shell.lastArgument;
    default:
      return undefined;
  }
}

/** All elements of a list or table; of a text itself. */
export function elementsOf(shell: Shell, name: string): readonly string[] {
  const variable = shell.variables.get(name);
  if (!variable) return dynamicList(shell, name) ?? [];
  if (variable.list) return sortedItems(variable.list).map(([, text]) => text);
  if (variable.table) return [...variable.table.values()];
  return variable.text === undefined ? [] : [variable.text];
}

/** All keys of a list or table. */
export function keysOf(variable: Variable | undefined): readonly string[] {
  if (variable?.list) return sortedItems(variable.list).map(([index]) => String(index));
  if (variable?.table) return [...variable.table.keys()];
  return variable?.text === undefined ? [] : ['0'];
}

/** Expands a subscript to a key: the text itself for a table, the value of the arithmetic for a list; undefined after an error. */
export function* expandKey(shell: Shell, name: string, raw: string): Steps<string | undefined> {
  const text = yield* expandRaw(shell, raw);
  if (shell.variables.get(name)?.table) return text;
  const value = yield* arithmetic(shell, text);
  return value === undefined ? undefined : String(value);
}

/** Expands the `$` of a raw text and takes its quotes away. */
export function* expandRaw(shell: Shell, raw: string): Steps<string> {
  if (isPlain(raw)) return raw;
  const word = quotedWord(raw);
  return word ? yield* shell.interpreter.expandText(shell, word) : raw;
}

/** The value of an arithmetic text that is expanded already; undefined after an error, which is told. `who` stands before it. */
export function* arithmetic(shell: Shell, text: string, who = ''): Steps<number | bigint | undefined> {
  const outcome = evaluate(text, cellsOf(shell));
  if (outcome.ok) return outcome.value;
  if (outcome.unbound) yield* shell.fail(outcome.words, 127, 'exit');
  else yield* shell.fail(who + outcome.words);
  return undefined;
}
