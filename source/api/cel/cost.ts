// Estimates what an expression may cost at most, from the sizes that a schema allows. A rule that may cost too much is refused before
// anybody meets it. Costs follow the shape of cel-go's model: one for a name or a field, a tenth for a letter that is
// compared or copied, ten for a list that is made, and everything inside a macro as often as its range may be long.
import {fieldOf, itemsOf, type Structural, valuesOf} from '../custom/structural.ts';
import {fieldName} from './names.ts';
import type {Comprehension, Node} from './syntax.ts';

const UNKNOWN = 2 ** 64;
const REQUEST_BYTES = 3 * 1024 * 1024;
const LETTER = 0.1;
const PATTERN = 0.25;
const LIST = 10;
const MAP = 30;

/** The values that names stand for, as far as schemas describe them. */
export type Described = Readonly<Record<string, Structural | undefined>>;

/** The cost, at most; never more than a number that stands for any. */
export function estimateCost(node: Node, described: Described): number {
  return Math.min(UNKNOWN, new Estimate().cost(node, described));
}

/** How long a value may be: letters, items, fields. */
export function longest(schema: Structural | undefined): number {
  if (!schema) return UNKNOWN;
  switch (schema.type) {
    case 'string':
      return longestText(schema);
    case 'array':
      return schema.maxItems ?? Math.floor((REQUEST_BYTES - 2) / (smallest(itemsOf(schema)) + 1));
    case 'object': {
      const values = valuesOf(schema);
      if (!values) return Object.keys(schema.properties ?? {}).length;
      return schema.maxProperties ?? Math.floor((REQUEST_BYTES - 2) / (smallest(values === true ? undefined : values) + 6));
    }
    default:
      return schema['x-kubernetes-int-or-string'] || schema['x-kubernetes-preserve-unknown-fields'] ? REQUEST_BYTES - 2 : 1;
  }
}

const FORMATS: Readonly<Record<string, number>> = {duration: 32, date: 12, 'date-time': 22};
/** A letter may take four bytes. */
const BYTES_OF_LETTER = 4;

function longestText(schema: Structural): number {
  if (schema.enum) return Math.max(...schema.enum.map(each => (typeof each === 'string' ? each.length : 1)));
  const fixed = FORMATS[schema.format ?? ''];
  if (fixed !== undefined) return fixed;
  return schema.maxLength === undefined ? REQUEST_BYTES - 2 : schema.maxLength * (schema.format === 'byte' ? 1 : BYTES_OF_LETTER);
}

/** The fewest bytes that a value takes in a request. */
function smallest(schema: Structural | undefined): number {
  switch (schema?.type) {
    case 'string':
      return 2 + (schema.minLength ?? 0);
    case 'boolean':
      return 4;
    case 'object': {
      const needed = schema.required ?? [];
      return 2 + needed.reduce((sum, name) => sum + name.length + 4 + smallest(schema.properties?.[name]), 0);
    }
    case 'array':
      return 2;
    default:
      return schema?.type === undefined ? 2 : 1;
  }
}

type Call = Extract<Node, {type: 'call'}>;

class Estimate {
  cost(node: Node, described: Described): number {
    switch (node.type) {
      case 'constant':
        return 0;
      case 'name':
        return 1;
      case 'select':
      case 'has':
        return this.cost(node.of, described) + 1;
      case 'list':
        return LIST + node.items.reduce((sum, item) => sum + this.cost(item.value, described), 0);
      case 'map':
      case 'struct':
        return MAP + node.entries.reduce((sum, {key, value}) => sum + this.cost(key, described) + this.cost(value, described), 0);
      case 'bind':
        return this.cost(node.of, described) + this.cost(node.body, described) + 1;
      case 'comprehension':
        return this.#comprehension(node, described);
      case 'call':
        return this.#call(node, described);
    }
  }

  #comprehension(node: Comprehension, described: Described): number {
    const inside = {...described, ...this.#loop(node, described)};
    const round = this.cost(node.body, inside) + (node.condition ? this.cost(node.condition, inside) : 0) + 3;
    const makes = node.kind === 'map' || node.kind === 'filter' || node.kind.startsWith('transform') ? LIST : 0;
    return this.cost(node.range, described) + this.size(node.range, described) * (round + makes) + makes + 1;
  }

