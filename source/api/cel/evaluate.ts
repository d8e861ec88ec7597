// Evaluates an expression. `&&`, `||` and the macros built on them forgive an error on one side when the other side decides. What an
// expression may do is bounded: past the bound it ends as the real one does when it costs too much.
import {qualifiedName} from './checker.ts';
import {FUNCTIONS} from './environment.ts';
import {valueIfAny, valueOf} from './library/operators.ts';
import type {Overload} from './signatures.ts';
import type {Comprehension, Node} from './syntax.ts';
import type {CelType} from './types.ts';
import {Uint} from './syntax.ts';
import {CelError, entriesOf, isRecord, lookUp, mapFrom, NOTHING, Optional, typeName, TypeValue} from './values.ts';

/** Values by name; a function is a variable that is evaluated when it is needed. */
export type Scope = Readonly<Record<string, unknown>>;

const MOST_STEPS = 1_000_000;

/** The value of a node. Throws a CelError when there is none. */
export function run(node: Node, scope: Scope): unknown {
  return new Run().value(node, scope);
}

class Run {
  #steps = 0;

  value(node: Node, scope: Scope): unknown {
    if (++this.#steps > MOST_STEPS) throw new CelError('operation cancelled: actual cost limit exceeded');
    switch (node.type) {
      case 'constant':
        return node.value;
      case 'name':
        return variable(node.name, scope);
      case 'select':
        return this.#select(node, scope);
      case 'has':
        return hasField(this.value(node.of, scope), node.field);
      case 'call':
        return this.#call(node, scope);
      case 'list':
        return node.items.flatMap(item => this.#item(item, scope));
      case 'map':
        return mapFrom(
          node.entries.flatMap(entry => {
            const key = this.value(entry.key, scope);
            return this.#item(entry, scope).map(value => [key, value] as const);
          }),
        );
      case 'struct':
        throw new CelError(`unknown type ${node.name}`);
      case 'bind': {
        const of = this.value(node.of, scope);
        if (!(of instanceof Optional)) throw new CelError('no such overload');
        if (!of.isThere) return NOTHING;
        const body = this.value(node.body, {...scope, [node.name]: of.value});
        return node.kind === 'optMap' ? new Optional(true, body) : body;
      }
      case 'comprehension':
        return this.#comprehension(node, scope);
    }
  }

  #item(item: {value: Node; optional: boolean}, scope: Scope): unknown[] {
    const value = this.value(item.value, scope);
    if (!item.optional) return [value];
    if (!(value instanceof Optional)) throw new CelError('no such overload');
    return value.isThere ? [value.value] : [];
  }

  #select(node: Extract<Node, {type: 'select'}>, scope: Scope): unknown {
    const whole = qualifiedName(node);
    if (whole !== undefined && Object.hasOwn(scope, whole)) return variable(whole, scope);
    const of = this.value(node.of, scope);
    if (node.optional || of instanceof Optional) return valueIfAny(of, node.field);
    if (!entriesOf(of)) throw new CelError('no such overload');
    return valueOf(of, node.field);
  }

