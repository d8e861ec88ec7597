// The schema engine: a schema is compiled once, lazily, into one function per type that walks a value as Go's JSON decoder
// walks a body. It checks types, drops what the type does not know (and says so), brings scalars to canonical form, leaves
// out what Go leaves out, adds what Go always prints, and freezes.
//
// What it gives back is the same object when nothing had to change. Objects that came out of a walk are remembered by
// identity, per type: a status update walks the new status and steps over the old spec; the pods of one template share the
// walk of their spec. A full walk of a Pod takes a few microseconds, one with known parts less than two.
//
// Go's decoder goes on after a value of a wrong type and reports the first; a value that reads itself (quantity, time) stops
// it at once. Both are kept, since the texts are what users see.
import {unbound} from '../meta/bound-spec.ts';
import {goTypeName, resolve, type Schema, schemaOf, shortType} from './types.ts';
import {jsonKind} from '../meta/go-text.ts';
import {pathText, typeErrorText, type WalkState} from './walk-state.ts';
import {isPlainStruct, isPointer, namedType} from './go-facts.ts';
import {isTracked} from './ownership/tracked.ts';
import {fitsInteger, readAmount, readBytes, readDuration, readMicroTime, readQuantity, readTime, type Read} from './scalars.ts';

type Walk = (value: unknown, state: WalkState) => unknown;

interface Compiled {
  readonly walk: Walk;
  /** What stands for null in a list, and for a struct that is always there. */
  readonly zero: () => unknown;
}

interface Field {
  readonly walk: Walk;
  readonly drop: 'never' | 'scalar' | 'collection';
}

type Edits = Map<string, unknown>;
const DROPPED = Symbol('dropped');
const EMPTY: Readonly<Record<string, unknown>> = Object.freeze({});

const compiled = new Map<string, Compiled>();

/** The walk of a type, by its long name. */
export function compileType(name: string): Compiled {
  const known = compiled.get(name);
  if (known) return known;
  // Types refer to themselves: the slot is there before its content.
  let inner: Compiled | undefined;
  const slot: Compiled = {
    walk: (value, state) => (inner ??= compileNamed(name)).walk(value, state),
    zero: () => (inner ??= compileNamed(name)).zero(),
  };
  compiled.set(name, slot);
  return slot;
}

function compileNamed(name: string): Compiled {
  const schema = schemaOf(name);
  const made = compileWellKnown(name) ?? compileSchema(schema, {name, goType: goTypeName(name)});
  compiled.set(name, made);
  return made;
}

function compileWellKnown(name: string): Compiled | undefined {
  if (name.endsWith('.resource.Quantity')) return {walk: selfReading(readQuantity), zero: () => '0'};
  if (name.endsWith('.meta.v1.Time')) return {walk: textReading(readTime), zero: () => ''};
  if (name.endsWith('.meta.v1.Duration')) return {walk: textReading(readDuration), zero: () => '0s'};
  if (name.endsWith('.meta.v1.MicroTime')) return {walk: textReading(readMicroTime), zero: () => ''};
  if (name.endsWith('.intstr.IntOrString')) return {walk: walkIntOrString, zero: () => 0};
  return undefined;
}

interface Naming {
  readonly name?: string;
  readonly goType: string;
}

function compileSchema(schema: Schema, naming: Naming): Compiled {
  if (schema.ref !== undefined) return compileType(schema.ref);
  if (schema.properties) return compileStruct(schema, naming);
  if (schema.type === 'array') return compileList(schema);
  if (schema.values) return compileMap(schema.values, naming.goType);
  if (schema.type === 'string')
    return schema.format === 'byte' ? compileBytes() : {walk: compileString(naming.goType), zero: () => ''};
  if (schema.type === 'boolean') return {walk: scalarWalk('boolean', 'bool'), zero: () => false};
  if (schema.type === 'integer') return {walk: compileInteger(schema.format), zero: () => 0};
  if (schema.type === 'number') return {walk: scalarWalk('number', 'float64'), zero: () => 0};
  return {walk: anything, zero: () => EMPTY};
}

