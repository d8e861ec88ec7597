// Finds the type of each part of an expression, and what is wrong with it: names that nobody declared, fields that an object does not
// have, functions that do not take what they are given. All problems are told, in the order of the text.
import {FUNCTIONS, TYPE_NAMES, type Variables} from './environment.ts';
import type {Overload} from './signatures.ts';
import {type Comprehension, type Node, type Problem, Uint} from './syntax.ts';
import {
  type Bindings,
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DYN,
  ERROR,
  fits,
  INT,
  joined,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  STRING,
  substitute,
  typeText,
  UINT,
} from './types.ts';

/** The type of the whole and of its parts, and the problems. */
export interface Checked {
  readonly type: CelType;
  readonly types: ReadonlyMap<Node, CelType>;
  readonly problems: readonly Problem[];
}

/** Checks an expression over some variables. */
export function check(node: Node, variables: Variables): Checked {
  const checker = new Checker();
  const type = checker.type(node, variables);
  return {type, types: checker.types, problems: checker.problems.toSorted((a, b) => a.at - b.at)};
}

/** The name that a chain of names and dots spells. */
export function qualifiedName(node: Node): string | undefined {
  if (node.type === 'name') return node.name;
  if (node.type !== 'select' || node.optional) return undefined;
  const head = qualifiedName(node.of);
  return head === undefined ? undefined : `${head}.${node.field}`;
}

class Checker {
  readonly types = new Map<Node, CelType>();
  readonly problems: Problem[] = [];

  type(node: Node, variables: Variables): CelType {
    const type = this.#find(node, variables);
    this.types.set(node, type);
    return type;
  }

