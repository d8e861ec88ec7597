// JSON values as CEL sees them. Without a schema whole numbers are ints; with one its types and formats decide. Conversions of frozen
// values are remembered.
import {isFields} from '../meta/fields.ts';
import {parseTime} from '../meta/time.ts';
import {fieldOf, itemsOf, type Structural} from '../custom/structural.ts';
import {celName} from './names.ts';
import {Duration, parseDuration, Timestamp} from './values.ts';

const plain = new WeakMap<object, unknown>();

/** A value of which nothing is known. */
export function celValue(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (typeof value !== 'object' || value === null) return value ?? null;
  const known = plain.get(value);
  if (known !== undefined) return known;
  const made = Array.isArray(value) ? value.map(celValue) : fieldsOf(value, (_name, part) => celValue(part));
  if (Object.isFrozen(value)) plain.set(value, made);
  return made;
}

function fieldsOf(
  value: object,
  convert: (name: string, part: unknown) => unknown,
  rename = (name: string): string => name,
): unknown {
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(entries.map(([name, part]) => [rename(name), convert(name, part)]));
}

const typed = new WeakMap<Structural, WeakMap<object, unknown>>();

/** A value that a structural schema describes. */
export function schemaValue(value: unknown, schema: Structural | undefined, isObject = false): unknown {
  if (!schema || value === null || value === undefined || schema['x-kubernetes-int-or-string']) return celValue(value);
  if (typeof value === 'number') return schema.type === 'number' ? value : celValue(value);
  if (typeof value === 'string') return textValue(value, schema.format);
  if (typeof value !== 'object') return value;
  const memory = typed.get(schema) ?? new WeakMap<object, unknown>();
  typed.set(schema, memory);
  const known = memory.get(value);
  if (known !== undefined) return known;
  const made = Array.isArray(value)
    ? value.map(item => schemaValue(item, itemsOf(schema)))
    : structValue(value, schema, isObject);
  if (Object.isFrozen(value)) memory.set(value, made);
  return made;
}

function structValue(value: object, schema: Structural, isObject: boolean): unknown {
  const {properties} = schema;
  const isStruct = properties !== undefined;
  const embedded = isObject || schema['x-kubernetes-embedded-resource'] === true;
  if (!isStruct && !embedded && schema.additionalProperties === undefined) return celValue(value);
  const convert = (name: string, part: unknown): unknown =>
    embedded && name === 'metadata' && isFields(part) ? metadataValue(part) : schemaValue(part, fieldOf(schema, name));
  return fieldsOf(value, convert, isStruct ? celName : undefined);
}

/** Of metadata an expression sees the names alone. */
function metadataValue({name, generateName}: Readonly<Record<string, unknown>>): unknown {
  return {...(name === undefined ? {} : {name}), ...(generateName === undefined ? {} : {generateName})};
}

function textValue(text: string, format: string | undefined): unknown {
  switch (format) {
    case 'date-time':
    case 'date': {
      const ms = parseTime(format === 'date' ? `${text}T00:00:00Z` : text);
      return ms === undefined ? text : new Timestamp(BigInt(ms) * 1_000_000n);
    }
    case 'duration':
      return parseDuration(text) ?? new Duration(0n);
    case 'byte':
      return Uint8Array.from(Buffer.from(text, 'base64'));
    default:
      return text;
  }
}
