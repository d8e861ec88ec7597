// Readers turn a YAML node into a value of a known shape, and say of every fault where it stands. A reader never stops at the
// first fault: an author wants to see them all. Small readers make large ones:
//
//     const hint = record({stars: needed(number()), text: needed(text())});
import {distance} from '../../api/meta/spelling.ts';
import {isAlias, isMap, isPair, isScalar, isSeq, type Document, type Node, type Pair} from 'yaml';

/** One fault, and the characters of the text that it is about. */
export interface Fault {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

/** Where a reader stands. */
export class Place {
  readonly document: Document;
  readonly faults: Fault[];
  /** Of the value, as `objectives[0].check`. */
  readonly path: string;
  /** Where to point when the value itself is missing. */
  readonly around: Node | undefined;

  constructor(document: Document, faults: Fault[] = [], path = '', around?: Node) {
    this.document = document;
    this.faults = faults;
    this.path = path;
    this.around = around;
  }

  at(step: string | number, around?: Node): Place {
    const path = typeof step === 'number' ? `${this.path}[${step}]` : this.path === '' ? step : `${this.path}.${step}`;
    return new Place(this.document, this.faults, path, around ?? this.around);
  }

  report(node: Node | null | undefined, message: string): void {
    const range = node?.range ?? this.around?.range;
    this.faults.push({
      from: range?.[0] ?? 0,
      to: range?.[1] ?? 1,
      message: this.path === '' ? message : `${this.path}: ${message}`,
    });
  }
}

/** Reads a node; undefined (and a fault) where it is not of the shape. */
export type Reader<T> = (node: Node | null | undefined, place: Place) => T | undefined;

/** A field of a record: its reader, and whether it must be there. */
export interface Field<T, Required extends boolean = boolean> {
  readonly read: Reader<T>;
  readonly required: Required;
}

type Fields = Readonly<Record<string, Field<unknown>>>;
type Value<F> = F extends Field<infer T> ? T : never;

/** The type that a record of fields reads to. */
export type RecordOf<F extends Fields> = {
  readonly [K in keyof F as F[K] extends Field<unknown, true> ? K : never]: Value<F[K]>;
} & {
  readonly [K in keyof F as F[K] extends Field<unknown, true> ? never : K]?: Value<F[K]>;
};

export function needed<T>(read: Reader<T>): Field<T, true> {
  return {read, required: true};
}

export function optional<T>(read: Reader<T>): Field<T, false> {
  return {read, required: false};
}

/** The node that an alias stands for. */
export function resolved(node: Node | null | undefined, place: Place): Node | null | undefined {
  return isAlias(node) ? node.resolve(place.document) : node;
}

/** What a node is, in a word. */
export function shapeOf(node: Node | null | undefined): string {
  if (isMap(node)) return 'a map';
  if (isSeq(node)) return 'a list';
  if (!isScalar(node) || node.value === null) return 'nothing';
  return typeof node.value === 'string'
    ? 'a text'
    : typeof node.value === 'number'
      ? 'a number'
      : typeof node.value === 'boolean'
        ? 'true or false'
        : 'something else';
}

function expects<T>(what: string, take: (value: unknown) => T | undefined): Reader<T> {
  return (raw, place) => {
    const node = resolved(raw, place);
    const value = isScalar(node) ? take(node.value) : undefined;
    if (value === undefined) place.report(raw, `${what} is wanted here, not ${shapeOf(node)}`);
    return value;
  };
}

/** A text. */
export function text(): Reader<string> {
  return expects('a text', value => (typeof value === 'string' ? value : undefined));
}

/** A text or a number, as a text: a quantity, a port, a version. */
export function word(): Reader<string> {
  return expects('a text or a number', value =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : undefined,
  );
}

export function number(): Reader<number> {
  return expects('a number', value => (typeof value === 'number' ? value : undefined));
}

export function yesNo(): Reader<boolean> {
  return expects('true or false', value => (typeof value === 'boolean' ? value : undefined));
}

/** One of a few words. */
export function oneOf<const W extends string | number>(...words: readonly W[]): Reader<W> {
  return (raw, place) => {
    const node = resolved(raw, place);
    const found = words.find(each => isScalar(node) && node.value === each);
    if (found === undefined) place.report(raw, `one of ${words.join(', ')} is wanted here`);
    return found;
  };
}

/** A time such as `10s`, `1m30s`, `250ms`, in milliseconds. */
export function duration(): Reader<number> {
  return (raw, place) => {
    const node = resolved(raw, place);
    const ms = isScalar(node) && typeof node.value === 'string' ? durationMs(node.value) : undefined;
    if (ms === undefined) place.report(raw, 'a time such as 10s or 1m30s is wanted here');
    return ms;
  };
}

/** Milliseconds of `1h2m3s`, `250ms`. */
export function durationMs(textual: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(textual)) return undefined;
  const units: Readonly<Record<string, number>> = {ms: 1, s: 1000, m: 60_000, h: 3_600_000};
  let sum = 0;
  for (const [, amount, , unit] of textual.matchAll(/(\d+(\.\d+)?)(ms|s|m|h)/g)) sum += Number(amount) * (units[unit ?? ''] ?? 0);
  return sum;
}