  #say(at: number, words: string): CelType {
    this.problems.push({at, words});
    return ERROR;
  }

  #find(node: Node, variables: Variables): CelType {
    switch (node.type) {
      case 'constant':
        return constantType(node.value);
      case 'name':
        return (
          this.#named(node.name, variables) ?? this.#say(node.at, `undeclared reference to '${node.name}' (in container '')`)
        );
      case 'select':
        return this.#select(node, variables);
      case 'has':
        this.#field(this.type(node.of, variables), node.field, node.at);
        return BOOL;
      case 'call':
        return this.#call(node, variables);
      case 'list':
        return listOf(
          this.#joined(
            node.items.map(item => ({node: item.value, optional: item.optional})),
            variables,
          ),
        );
      case 'map': {
        const key = this.#joined(
          node.entries.map(entry => ({node: entry.key, optional: false})),
          variables,
        );
        const value = this.#joined(
          node.entries.map(entry => ({node: entry.value, optional: entry.optional})),
          variables,
        );
        return mapOf(key, value);
      }
      case 'struct':
        for (const entry of node.entries) this.type(entry.value, variables);
        return this.#say(node.at, `undeclared reference to '${node.name}' (in container '')`);
      case 'bind':
        return this.#bind(node, variables);
      case 'comprehension':
        return this.#comprehension(node, variables);
    }
  }

  #named(name: string, variables: Variables): CelType | undefined {
    if (Object.hasOwn(variables, name)) return variables[name];
    return Object.hasOwn(TYPE_NAMES, name) ? TYPE_NAMES[name] : undefined;
  }

  #joined(parts: readonly {node: Node; optional: boolean}[], variables: Variables): CelType {
    let type: CelType | undefined;
    for (const {node, optional} of parts) {
      const own = this.type(node, variables);
      const part = optional && own.kind === 'optional' ? own.of : own;
      type = joined(type, part) ?? this.#say(node.at, `expected type '${typeText(type ?? DYN)}' but found '${typeText(part)}'`);
    }
    return type ?? DYN;
  }

  #select(node: Extract<Node, {type: 'select'}>, variables: Variables): CelType {
    const whole = qualifiedName(node);
    const known = whole === undefined ? undefined : this.#named(whole, variables);
    if (known) return known;
    const found = this.#field(this.type(node.of, variables), node.field, node.at);
    return node.optional && found.kind !== 'optional' ? optionalOf(found) : found;
  }

  #field(type: CelType, field: string, at: number): CelType {
    switch (type.kind) {
      case 'dyn':
        return DYN;
      case 'error':
        return ERROR;
      case 'map':
        return type.of;
      case 'object':
        return type.field(field) ?? this.#say(at, `undefined field '${field}'`);
      case 'optional':
        return optionalOf(this.#field(type.of, field, at));
      case 'param':
        return DYN;
      default:
        return this.#say(at, `type '${typeText(type)}' does not support field selection`);
    }
  }

  #call(node: Extract<Node, {type: 'call'}>, variables: Variables): CelType {
    const {target, args, name} = node;
    const prefix = target && qualifiedName(target);
    const isOfVariable = prefix !== undefined && Object.hasOwn(variables, prefix.split('.')[0] ?? '');
    const qualified = prefix !== undefined && !isOfVariable ? FUNCTIONS.get(`${prefix}.${name}`) : undefined;
    if (qualified)
      return this.#resolve(
        node,
        qualified.filter(each => !each.isMember),
        args.map(arg => this.type(arg, variables)),
      );
    const overloads = FUNCTIONS.get(name);
    const types = [...(target ? [this.type(target, variables)] : []), ...args.map(arg => this.type(arg, variables))];
    if (!overloads) return this.#say(node.at, `undeclared reference to '${name}' (in container '')`);
    return this.#resolve(
      node,
      overloads.filter(each => each.isMember === (target !== undefined)),
      types,
    );
  }

  #resolve(node: Extract<Node, {type: 'call'}>, overloads: readonly Overload[], types: readonly CelType[]): CelType {
    if (types.some(type => type.kind === 'error')) return ERROR;
    let result: CelType | undefined;
    for (const overload of overloads) {
      const bound: Bindings = new Map();
      if (overload.args.length !== types.length || !overload.args.every((arg, i) => fits(arg, types[i] ?? DYN, bound))) continue;
      const own = substitute(overload.result, bound);
      result = result === undefined || typeText(result) === typeText(own) ? own : DYN;
    }
    if (result) return result;
    const shown = types.map(typeText);
    const applied =
      node.target && overloads[0]?.isMember !== false ? `${shown[0]}.(${shown.slice(1).join(', ')})` : `(${shown.join(', ')})`;
    return this.#say(node.at, `found no matching overload for '${node.name}' applied to '${applied}'`);
  }

  #bind(node: Extract<Node, {type: 'bind'}>, variables: Variables): CelType {
    const of = this.type(node.of, variables);
    const inner = of.kind === 'optional' ? of.of : DYN;
    if (of.kind !== 'optional' && of.kind !== 'dyn' && of.kind !== 'error')
      this.#say(node.at, `found no matching overload for '${node.kind}' applied to '${typeText(of)}'`);
    const body = this.type(node.body, {...variables, [node.name]: inner});
    if (node.kind === 'optMap') return optionalOf(body);
    return body.kind === 'optional' ? body : DYN;
  }

  #comprehension(node: Comprehension, variables: Variables): CelType {
    const range = this.type(node.range, variables);
    const inside = {...variables, ...this.#loopVariables(node, range)};
    const condition = node.condition && this.type(node.condition, inside);
    if (condition && !isBool(condition))
      this.#say(node.condition?.at ?? node.at, `expected type 'bool' but found '${typeText(condition)}'`);
    const body = this.type(node.body, inside);
    switch (node.kind) {
      case 'map':
      case 'transformList':
        return listOf(body);
      case 'transformMap':
        return mapOf(range.kind === 'map' ? range.key : INT, body);
      case 'transformMapEntry':
        return body.kind === 'map' ? body : mapOf(DYN, DYN);
      default:
        if (!isBool(body)) this.#notBool(node, body);
        return node.kind === 'filter' ? (range.kind === 'list' ? range : listOf(range.kind === 'map' ? range.key : DYN)) : BOOL;
    }
  }

  #notBool(node: Comprehension, body: CelType): void {
    const words: Readonly<Record<string, string>> = {
      all: `'_&&_' applied to '(bool, ${typeText(body)})'`,
      exists: `'_||_' applied to '(bool, ${typeText(body)})'`,
    };
    const applied =
      words[node.kind] ??
      `'_?_:_' applied to '(${typeText(body)}, ${node.kind === 'filter' ? 'list(dyn), list(dyn)' : 'int, int'})'`;
    this.#say(node.at, `found no matching overload for ${applied}`);
  }

  #loopVariables({names, range: node}: Comprehension, range: CelType): Variables {
    const [first = '', second] = names;
    switch (range.kind) {
      case 'list':
        return second === undefined ? {[first]: range.of} : {[first]: INT, [second]: range.of};
      case 'map':
        return second === undefined ? {[first]: range.key} : {[first]: range.key, [second]: range.of};
      case 'dyn':
      case 'param':
        return Object.fromEntries(names.map(name => [name, DYN]));
      case 'error':
        return Object.fromEntries(names.map(name => [name, ERROR]));
      default:
        this.#say(
          node.at,
          `expression of type '${typeText(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
        return Object.fromEntries(names.map(name => [name, ERROR]));
    }
  }
}

function isBool(type: CelType): boolean {
  return type.kind === 'bool' || type.kind === 'dyn' || type.kind === 'error' || type.kind === 'param';
}

function constantType(value: unknown): CelType {
  if (value === null) return NULL;
  if (value instanceof Uint) return UINT;
  if (value instanceof Uint8Array) return BYTES;
  const types: Readonly<Record<string, CelType>> = {boolean: BOOL, bigint: INT, number: DOUBLE, string: STRING};
  return types[typeof value] ?? DYN;
}