function compileStruct(schema: Schema, naming: Naming): Compiled {
  const type = naming.name === undefined ? '' : shortType(naming.name);
  const fields = new Map<string, Field>();
  const fillKeys: string[] = [];
  const fillZeros: (() => unknown)[] = [];
  const isKind = schema['group-version-kind'] !== undefined;
  for (const [key, field] of Object.entries(schema.properties ?? {})) {
    const made = compileSchema(field, {goType: namedType(type, key) ?? goTypeOf(field)});
    const always = isAlwaysThere(schema, {type, key, isKind});
    fields.set(key, {walk: made.walk, drop: always ? 'never' : dropRule(field, isPointer(type, key))});
    if (!always) continue;
    fillKeys.push(key);
    fillZeros.push(field.default === undefined ? made.zero : () => field.default);
  }
  const struct = {fields, fillKeys, fillZeros, goType: naming.goType, remembered: isWorthRemembering(type)};
  return {walk: structWalk(struct), zero: () => structZero(struct)};
}

interface StructType {
  readonly fields: ReadonlyMap<string, Field>;
  readonly fillKeys: readonly string[];
  readonly fillZeros: readonly (() => unknown)[];
  readonly goType: string;
  readonly remembered: boolean;
}

function structZero({fillKeys, fillZeros}: StructType): unknown {
  return fillKeys.length === 0 ? EMPTY : Object.freeze(Object.fromEntries(fillKeys.map((key, i) => [key, fillZeros[i]?.()])));
}

/** Remembering costs as much as walking a small struct: only what is large, and outlives many writes, is worth it. */
function isWorthRemembering(type: string): boolean {
  return type.endsWith('Spec') || type === 'core.Container';
}

function isAlwaysThere(schema: Schema, at: {type: string; key: string; isKind: boolean}): boolean {
  const field = schema.properties?.[at.key];
  if (!field || (at.isKind && (at.key === 'apiVersion' || at.key === 'kind'))) return false;
  // The one field that has a default and is left out nevertheless.
  if (at.type === 'core.ReplicationControllerSpec' && at.key === 'minReadySeconds') return false;
  // And the two that need not be given and are never left out.
  if (at.type === 'core.Event' && (at.key === 'reportingComponent' || at.key === 'reportingInstance')) return true;
  if (field.default !== undefined || isPlainStruct(at.type, at.key)) return true;
  if (at.isKind && (at.key === 'metadata' || at.key === 'spec' || at.key === 'status') && field.ref !== undefined) {
    return resolve(field).properties !== undefined;
  }
  // A required pointer that is missing stays missing: validation speaks of it.
  return schema.required?.includes(at.key) === true && field.ref === undefined && !isPointer(at.type, at.key);
}

function dropRule(field: Schema, pointer: boolean): Field['drop'] {
  if (field.type === 'array' || field.values) return pointer || isOwners(field) ? 'never' : 'collection';
  return field.ref === undefined && !pointer && field.type !== undefined && field.type !== 'object' ? 'scalar' : 'never';
}

function goTypeOf(schema: Schema): string {
  if (schema.ref !== undefined) return goTypeName(schema.ref);
  if (schema.type === 'array') return `[]${goTypeOf(schema.items ?? {})}`;
  if (schema.values)
    return schema.values.ref?.endsWith('.Quantity') ? 'v1.ResourceList' : `map[string]${goTypeOf(schema.values)}`;
  if (schema.type === 'string') return schema.format === 'byte' ? '[]uint8' : 'string';
  if (schema.type === 'integer') return schema.format ?? 'int64';
  if (schema.type === 'number') return 'float64';
  return schema.type === 'boolean' ? 'bool' : 'interface {}';
}

function structWalk(type: StructType): Walk {
  const known = type.remembered ? new WeakSet<object>() : undefined;
  const {fillKeys, fillZeros} = type;
  return (value, state) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrongType(value, type.goType, state);
    if (known && (known.has(value) || known.has(unbound(value)))) return value;
    const struct = value as Readonly<Record<string, unknown>>;
    let edits = walkFields(struct, type.fields, state);
    for (let i = 0; i < fillKeys.length; i++) {
      const key = fillKeys[i] as string;
      if (struct[key] === undefined || edits?.get(key) === DROPPED)
        (edits ??= new Map()).set(key, (fillZeros[i] as () => unknown)());
    }
    const out = Object.freeze(edits ? edited(struct, edits) : struct);
    if (known && !state.troubled) known.add(out);
    return out;
  };
}

