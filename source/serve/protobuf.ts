// Bodies in protobuf: kubectl's and helm's typed clients send them. An envelope says which kind is inside; what is inside is read by the
// schema of that kind, with the numbers of its fields, into the same value that its JSON would give.
//
// Protobuf writes the empty values of Go's plain fields, so an empty one is an absent one, except behind a pointer. Answers are never
// written so: every client that sends protobuf takes JSON as well.
import {goFields, type GoField} from '../api/schema/go-fields.ts';
import {resolve, type Schema, schemaOf, typeOfKind} from '../api/schema/index.ts';

export const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';

const MAGIC = Buffer.from('k8s\0', 'latin1');
/** The deepest nesting: schemas that hold themselves could be sent without end. */
const DEEPEST = 100;

class Malformed extends Error {}

/** Options belong to every group, which sends them as its own. */
const OF_EVERY_GROUP: Readonly<Record<string, string>> = Object.freeze({
  DeleteOptions: 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions',
});

/** The object in a body; undefined when it is none that this server knows. */
export function readProtobuf(bytes: Uint8Array): object | undefined {
  if (Buffer.compare(bytes.subarray(0, 4), MAGIC) !== 0) return undefined;
  try {
    const envelope = wireFields(bytes.subarray(4));
    const head = wireFields(lastBytes(envelope.get(1)));
    const apiVersion = text(lastBytes(head.get(1)));
    const kind = text(lastBytes(head.get(2)));
    const type = typeOfKind(apiVersion, kind) ?? OF_EVERY_GROUP[kind];
    if (type === undefined) return undefined;
    return {kind, apiVersion, ...readStruct(lastBytes(envelope.get(2)), type, 0)};
  } catch (error) {
    if (error instanceof Malformed || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A value as it is on the wire: a number or bytes. */
type Wire = bigint | Uint8Array;

/** All values of a message by the numbers of their fields, in their order. */
function wireFields(bytes: Uint8Array): Map<number, Wire[]> {
  const found = new Map<number, Wire[]>();
  const reader = new Reader(bytes);
  while (!reader.atEnd) {
    const key = Number(reader.varint());
    const number = Math.floor(key / 8);
    const value = reader.value(key % 8);
    const list = found.get(number);
    if (list) list.push(value);
    else found.set(number, [value]);
  }
  return found;
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) break;
      value |= BigInt(byte % 128) << shift;
      if (byte < 128) return BigInt.asIntN(64, value);
    }
    throw new Malformed('a number without an end');
  }

  value(form: number): Wire {
    if (form === 0) return this.varint();
    if (form === 1) return this.#take(8);
    if (form === 2) return this.#take(Number(this.varint()));
    if (form === 5) return this.#take(4);
    throw new Malformed(`no such form of a value: ${form}`);
  }

  #take(length: number): Uint8Array {
    const from = this.#at;
    this.#at += length;
    if (length < 0 || this.#at > this.#bytes.length) throw new Malformed('a value that goes on past the end');
    return this.#bytes.subarray(from, this.#at);
  }
}

function lastBytes(values: readonly Wire[] | undefined): Uint8Array {
  const last = values?.at(-1);
  return last instanceof Uint8Array ? last : new Uint8Array();
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}

function readStruct(bytes: Uint8Array, type: string, depth: number): Record<string, unknown> {
  if (depth > DEEPEST) throw new Malformed('nested too deep');
  return readFields(bytes, {fields: goFields(type), schema: schemaOf(type), depth});
}

interface Struct {
  readonly fields: readonly GoField[];
  readonly schema: Schema;
  readonly depth: number;
}

