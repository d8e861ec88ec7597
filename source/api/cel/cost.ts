// Estimates what an expression may cost at most, from the sizes that a schema allows. A rule that may cost too much is refused before
// anybody meets it. Costs follow cel-go's model, with the functions that Kubernetes adds: one for a name, a field or a call, a tenth for
// a letter that is compared or copied, ten for a list that is made, nothing for `has`, and everything inside a macro as often as its
// range may be long. What has no size that one knows beforehand (the text of a number) counts as longer than anything.
//
//     self.matches('^a+$')      a text of 10 letters at most: 1 + ⌈(40 + 1) / 10⌉ · ⌈4 / 4⌉ = 6
import {fieldOf, itemsOf, type Structural, valuesOf} from '../custom/structural.ts';
import {fieldName} from './names.ts';
import type {Comprehension, Node} from './syntax.ts';
import type {CelType} from './types.ts';

const UNKNOWN = 2 ** 64;
const REQUEST_BYTES = 3 * 1024 * 1024;
const LETTER = 0.1;
const PATTERN = 0.25;
const LIST = 10;
const MAP = 30;
/** The longest pattern of the formats that have a name. */
const FORMAT_PATTERN = 128;

/** The values that names stand for, as far as schemas describe them. */
export type Described = Readonly<Record<string, Structural | undefined>>;

/** An expression with what the checker found. */
export interface Priced {
  readonly node: Node;
  readonly types: ReadonlyMap<Node, CelType>;
}

