// What an object looks like when it becomes text. In memory a list or time that is not there is simply not there; Go prints
// some of them as null (`lastProbeTime: null`, `endpoints: null`). Whoever turns an object of the server into JSON or YAML,
// or looks into it by path, takes the printed form. It is made once for each frozen part.
import {nullFields} from './go-facts.ts';
import {resolve, type Schema, schemaOf, shortType, typeOfKind} from './types.ts';

type Printer = (value: unknown) => unknown;

const printers = new Map<string, Printer | undefined>();

/** The object with its nulls; the same object where there are none. Kinds that are not built in stay as they are. */
export function printed<T extends {readonly apiVersion: string; readonly kind: string}>(object: T): T {
  const type = typeOfKind(object.apiVersion, object.kind);
  const printer = type === undefined ? undefined : printerOf(type);
  return printer ? (printer(object) as T) : object;
}

/** The printer of a type; undefined when nothing in it is ever null. */
function printerOf(name: string): Printer | undefined {
  if (printers.has(name)) return printers.get(name);
  printers.set(name, undefined);
  const schema = schemaOf(name);
  const made = structPrinter(
    schema,
    nullFields(shortType(name)).filter(field => schema.properties?.[field] !== undefined),
  );
  printers.set(name, made);
  return made;
}

function structPrinter(schema: Schema, nulls: readonly string[]): Printer | undefined {
  const fields = new Map<string, Printer>();
  for (const [key, field] of Object.entries(schema.properties ?? {})) {
    const printer = fieldPrinter(field);
    if (printer) fields.set(key, printer);
  }
  if (fields.size === 0 && nulls.length === 0) return undefined;
  const known = new WeakMap<object, unknown>();
  return value => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const before = known.get(value);
    if (before !== undefined) return before;
    const after = printStruct(value as Readonly<Record<string, unknown>>, fields, nulls);
    if (Object.isFrozen(value)) known.set(value, after);
    return after;
  };
}

function printStruct(
  struct: Readonly<Record<string, unknown>>,
  fields: ReadonlyMap<string, Printer>,
  nulls: readonly string[],
): unknown {
  let out: Record<string, unknown> | undefined;
  for (const [key, printer] of fields) {
    const before = struct[key];
    const after = before === undefined ? undefined : printer(before);
    if (after !== before) (out ??= {...struct})[key] = after;
  }
  for (const key of nulls) {
    const part = struct[key];
    if (part === undefined || (Array.isArray(part) && part.length === 0)) (out ??= {...struct})[key] = null;
  }
  return out ? Object.freeze(out) : struct;
}

function fieldPrinter(field: Schema): Printer | undefined {
  if (field.ref !== undefined) return resolve(field).properties ? printerOf(field.ref) : undefined;
  const inner = field.type === 'array' ? field.items && fieldPrinter(field.items) : field.values && fieldPrinter(field.values);
  if (!inner) return undefined;
  if (field.type === 'array') return value => (Array.isArray(value) ? shared(value, value.map(inner)) : value);
  return value =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inner(part)]))
      : value;
}

function shared(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  return after.every((item, i) => item === before[i]) ? before : after;
}
