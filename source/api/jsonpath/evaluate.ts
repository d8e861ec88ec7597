// Follows a JSONPath template through an object. A template gives one list of values for each of its parts; `range` repeats the
// parts up to its `end` for every value. A path that leads nowhere gives no values; an index outside of a list, or a
// comparison of unlike types, is an error.
import {isFields} from '../meta/fields.ts';
import {goValue} from '../meta/go-text.ts';
import type {ListNode, PathNode, Slice} from './nodes.ts';

/** The values of each part, or why they cannot be found. */
export type Found = {readonly results: readonly (readonly unknown[])[]} | {readonly error: string};

/** Finds what a template speaks of. With `strict` a field that is missing is an error. */
export function evaluate(root: ListNode, data: unknown, strict = false): Found {
  const walk = new Walk(strict);
  try {
    return {results: walk.run(root.nodes, data).results};
  } catch (problem) {
    if (problem instanceof PathError) return {error: problem.message};
    throw problem;
  }
}

/** Leaves the recursion of this file; never seen outside of it. */
class PathError extends Error {}

class Walk {
  readonly #strict: boolean;
  #depth = 0;
  #begins = false;
  #ends = false;

  constructor(strict: boolean) {
    this.#strict = strict;
  }

  /** Runs the parts in turn; `end` tells where an `end` stopped it. */
  run(nodes: readonly PathNode[], data: unknown): {results: unknown[][]; end: number | undefined} {
    const results: unknown[][] = [];
    for (let i = 0; i < nodes.length; i++) {
      const values = this.#walk([data], nodes[i] as PathNode);
      if (this.#ends) {
        this.#ends = false;
        return {results, end: i};
      }
      if (!this.#begins) {
        results.push(values);
        continue;
      }
      this.#begins = false;
      const end = this.#range(nodes.slice(i + 1), values, results);
      if (end !== undefined) i += end + 1;
    }
    return {results, end: undefined};
  }

  /** Runs the parts for each value. Without values they are still run once, to find the end. */
  #range(nodes: readonly PathNode[], values: readonly unknown[], results: unknown[][]): number | undefined {
    this.#depth++;
    let end: number | undefined;
    for (const value of values) {
      const round = this.run(nodes, value);
      results.push(...round.results);
      end = round.end;
    }
    if (values.length === 0) end = this.run(nodes, undefined).end;
    this.#depth--;
    return end;
  }

  #walk(input: readonly unknown[], node: PathNode): unknown[] {
    switch (node.type) {
      case 'list':
        return this.#list(input, node);
      case 'text':
        return [node.text];
      case 'value':
        return input.map(() => node.value);
      case 'field':
        return this.#field(input, node.name);
      case 'identifier':
        return this.#identifier(input, node.name);
      case 'slice':
        return sliceAll(input, node.slice);
      case 'filter':
        return input.flatMap(value => this.#filter(value, node));
      case 'wildcard':
        return input.flatMap(childrenOf);
      case 'recursive':
        return descend(input);
      default:
        return node.parts.flatMap(part => this.#walk(input, part));
    }
  }

  #list(input: readonly unknown[], list: ListNode): unknown[] {
    let values = [...input];
    for (const node of list.nodes) values = this.#walk(values, node);
    return values;
  }

  #field(input: readonly unknown[], name: string): unknown[] {
    const values: unknown[] = [];
    for (const value of input) {
      if (isFields(value) && Object.hasOwn(value, name)) values.push(value[name]);
    }
    if (values.length === 0 && this.#strict) throw new PathError(`${name} is not found`);
    return values;
  }

  #identifier(input: readonly unknown[], name: string): unknown[] {
    if (name === 'range') {
      this.#begins = true;
      return [...input];
    }
    if (name !== 'end') throw new PathError(`unrecognized identifier ${name}`);
    if (this.#depth === 0) throw new PathError('not in range, nothing to end');
    this.#ends = true;
    return [];
  }

  #filter(value: unknown, node: Extract<PathNode, {type: 'filter'}>): unknown[] {
    if (!Array.isArray(value)) throw new PathError(`${goValue(value)} is not array or slice and cannot be filtered`);
    return value.filter((part: unknown) => {
      const lefts = this.#walk([part], node.left);
      if (node.operator === 'exists') return lefts.length > 0;
      if (lefts.length === 0) return false;
      const rights = this.#walk([part], node.right);
      if (lefts.length > 1 || rights.length > 1) throw new PathError('can only compare one element at a time');
      return rights.length > 0 && compare(lefts[0], node.operator, rights[0]);
    });
  }
}

function compare(left: unknown, operator: string, right: unknown): boolean {
  if (operator === '==' || operator === '!=') {
    if (!isBasic(left) || !isBasic(right)) throw new PathError('invalid type for comparison');
    if (goType(left) !== goType(right)) throw new PathError('incompatible types for comparison');
    return (left === right) === (operator === '==');
  }
  if (!['<', '>', '<=', '>='].includes(operator)) throw new PathError(`unrecognized filter operator ${operator}`);
  if (!isBasic(left) || !isBasic(right) || typeof left === 'boolean') throw new PathError('invalid type for comparison');
  if (goType(left) !== goType(right)) throw new PathError('incompatible types for comparison');
  const order = left < right ? -1 : left > right ? 1 : 0;
  if (operator === '<') return order < 0;
  if (operator === '>') return order > 0;
  return operator === '<=' ? order <= 0 : order >= 0;
}

function isBasic(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function sliceAll(input: readonly unknown[], slice: Slice): unknown[] {
  const values: unknown[] = [];
  for (const value of input) {
    if (value === null || value === undefined) continue;
    if (!Array.isArray(value)) throw new PathError(`${goType(value)} is not array or slice`);
    const {from, to} = boundsOf(slice, value.length);
    if (from === to) return values;
    if (from >= value.length || from < 0) throw outside(from, value.length);
    if (to > value.length || to < 0) throw outside(to - 1, value.length);
    if (from > to) throw new PathError(`starting index ${from} is greater than ending index ${to}`);
    const {step = 1} = slice;
    if (step <= 0) throw new PathError('step must be > 0');
    for (let i = from; i < to; i += step) values.push(value[i]);
  }
  return values;
}

function boundsOf(slice: Slice, length: number): {from: number; to: number} {
  const from = slice.from ?? 0;
  const to = slice.to ?? length;
  return {from: from < 0 ? from + length : from, to: to < 0 || (to === 0 && slice.derived) ? to + length : to};
}

function outside(index: number, length: number): PathError {
  return new PathError(`array index out of bounds: index ${index}, length ${length}`);
}

function childrenOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return isFields(value)
    ? Object.keys(value)
        .sort()
        .map(key => value[key])
    : [];
}

/** The values that have children, and all below them. */
function descend(input: readonly unknown[]): unknown[] {
  const values: unknown[] = [];
  for (const value of input) {
    const children = childrenOf(value);
    if (children.length > 0) values.push(value, ...descend(children));
  }
  return values;
}

function goType(value: unknown): string {
  if (isFields(value)) return 'map[string]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