  #call(node: Extract<Node, {type: 'call'}>, scope: Scope): unknown {
    const {name, args, target} = node;
    if (name === '_&&_') return this.#either(args, scope, false);
    if (name === '_||_') return this.#either(args, scope, true);
    if (name === '_?_:_') {
      const condition = this.value(args[0] as Node, scope);
      if (typeof condition !== 'boolean') throw new CelError('no such overload');
      return this.value(args[condition ? 1 : 2] as Node, scope);
    }
    const prefix = target && qualifiedName(target);
    const qualified =
      prefix !== undefined && !Object.hasOwn(scope, prefix.split('.')[0] ?? '') ? FUNCTIONS.get(`${prefix}.${name}`) : undefined;
    const nodes = target && !qualified ? [target, ...args] : args;
    const values = nodes.map(arg => this.value(arg, scope));
    this.#steps += values.reduce<number>((sum, value) => sum + weight(value), 0);
    return apply(name, qualified ?? FUNCTIONS.get(name) ?? [], values);
  }

  /** One side that decides is enough, whatever becomes of the other. */
  #either(args: readonly Node[], scope: Scope, decides: boolean): unknown {
    let failed: CelError | undefined;
    for (const arg of args) {
      try {
        const value = this.value(arg, scope);
        if (value === decides) return decides;
        if (typeof value !== 'boolean') failed ??= new CelError('no such overload');
      } catch (error) {
        if (!(error instanceof CelError) || this.#steps > MOST_STEPS) throw error;
        failed ??= error;
      }
    }
    if (failed) throw failed;
    return !decides;
  }

  #comprehension(node: Comprehension, scope: Scope): unknown {
    const range = this.value(node.range, scope);
    const pairs = pairsOf(range);
    const scopeOf = ([key, value]: readonly [unknown, unknown]): Scope => {
      const [first = '', second] = node.names;
      if (second !== undefined) return {...scope, [first]: key, [second]: value};
      return {...scope, [first]: Array.isArray(range) ? value : key};
    };
    switch (node.kind) {
      case 'all':
        return this.#decide(node, pairs.map(scopeOf), false);
      case 'exists':
        return this.#decide(node, pairs.map(scopeOf), true);
      case 'existsOne':
        return pairs.filter(pair => this.#test(node.body, scopeOf(pair))).length === 1;
      case 'filter':
        return pairs
          .filter(pair => this.#test(node.body, scopeOf(pair)))
          .map(([key, value]) => (Array.isArray(range) ? value : key));
      default:
        return this.#transform(
          node,
          pairs.map(pair => ({key: pair[0], scope: scopeOf(pair)})),
        );
    }
  }

  #transform(node: Comprehension, rounds: readonly {key: unknown; scope: Scope}[]): unknown {
    const kept = rounds.filter(round => !node.condition || this.#test(node.condition, round.scope));
    if (node.kind === 'map' || node.kind === 'transformList') return kept.map(round => this.value(node.body, round.scope));
    if (node.kind === 'transformMap') return mapFrom(kept.map(round => [round.key, this.value(node.body, round.scope)] as const));
    return mapFrom(kept.flatMap(round => entriesOf(this.value(node.body, round.scope)) ?? []));
  }

  #test(node: Node, scope: Scope): boolean {
    const value = this.value(node, scope);
    if (typeof value !== 'boolean') throw new CelError('no such overload');
    return value;
  }

  #decide(node: Comprehension, scopes: readonly Scope[], decides: boolean): boolean {
    let failed: CelError | undefined;
    for (const scope of scopes) {
      try {
        if (this.#test(node.body, scope) === decides) return decides;
      } catch (error) {
        if (!(error instanceof CelError) || this.#steps > MOST_STEPS) throw error;
        failed ??= error;
      }
    }
    if (failed) throw failed;
    return !decides;
  }
}

function weight(value: unknown): number {
  return typeof value === 'string' || Array.isArray(value) ? Math.floor(value.length / 10) : 0;
}

function variable(name: string, scope: Scope): unknown {
  if (!Object.hasOwn(scope, name)) {
    if (name in TYPES) return new TypeValue(name);
    throw new CelError(`no such attribute(s): ${name}`);
  }
  const value = scope[name];
  return typeof value === 'function' ? (value as () => unknown)() : value;
}

const TYPES: Readonly<Record<string, true>> = {
  bool: true,
  int: true,
  uint: true,
  double: true,
  string: true,
  bytes: true,
  list: true,
  map: true,
  null_type: true,
  type: true,
  'google.protobuf.Timestamp': true,
  'google.protobuf.Duration': true,
};

function hasField(of: unknown, field: string): boolean {
  if (of instanceof Optional) return of.isThere && hasField(of.value, field);
  if (!entriesOf(of)) throw new CelError('no such overload');
  return lookUp(of, field) !== undefined;
}

function pairsOf(range: unknown): readonly (readonly [unknown, unknown])[] {
  if (Array.isArray(range)) return range.map((value, i) => [BigInt(i), value] as const);
  const entries = entriesOf(range);
  if (!entries) throw new CelError('no such overload');
  return entries;
}

function apply(name: string, overloads: readonly Overload[], values: readonly unknown[]): unknown {
  for (const overload of overloads) {
    if (overload.args.length === values.length && overload.args.every((type, i) => isOf(values[i], type)))
      return overload.run(...(values as never[]));
  }
  throw new CelError(
    name.startsWith('_') || name === '@in'
      ? `no such overload: ${shortName(name)}(${values.map(typeName).join(', ')})`.replace(/: .*/, '')
      : 'no such overload',
  );
}

function shortName(name: string): string {
  return name.replaceAll('_', '');
}

/** Is a value of a type, as far as one sees from outside? */
function isOf(value: unknown, type: CelType): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'param':
    case 'error':
      return true;
    case 'null':
      return value === null;
    case 'bool':
      return typeof value === 'boolean';
    case 'int':
      return typeof value === 'bigint';
    case 'uint':
      return value instanceof Uint;
    case 'double':
      return typeof value === 'number';
    case 'string':
      return typeof value === 'string';
    case 'list':
      return Array.isArray(value) && (value.length === 0 || isOf(value[0], type.of));
    case 'map':
    case 'object':
      return value instanceof Map || isRecord(value);
    case 'optional':
      return value instanceof Optional && (!value.isThere || isOf(value.value, type.of));
    case 'type':
      return value instanceof TypeValue;
    case 'opaque':
      return typeName(value) === type.name;
    case 'bytes':
      return value instanceof Uint8Array;
    case 'timestamp':
    case 'duration':
      return typeName(value) === `google.protobuf.${type.kind === 'timestamp' ? 'Timestamp' : 'Duration'}`;
  }
}
