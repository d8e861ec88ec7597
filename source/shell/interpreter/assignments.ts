// `name=value`, `name[key]=value`, `name+=value` and `name=(…)`.
import {arithmetic, expandKey} from '../expansion/parameters.ts';
import {expandText, expandWords} from '../expansion/words.ts';
import {assign, asList, lengthOf} from '../state/assign.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import {isName, placeOf} from '../state/variables.ts';
import type {Variable} from '../state/variables.ts';
import type {Assignment, WordNode, WordPart} from '../syntax/tree.ts';

/** An element of `(…)`: with a key where one was written. */
export interface Element {
  readonly key: string | undefined;
  readonly append: boolean;
  readonly text: string;
}

/** Carries out one assignment; words when that cannot be. */
export function* runAssignment(shell: Shell, node: Assignment): Steps<string | undefined> {
  const {name, subscript} = placeOf(node.name);
  if (node.array) {
    const elements = yield* expandElements(shell, node.array);
    if (shell.unwind) return undefined;
    return yield* assignElements(shell, {name, elements, append: node.append});
  }
  const key = subscript === undefined ? undefined : yield* expandKey(shell, name, subscript);
  if (shell.unwind) return undefined;
  const text = node.value ? yield* expandText(shell, node.value) : '';
  if (shell.unwind) return undefined;
  return assign(shell, {name, key, append: node.append}, text);
}

/** The elements that the words between parentheses become. */
export function* expandElements(shell: Shell, words: readonly WordNode[]): Steps<Element[]> {
  const elements: Element[] = [];
  for (const word of words) {
    const keyed = keyedOf(word);
    if (keyed) {
      const key = yield* expandText(shell, {type: 'Word', parts: keyed.key});
      const text = yield* expandText(shell, {type: 'Word', parts: keyed.value});
      elements.push({key, append: keyed.append, text});
    } else {
      for (const text of yield* expandWords(shell, [word])) elements.push({key: undefined, append: false, text});
    }
    if (shell.unwind) return elements;
  }
  return elements;
}

interface Keyed {
  readonly key: WordPart[];
  readonly append: boolean;
  readonly value: WordPart[];
}

/** Reads `[key]=value`. The parser sees a bracket pattern or its pieces at the start of the word. */
function keyedOf(word: WordNode): Keyed | undefined {
  const [first, ...rest] = word.parts;
  if (first?.type !== 'Glob' || !first.pattern.startsWith('[')) return undefined;
  const [second] = rest;
  if (first.pattern.endsWith(']') && first.pattern.length > 2) {
    const sign = second?.type === 'Literal' ? /^\+?=/.exec(second.value)?.[0] : undefined;
    if (!sign || second?.type !== 'Literal') return undefined;
    const key: WordPart = {type: 'Literal', value: first.pattern.slice(1, -1)};
    return {key: [key], append: sign === '+=', value: [literal(second.value.slice(sign.length)), ...rest.slice(1)]};
  }
  for (const [index, part] of rest.entries()) {
    const match = part.type === 'Literal' ? /^(.*?)\](\+?=)(.*)$/s.exec(part.value) : null;
    if (!match) continue;
    const key = [literal(first.pattern.slice(1)), ...rest.slice(0, index), literal(match[1] ?? '')];
    return {key, append: match[2] === '+=', value: [literal(match[3] ?? ''), ...rest.slice(index + 1)]};
  }
  return undefined;
}

function literal(value: string): WordPart {
  return {type: 'Literal', value};
}

/** A whole list or table for a variable. */
export interface ElementsTask {
  readonly name: string;
  readonly elements: readonly Element[];
  readonly append: boolean;
}

/** Gives a variable all elements, or adds them; words when that cannot be. */
export function* assignElements(shell: Shell, task: ElementsTask): Steps<string | undefined> {
  const {name, elements, append} = task;
  if (!isName(name)) return `\`${name}': not a valid identifier`;
  const variable = shell.variables.obtain(name);
  if (variable.readonly) return `${name}: readonly variable`;
  if (variable.table) return assignTable(shell, variable, task);
  if (!append) {
    variable.text = undefined;
    variable.list = new Map();
  }
  const list = asList(variable);
  let next = lengthOf(list);
  for (const element of elements) {
    let index: number = next;
    if (element.key !== undefined) {
      const value = yield* arithmetic(shell, element.key);
      if (value === undefined) return undefined;
      index = Number(value) < 0 ? lengthOf(list) + Number(value) : Number(value);
      if (index < 0) return `${name}: [${element.key}]=${element.text}: bad array subscript`;
    }
    const words = assign(shell, {name, key: String(index), append: element.append}, element.text);
    if (words !== undefined) return words;
    next = index + 1;
  }
  return undefined;
}

/** Into a table go pairs: written as `[key]=value`, or one after the other. */
function assignTable(shell: Shell, variable: Variable, {name, elements, append}: ElementsTask): string | undefined {
  if (!append) variable.table = new Map();
  for (let at = 0; at < elements.length; at++) {
    const element = elements[at];
    if (!element) break;
    const key = element.key ?? element.text;
    const text = element.key === undefined ? (elements[++at]?.text ?? '') : element.text;
    const words = assign(shell, {name, key, append: element.append}, text);
    if (words !== undefined) return words;
  }
  return undefined;
}