function readFields(bytes: Uint8Array, {fields, schema, depth}: Struct): Record<string, unknown> {
  const wire = wireFields(bytes);
  const out: Record<string, unknown> = {};
  for (const {name, number, pointer, inlined} of fields) {
    const values = wire.get(number);
    if (!values) continue;
    if (inlined !== undefined) {
      // The outer type's schema has the fields of the inner one.
      const inner = Object.keys(schemaOf(inlined).properties ?? {}).length > 0 ? schemaOf(inlined) : schema;
      Object.assign(out, readFields(lastBytes(values), {fields: goFields(inlined), schema: inner, depth: depth + 1}));
      continue;
    }
    const field = schema.properties?.[name];
    const value = field && readField(values, field, depth);
    if (value !== undefined && (pointer || !isEmpty(value))) out[name] = value;
  }
  return out;
}

function isEmpty(value: unknown): boolean {
  if (value === '' || value === 0 || value === false) return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function readField(values: readonly Wire[], field: Schema, depth: number): unknown {
  if (field.type === 'array') {
    const {items = {}} = field;
    return values.map(value => readOne(value, items, depth));
  }
  if (field.values) return readMap(values, field.values, depth);
  const last = values.at(-1);
  return last === undefined ? undefined : readOne(last, field, depth);
}

function readMap(values: readonly Wire[], inner: Schema, depth: number): Record<string, unknown> {
  const entries = values.map((value): [string, unknown] => {
    const entry = wireFields(value instanceof Uint8Array ? value : new Uint8Array());
    const [content = new Uint8Array()] = entry.get(2) ?? [];
    return [
      text(lastBytes(entry.get(1))),
      inner.type === 'array' ? readWrapped(content, inner, depth) : readOne(content, inner, depth),
    ];
  });
  return Object.fromEntries(entries);
}

/** A list that is a map's value travels in a message of its own. */
function readWrapped(value: Wire, list: Schema, depth: number): unknown {
  const items = wireFields(value instanceof Uint8Array ? value : new Uint8Array()).get(1) ?? [];
  return items.map(item => readOne(item, list.items ?? {}, depth));
}

function readOne(value: Wire, schema: Schema, depth: number): unknown {
  if (schema.ref !== undefined) {
    const special = SPECIAL[schema.ref];
    if (special) return special(lastBytes([value]));
    const target = resolve(schema);
    return target.properties ? readStruct(lastBytes([value]), schema.ref, depth + 1) : readOne(value, target, depth);
  }
  if (typeof value === 'bigint') return schema.type === 'boolean' ? value !== 0n : Number(value);
  if (schema.type === 'number') return Buffer.from(value).readDoubleLE(0);
  return schema.format === 'byte' ? Buffer.from(value).toString('base64') : text(value);
}

/** Types whose JSON is not their message. */
const SPECIAL: Readonly<Record<string, (bytes: Uint8Array) => unknown>> = {
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': bytes => timeOf(bytes, 0),
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': bytes => timeOf(bytes, 6),
  'io.k8s.apimachinery.pkg.api.resource.Quantity': bytes => text(lastBytes(wireFields(bytes).get(1))),
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': bytes => {
    const fields = wireFields(bytes);
    if (fields.get(1)?.at(-1) === 1n) return text(lastBytes(fields.get(3)));
    return Number(fields.get(2)?.at(-1) ?? 0n);
  },
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': rawJson,
  'io.k8s.apimachinery.pkg.runtime.RawExtension': rawJson,
};

function rawJson(bytes: Uint8Array): unknown {
  const raw = text(lastBytes(wireFields(bytes).get(1)));
  return raw === '' ? undefined : (JSON.parse(raw) as unknown);
}

/** An empty message is Go's zero time: no time at all. */
function timeOf(bytes: Uint8Array, digits: number): string | undefined {
  if (bytes.length === 0) return undefined;
  const fields = wireFields(bytes);
  const seconds = Number(fields.get(1)?.at(-1) ?? 0n);
  const nanos = Number(fields.get(2)?.at(-1) ?? 0n);
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) throw new Malformed('a time that no calendar has');
  const part = digits === 0 ? '' : `.${String(Math.floor(nanos / 1000)).padStart(6, '0')}`;
  return `${date.toISOString().slice(0, 19)}${part}Z`;
}