export function list<T>(read: Reader<T>): Reader<readonly T[]> {
  return (raw, place) => {
    const node = resolved(raw, place);
    if (!isSeq(node)) {
      place.report(raw, `a list is wanted here, not ${shapeOf(node)}`);
      return undefined;
    }
    const values: T[] = [];
    for (const [index, item] of node.items.entries()) {
      const value = read(item as Node, place.at(index, item as Node));
      if (value !== undefined) values.push(value);
    }
    return values;
  };
}

/** One value, or a list of them. */
export function oneOrMore<T>(read: Reader<T>): Reader<readonly T[]> {
  return (raw, place) => {
    if (isSeq(resolved(raw, place))) return list(read)(raw, place);
    const value = read(raw, place);
    return value === undefined ? undefined : [value];
  };
}

/** A map with any keys. */
export function mapOf<T>(read: Reader<T>): Reader<Readonly<Record<string, T>>> {
  return (raw, place) => {
    const entries = entriesOf(raw, place);
    if (!entries) return undefined;
    const values: [string, T][] = [];
    for (const [key, node] of entries) {
      const value = read(node, place.at(key, node ?? undefined));
      if (value !== undefined) values.push([key, value]);
    }
    return Object.fromEntries(values);
  };
}

/** A map with the given fields and no other. */
export function record<F extends Fields>(fields: F): Reader<RecordOf<F>> {
  return (raw, place) => {
    const entries = entriesOf(raw, place);
    if (!entries) return undefined;
    const node = resolved(raw, place);
    const faults = place.faults.length;
    const values: [string, unknown][] = [];
    for (const [key, value, keyNode] of entries) {
      const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
      if (!field) place.report(keyNode, `there is no field ${JSON.stringify(key)} here${suggestion(key, Object.keys(fields))}`);
      else values.push([key, field.read(value, place.at(key, value ?? keyNode))]);
    }
    for (const [key, field] of Object.entries(fields)) {
      if (field.required && !entries.some(([name]) => name === key))
        place.report(firstOf(node) ?? raw, `the field ${JSON.stringify(key)} is missing`);
    }
    return place.faults.length > faults
      ? undefined
      : (Object.fromEntries(values.filter(([, value]) => value !== undefined)) as RecordOf<F>);
  };
}

/** Anything at all, as plain data. */
export function anything(): Reader<unknown> {
  return (raw, place) => (raw ? (raw.toJS(place.document, {maxAliasCount: 1000}) as unknown) : null);
}

/** What `read` gives, made into something else; `make` reports what it does not like by answering a text that begins with `!`. */
export function checked<T>(read: Reader<T>, problem: (value: T) => string | undefined): Reader<T> {
  return (raw, place) => {
    const value = read(raw, place);
    const wrong = value === undefined ? undefined : problem(value);
    if (wrong === undefined) return value;
    place.report(raw, wrong);
    return undefined;
  };
}

/** The entries of a map node: key, value, and the key's own node. */
export function entriesOf(raw: Node | null | undefined, place: Place): [string, Node | null, Node][] | undefined {
  const node = resolved(raw, place);
  if (!isMap(node)) {
    place.report(raw, `a map is wanted here, not ${shapeOf(node)}`);
    return undefined;
  }
  return node.items
    .filter((pair): pair is Pair<Node, Node | null> => isPair(pair))
    .map(pair => [String(isScalar(pair.key) ? pair.key.value : pair.key), pair.value, pair.key]);
}

function firstOf(node: Node | null | undefined): Node | undefined {
  return isMap(node) ? ((node.items[0]?.key as Node | undefined) ?? undefined) : undefined;
}

function suggestion(word: string, known: readonly string[]): string {
  const near = known.find(each => distance(word, each) <= 2);
  return near === undefined ? `; known are ${known.join(', ')}` : `; do you mean ${JSON.stringify(near)}?`;
}