function walkFields(
  struct: Readonly<Record<string, unknown>>,
  fields: ReadonlyMap<string, Field>,
  state: WalkState,
): Edits | undefined {
  let edits: Edits | undefined;
  const {path} = state;
  // Plain objects have nothing enumerable to inherit, and this is the fastest way through them.
  // eslint-disable-next-line guard-for-in
  for (const key in struct) {
    const field = fields.get(key);
    const before = struct[key];
    path?.push(key);
    if (state.duplicates?.get(struct)?.includes(key)) speak(state, 'duplicate');
    let after: unknown = DROPPED;
    if (!field) speak(state, 'unknown');
    else if (before !== null && before !== undefined) {
      after = field.walk(before, state);
      if (field.drop !== 'never' && isEmpty(after, field.drop)) after = DROPPED;
    }
    path?.pop();
    if (after !== before) (edits ??= new Map<string, unknown>()).set(key, after);
  }
  return edits;
}

function speak(state: WalkState, what: 'unknown' | 'duplicate'): void {
  state.troubled = true;
  if (!state.path || (!state.converter && state.problems.length >= MOST_PROBLEMS)) return;
  state.problems.push(`${what} field "${pathText(state.path)}"`);
}

/** Go's decoder tells of so many and no more. */
const MOST_PROBLEMS = 100;

function isEmpty(value: unknown, rule: 'scalar' | 'collection'): boolean {
  if (rule === 'scalar') return value === '' || value === 0 || value === false;
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value !== 'object' || value === null) return false;
  for (const key in value) if (Object.hasOwn(value, key)) return false;
  return true;
}

/** A new object, since deleting keys would make the old one slow; safe for keys such as `__proto__`. */
function edited(struct: Readonly<Record<string, unknown>>, edits: Edits): Readonly<Record<string, unknown>> {
  const out: Record<string, unknown> = {};
  for (const key of Object.keys(struct)) if (!edits.has(key)) define(out, key, struct[key]);
  for (const [key, value] of edits) if (value !== DROPPED) define(out, key, value);
  return out;
}

function define(out: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(out, key, {value, enumerable: true, configurable: true, writable: true});
  else out[key] = value;
}

function compileList(schema: Schema): Compiled {
  if (isOwners(schema)) return compileOwners(schema);
  return compileItems(schema);
}

/** A list of this server's own is well-formed, and costs something to look into. */
function compileOwners(schema: Schema): Compiled {
  const {walk, zero} = compileItems(schema);
  return {
    zero,
    walk: (value, state) => {
      if (isTracked(value)) return value;
      return Array.isArray(value) && value.length === 0 ? DROPPED : walk(value, state);
    },
  };
}

function isOwners(field: Schema): boolean {
  return field.items?.ref?.endsWith('.ManagedFieldsEntry') === true;
}

function compileItems(schema: Schema): Compiled {
  const item = compileSchema(schema.items ?? {}, {goType: goTypeOf(schema.items ?? {})});
  const goType = goTypeOf(schema);
  return {zero: () => NO_ITEMS, walk: (value, state) => walkList(value, {item, goType}, state)};
}

const AMOUNT: Compiled = {walk: selfReading(readAmount), zero: () => '0'};
const NO_ITEMS: readonly unknown[] = Object.freeze([]);

function walkList(value: unknown, list: {item: Compiled; goType: string}, state: WalkState): unknown {
  if (!Array.isArray(value)) return wrongType(value, list.goType, state);
  let out: unknown[] | undefined;
  const {path} = state;
  for (let i = 0; i < value.length; i++) {
    const before: unknown = value[i];
    path?.push(i);
    const after = before === null || before === undefined ? list.item.zero() : list.item.walk(before, state);
    path?.pop();
    if (after !== before) (out ??= value.slice())[i] = after;
  }
  return Object.freeze(out ?? value);
}