/** The cost, at most; never more than a number that stands for any. */
export function estimateCost({node, types}: Priced, described: Described): number {
  return Math.min(UNKNOWN, new Estimate(types).cost(node, described));
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
      if (!values) return 0;
      return schema.maxProperties ?? Math.floor((REQUEST_BYTES - 2) / (smallest(values === true ? undefined : values) + 6));
    }
    default:
      return schema['x-kubernetes-int-or-string'] || schema['x-kubernetes-preserve-unknown-fields'] ? REQUEST_BYTES - 2 : 0;
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
  readonly #types: ReadonlyMap<Node, CelType>;

  constructor(types: ReadonlyMap<Node, CelType>) {
    this.#types = types;
  }

  cost(node: Node, described: Described): number {
    switch (node.type) {
      case 'constant':
        return 0;
      case 'name':
        return 1;
      case 'select':
        return this.cost(node.of, described) + 1;
      case 'has':
        return this.cost(node.of, described);
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
    const own = ROUND[node.kind];
    const round = this.cost(node.body, inside) + (node.condition ? this.cost(node.condition, inside) : 0) + own.round;
    return this.cost(node.range, described) + this.size(node.range, described) * round + own.around;
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
    const made = node.type === 'call' ? this.#madeSize(node, described) : undefined;
    if (made !== undefined) return made;
    const schema = this.#schema(node, described);
    if (schema) return longest(schema);
    return isScalar(this.#types.get(node)) ? 1 : UNKNOWN;
  }

  /** The size of what a call makes, for those that tell it. */
  #madeSize({name, args, target}: Call, described: Described): number | undefined {
    const [first, second, third] = args;
    const size = (node: Node | undefined) => (node ? this.size(node, described) : 0);
    if (name === '_+_' && !isScalar(this.#types.get(first as Node))) return size(first) + size(second);
    if (name === '_?_:_') return Math.max(size(second), size(third));
    if (SAME_SIZE.has(name) && target) return size(target);
    if (name === 'join' && target) return this.#joined(target, first, described);
    if (name === 'replace' && target) return size(target) * Math.max(1, size(second));
    if (name === 'bytes' && first) return size(first) * BYTES_OF_LETTER;
    return name === 'string' && first && this.#types.get(first)?.kind === 'bytes' ? size(first) : undefined;
  }

  #joined(list: Node, separator: Node | undefined, described: Described): number {
    const count = this.size(list, described);
    const items = itemsOf(this.#schema(list, described));
    return (
      count * (items ? longest(items) : UNKNOWN) + Math.max(0, count - 1) * (separator ? this.size(separator, described) : 0)
    );
  }

  #call(node: Call, described: Described): number {
    const {name, args, target} = node;
    // What stands before the dot of `format.dns1123Label()` is no value.
    const parts = [...(target && this.#types.has(target) ? [target] : []), ...args];
    const costs = parts.map(part => this.cost(part, described));
    if (name === '_?_:_') return (costs[0] ?? 0) + Math.max(costs[1] ?? 0, costs[2] ?? 0);
    const sum = costs.reduce((total, each) => total + each, 0);
    if (name === '_&&_' || name === '_||_') return sum;
    const [first, second] = parts;
    const size = (part: Node | undefined) => (part ? this.size(part, described) : 1);
    return sum + this.#ownCost(node, {first, second, size, described});
  }

  /** The cost of a function itself. */
  #ownCost(
    node: Call,
    {
      first,
      second,
      size,
      described,
    }: {first: Node | undefined; second: Node | undefined; size: (part: Node | undefined) => number; described: Described},
  ): number {
    const {name, target} = node;
    const kind = first && this.#types.get(first)?.kind;
    switch (name) {
      case 'matches':
      case 'find':
      case 'findAll':
        return Math.ceil((size(first) + 1) * LETTER) * Math.ceil(size(second) * PATTERN);
      case 'validate':
        return Math.ceil(Math.ceil(size(second) * LETTER) * FORMAT_PATTERN * PATTERN);
      case 'contains':
        return Math.ceil(size(first) * LETTER) * Math.ceil(size(second) * LETTER);
      case 'startsWith':
      case 'endsWith':
        return Math.ceil(size(second) * LETTER);
      case '_==_':
      case '_!=_':
        return Math.ceil(Math.min(size(first), size(second)) * LETTER);
      case '_<_':
      case '_<=_':
      case '_>_':
      case '_>=_':
        return kind === 'string' || kind === 'bytes' ? Math.ceil(Math.min(size(first), size(second)) * LETTER) : 1;
      case '_+_':
        return kind === 'string' || kind === 'bytes' ? Math.ceil((size(first) + size(second)) * LETTER) : 1;
      case '@in':
        return second && this.#types.get(second)?.kind === 'map' ? 1 : size(second);
      case 'url':
        return Math.ceil(size(first) * LETTER);
      case 'bytes':
        return kind === 'string' ? Math.ceil(size(first) * LETTER) : 1;
      case 'string':
        return kind === 'bytes' ? Math.ceil(size(first) * LETTER) : 1;
      case 'replace':
      case 'split':
        return Math.ceil(size(first) * 2 * LETTER);
      case 'join':
        return target ? Math.ceil(size(node) * LETTER) : 1;
      default:
        if (SAME_SIZE.has(name)) return Math.ceil(size(first) * LETTER);
        return OVER_LISTS.has(name) && target ? this.#overList(target, described) : 1;
    }
  }

  /** Going over a list once, and over the letters of its texts; or over the letters of a text. */
  #overList(target: Node, described: Described): number {
    const type = this.#types.get(target);
    const size = this.size(target, described);
    if (type?.kind !== 'list') return Math.ceil(size * LETTER);
    const items = itemsOf(this.#schema(target, described));
    const isText = type.of.kind === 'string' || type.of.kind === 'bytes';
    return size * (1 + (isText ? Math.ceil((items ? longest(items) : UNKNOWN) * LETTER) : 0));
  }
}

/** Of one length, whatever the value: numbers, truths, times. */
function isScalar(type: CelType | undefined): boolean {
  if (type?.kind === 'optional') return isScalar(type.of);
  return type !== undefined && SCALARS.has(type.kind);
}

const SCALARS: ReadonlySet<CelType['kind']> = new Set(['bool', 'int', 'uint', 'double', 'duration', 'timestamp'] as const);

/** What a macro costs each round beside what is written in it, and once. */
const ROUND: Readonly<Record<Comprehension['kind'], {readonly round: number; readonly around: number}>> = {
  all: {round: 3, around: 1},
  exists: {round: 4, around: 1},
  existsOne: {round: 2, around: 2},
  map: {round: 12, around: LIST + 1},
  filter: {round: 13, around: LIST + 1},
  transformList: {round: 12, around: LIST + 1},
  transformMap: {round: 2, around: MAP + 1},
  transformMapEntry: {round: 2, around: MAP + 1},
};

const BOOLEAN = new Set(['all', 'exists', 'existsOne']);
const SAME_SIZE = new Set(['lowerAscii', 'upperAscii', 'trim', 'substring']);
const OVER_LISTS = new Set(['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf']);
