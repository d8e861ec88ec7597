// Sets of fields: which places of an object somebody owns. A set is a tree of path elements, each written as it stands in
// managedFields: `f:name` for a field, `k:{"name":"web"}` for an item of a list by its keys, `v:"x"` for an item of a set by its
// value. A node is a member or only leads to members. Sets are never changed, and parts that two of them have in common are shared.
import {sortElements} from './path-element.ts';

/** One node of a set. */
export interface FieldSet {
  readonly member: boolean;
  readonly parts: ReadonlyMap<string, FieldSet>;
}

const NO_PARTS: ReadonlyMap<string, FieldSet> = new Map<string, FieldSet>();

/** No field at all. */
export const NO_FIELDS: FieldSet = Object.freeze({member: false, parts: NO_PARTS});
/** This place and nothing below it. */
export const LEAF: FieldSet = Object.freeze({member: true, parts: NO_PARTS});

/** A node; one that says nothing is NO_FIELDS. */
export function fieldSet(member: boolean, parts: ReadonlyMap<string, FieldSet>): FieldSet {
  if (parts.size === 0) return member ? LEAF : NO_FIELDS;
  return {member, parts};
}

export function isEmpty(set: FieldSet): boolean {
  return !set.member && set.parts.size === 0;
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmpty(b)) return a;
  if (isEmpty(a)) return b;
  const parts = new Map(a.parts);
  for (const [element, part] of b.parts) {
    const own = parts.get(element);
    parts.set(element, own ? union(own, part) : part);
  }
  return fieldSet(a.member || b.member, parts);
}

/** The members of `a` that are no members of `b`. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmpty(b) || isEmpty(a)) return a;
  return fieldSet(a.member && !b.member, reduced(a, b, difference));
}

/** The members of `a` that are neither members of `b` nor below one. */
export function beyond(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmpty(b) || isEmpty(a)) return a;
  return b.member ? NO_FIELDS : fieldSet(a.member, reduced(a, b, beyond));
}

function reduced(a: FieldSet, b: FieldSet, less: (a: FieldSet, b: FieldSet) => FieldSet): ReadonlyMap<string, FieldSet> {
  if (b.parts.size * 2 > a.parts.size) return reducedMuch(a, b, less);
  let parts: Map<string, FieldSet> | undefined;
  for (const [element, other] of b.parts) {
    const part = a.parts.get(element);
    const rest = part && less(part, other);
    if (!rest || rest === part) continue;
    parts ??= new Map(a.parts);
    if (isEmpty(rest)) parts.delete(element);
    else parts.set(element, rest);
  }
  return parts ?? a.parts;
}

/** The same where much goes: what stays is put together. */
function reducedMuch(a: FieldSet, b: FieldSet, less: (a: FieldSet, b: FieldSet) => FieldSet): ReadonlyMap<string, FieldSet> {
  const parts = new Map<string, FieldSet>();
  let isSame = true;
  for (const [element, part] of a.parts) {
    const other = b.parts.get(element);
    const rest = other ? less(part, other) : part;
    if (rest !== part) isSame = false;
    if (rest === part || !isEmpty(rest)) parts.set(element, rest);
  }
  return isSame ? a.parts : parts;
}

/** The members of both. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  const parts = new Map<string, FieldSet>();
  for (const [element, part] of a.parts) {
    const other = b.parts.get(element);
    const both = other && intersection(part, other);
    if (both && !isEmpty(both)) parts.set(element, both);
  }
  return fieldSet(a.member && b.member, parts);
}

/** A set of places, each a row of elements. */
export function fieldsAt(...paths: readonly (readonly string[])[]): FieldSet {
  return paths.reduce<FieldSet>((set, path) => union(set, placeOf(path)), NO_FIELDS);
}

function placeOf([first, ...rest]: readonly string[]): FieldSet {
  return first === undefined ? LEAF : fieldSet(false, new Map([[first, placeOf(rest)]]));
}

/** All members as paths: those of a node before those below it. */
export function memberPaths(set: FieldSet): string[][] {
  const out: string[][] = [];
  collect(set, [], out);
  return out;
}

function collect(set: FieldSet, path: readonly string[], out: string[][]): void {
  const elements = inOrder(set.parts);
  for (const element of elements) if (set.parts.get(element)?.member) out.push([...path, element]);
  for (const element of elements) {
    const part = set.parts.get(element);
    if (part && part.parts.size > 0) collect(part, [...path, element], out);
  }
}

function inOrder(parts: FieldSet['parts']): string[] {
  return sortElements([...parts.keys()]);
}

/** The set as managedFields write it. */
export function toFieldsV1(set: FieldSet): Readonly<Record<string, unknown>> {
  if (set.parts.size === 0) return NOTHING;
  const known = written.get(set);
  if (known) return known;
  const out: Record<string, unknown> = {};
  for (const element of inOrder(set.parts)) {
    const part = set.parts.get(element);
    if (!part) continue;
    const inner = toFieldsV1(part);
    out[element] = part.member && part.parts.size > 0 ? Object.freeze({'.': NOTHING, ...inner}) : inner;
  }
  Object.freeze(out);
  written.set(set, out);
  return out;
}

/** Many parts of an object have the same set. */
const written = new WeakMap<FieldSet, Readonly<Record<string, unknown>>>();
const NOTHING = Object.freeze({});

/** Reads a set as managedFields write it; undefined for what is none. */
export function fromFieldsV1(value: unknown): FieldSet | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const parts = new Map<string, FieldSet>();
  for (const [element, inner] of Object.entries(value)) {
    if (element === '.') continue;
    if (!/^[fkvi]:/.test(element)) return undefined;
    const part = partOf(inner);
    if (!part) return undefined;
    parts.set(element, part);
  }
  return fieldSet(false, parts);
}

function partOf(value: unknown): FieldSet | undefined {
  const inner = fromFieldsV1(value);
  if (!inner) return undefined;
  const isMember = inner.parts.size === 0 || Object.hasOwn(value as object, '.');
  return fieldSet(isMember, inner.parts);
}

/** Is the place a member? */
export function holds(set: FieldSet, path: readonly string[]): boolean {
  let at: FieldSet | undefined = set;
  for (const element of path) at = at?.parts.get(element);
  return at?.member === true;
}