function compileMap(values: Schema, goType: string): Compiled {
  const isAmount = values.ref?.endsWith('.resource.Quantity') === true;
  const inner = isAmount ? AMOUNT : compileSchema(values, {goType: goTypeOf(values)});
  return {
    zero: () => EMPTY,
    walk: (value, state) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrongType(value, goType, state);
      return Object.freeze(walkMap(value as Readonly<Record<string, unknown>>, inner, state));
    },
  };
}

function walkMap(map: Readonly<Record<string, unknown>>, inner: Compiled, state: WalkState): Readonly<Record<string, unknown>> {
  let edits: Edits | undefined;
  const {path} = state;
  // eslint-disable-next-line guard-for-in
  for (const key in map) {
    path?.push(key);
    if (state.duplicates?.get(map)?.includes(key)) speak(state, 'duplicate');
    const before = map[key];
    const after = before === null || before === undefined ? inner.zero() : inner.walk(before, state);
    path?.pop();
    if (after !== before) (edits ??= new Map<string, unknown>()).set(key, after);
  }
  return edits ? keptInPlace(map, edits) : map;
}

/** Maps keep the order of their keys: it shows nowhere but in a diff, and there it should not jump. */
function keptInPlace(map: Readonly<Record<string, unknown>>, edits: Edits): Readonly<Record<string, unknown>> {
  const out: Record<string, unknown> = {};
  for (const key of Object.keys(map)) {
    const value = edits.has(key) ? edits.get(key) : map[key];
    if (value !== DROPPED) define(out, key, value);
  }
  return out;
}

function compileString(goType: string): Walk {
  return (value, state) => (typeof value === 'string' ? value : wrongType(value, goType, state));
}

function compileInteger(format: string | undefined): Walk {
  return (value, state) => {
    if (typeof value !== 'number') return wrongType(value, format ?? 'int64', state);
    if (fitsInteger(value, format)) return value;
    return refuse(value, state, () => typeErrorText(`number ${printNumber(value)}`, format ?? 'int64', state));
  };
}

function printNumber(value: number): string {
  return Number.isInteger(value) && Math.abs(value) >= 1e21 ? BigInt(value).toString() : String(value);
}

function scalarWalk(js: 'boolean' | 'number', goType: string): Walk {
  return (value, state) => (typeof value === js ? value : wrongType(value, goType, state));
}

function compileBytes(): Compiled {
  const walk: Walk = (value, state) => {
    if (typeof value !== 'string') return wrongType(value, '[]uint8', state);
    const read = readBytes(value);
    return 'value' in read ? read.value : refuse(value, state, () => read.error);
  };
  return {walk, zero: () => ''};
}

function anything(value: unknown): unknown {
  return freezeAll(value);
}

function freezeAll(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) freezeAll(part);
  }
  return value;
}

function selfReading(read: (value: unknown) => Read): Walk {
  return (value, state) => {
    const result = read(value);
    return 'value' in result ? result.value : stop(value, state, () => result.error);
  };
}

function textReading(read: (text: string) => Read): Walk {
  return (value, state) => {
    if (typeof value === 'string') {
      const result = read(value);
      return 'value' in result ? result.value : stop(value, state, () => result.error);
    }
    return stop(value, state, () => typeErrorText(jsonKind(value), 'string', state));
  };
}

function walkIntOrString(value: unknown, state: WalkState): unknown {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && fitsInteger(value, 'int32')) return value;
  return stop(value, state, () =>
    typeErrorText(typeof value === 'number' ? `number ${printNumber(value)}` : jsonKind(value), 'int32', state),
  );
}

function wrongType(value: unknown, goType: string, state: WalkState): unknown {
  return refuse(value, state, () => typeErrorText(jsonKind(value), goType, state));
}

function refuse(value: unknown, state: WalkState, why: () => string): unknown {
  state.troubled = true;
  if (state.path) state.typeError ??= why();
  return value;
}

function stop(value: unknown, state: WalkState, why: () => string): unknown {
  state.troubled = true;
  if (state.path) state.fatal ??= why();
  return value;
}