  #loop({names, range}: Comprehension, described: Described): Described {
    const schema = this.#schema(range, described);
    const [first = '', second] = names;
    const items = itemsOf(schema);
    const values = valuesOf(schema);
    const inner = items ?? (values === true ? undefined : values);
    if (second !== undefined) return {[first]: items ? {type: 'integer'} : {type: 'string'}, [second]: inner};
    return {[first]: items ?? {type: 'string'}};
  }

  #schema(node: Node, described: Described): Structural | undefined {
    if (node.type === 'name') return described[node.name];
    if (node.type === 'select') return fieldOf(this.#schema(node.of, described), fieldName(node.field));
    if (node.type === 'call' && (node.name === '_[_]' || node.name === '_[?_]')) {
      const of = this.#schema(node.args[0] as Node, described);
      const values = valuesOf(of);
      return itemsOf(of) ?? (values === true ? undefined : values);
    }
    if (node.type === 'comprehension' && node.kind === 'filter') return this.#schema(node.range, described);
    return node.type === 'call' && node.name === '_?_:_' ? this.#schema(node.args[1] as Node, described) : undefined;
  }

  /** How long the value of a node may be. */
  size(node: Node, described: Described): number {
    if (node.type === 'constant')
      return typeof node.value === 'string' || node.value instanceof Uint8Array ? node.value.length : 1;
    if (node.type === 'list') return node.items.length;
    if (node.type === 'map') return node.entries.length;
    if (node.type === 'comprehension') return BOOLEAN.has(node.kind) ? 1 : this.size(node.range, described);
    if (node.type === 'has') return 1;
    if (node.type === 'call') return this.#callSize(node, described);
    const schema = this.#schema(node, described);
    return schema ? longest(schema) : UNKNOWN;
  }

  #callSize(node: Call, described: Described): number {
    const {name, args, target} = node;
    const [first, second, third] = args;
    if (name === '_+_' && first && second) return this.size(first, described) + this.size(second, described);
    if (name === '_?_:_' && second && third) return Math.max(this.size(second, described), this.size(third, described));
    if (SAME_SIZE.has(name) && target) return this.size(target, described);
    if (name === 'string' && first && this.#schema(first, described)?.type === 'string') return this.size(first, described);
    if (SCALAR.has(name) || /^_[<>=!&|*/%-]/.test(name) || name === '!_' || name === '-_' || name === '@in') return 1;
    const schema = this.#schema(node, described);
    return schema ? longest(schema) : UNKNOWN;
  }

  #call(node: Call, described: Described): number {
    const {name, args, target} = node;
    const parts = [...(target ? [target] : []), ...args];
    const [first, second] = parts;
    const costs = parts.map(part => this.cost(part, described));
    if (name === '_?_:_') return (costs[0] ?? 0) + Math.max(costs[1] ?? 0, costs[2] ?? 0);
    const sum = costs.reduce((total, each) => total + each, 0);
    if (name === '_&&_' || name === '_||_') return sum;
    const sizes = [first, second].map(part => (part ? this.size(part, described) : 1));
    return sum + ownCost(name, sizes[0] ?? 1, sizes[1] ?? 1);
  }
}

const BOOLEAN = new Set(['all', 'exists', 'existsOne']);
const SAME_SIZE = new Set(['lowerAscii', 'upperAscii', 'trim', 'substring', 'charAt', 'reverse', 'split', 'findAll', 'find']);
const SCALAR = new Set([
  'size',
  'contains',
  'startsWith',
  'endsWith',
  'matches',
  'int',
  'uint',
  'double',
  'bool',
  'isURL',
  'isIP',
  'isCIDR',
  'isQuantity',
  'isSemver',
  'hasValue',
  'isSorted',
  'sum',
  'indexOf',
  'lastIndexOf',
]);

/** The cost of a function itself. */
function ownCost(name: string, first: number, second: number): number {
  switch (name) {
    case 'matches':
      return Math.ceil((first + 1) * LETTER) * Math.ceil(second * PATTERN);
    case 'contains':
      return Math.ceil(first * LETTER) * Math.max(1, Math.ceil(second * LETTER));
    case 'startsWith':
    case 'endsWith':
      return Math.ceil(second * LETTER);
    case '_==_':
    case '_!=_':
    case '_<_':
    case '_<=_':
    case '_>_':
    case '_>=_':
      return Math.max(1, Math.ceil(Math.min(first, second) * LETTER));
    case '_+_':
      return Math.max(1, first === 1 && second === 1 ? 1 : Math.ceil((first + second) * LETTER));
    case '@in':
      return second;
    default:
      return LINEAR.has(name) ? Math.max(1, Math.ceil(first * LETTER)) : 1;
  }
}

const LINEAR = new Set([
  'lowerAscii',
  'upperAscii',
  'replace',
  'split',
  'trim',
  'join',
  'string',
  'url',
  'isURL',
  'ip',
  'isIP',
  'cidr',
  'isCIDR',
  'quantity',
  'isQuantity',
  'isSorted',
  'sum',
  'min',
  'max',
  'indexOf',
  'lastIndexOf',
  'find',
  'findAll',
  'format',
  'validate',
  'bytes',
]);
