// The types of CEL, and which value may stand where.

export type CelType =
  | {readonly kind: 'dyn' | 'error' | 'null' | 'bool' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'timestamp' | 'duration'}
  | {readonly kind: 'type'; readonly of: CelType}
  | {readonly kind: 'list'; readonly of: CelType}
  | {readonly kind: 'map'; readonly key: CelType; readonly of: CelType}
  | {readonly kind: 'optional'; readonly of: CelType}
  | {readonly kind: 'object'; readonly name: string; readonly field: (name: string) => CelType | undefined}
  | {readonly kind: 'opaque'; readonly name: string}
  | {readonly kind: 'param'; readonly name: string};

const plain = (
  kind: 'dyn' | 'error' | 'null' | 'bool' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'timestamp' | 'duration',
): CelType => Object.freeze({kind});

export const DYN = plain('dyn');
export const ERROR = plain('error');
export const NULL = plain('null');
export const BOOL = plain('bool');
export const INT = plain('int');
export const UINT = plain('uint');
export const DOUBLE = plain('double');
export const STRING = plain('string');
export const BYTES = plain('bytes');
export const TIMESTAMP = plain('timestamp');
export const DURATION = plain('duration');
export const listOf = (of: CelType): CelType => Object.freeze({kind: 'list', of});
export const mapOf = (key: CelType, of: CelType): CelType => Object.freeze({kind: 'map', key, of});
export const optionalOf = (of: CelType): CelType => Object.freeze({kind: 'optional', of});
export const typeOfType = (of: CelType): CelType => Object.freeze({kind: 'type', of});
export const opaque = (name: string): CelType => Object.freeze({kind: 'opaque', name});
export const param = (name: string): CelType => Object.freeze({kind: 'param', name});

/** An object with known fields. */
export function objectOf(name: string, fields: Readonly<Record<string, CelType>>): CelType {
  return Object.freeze({
    kind: 'object',
    name,
    field: (field: string) => (Object.hasOwn(fields, field) ? fields[field] : undefined),
  });
}

const WORDS: Readonly<Record<string, string>> = {
  null: 'null_type',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
  error: '!error!',
};

/** A type as cel-go names it. */
export function typeText(type: CelType): string {
  switch (type.kind) {
    case 'list':
      return `list(${typeText(type.of)})`;
    case 'map':
      return `map(${typeText(type.key)}, ${typeText(type.of)})`;
    case 'optional':
      return `optional_type(${typeText(type.of)})`;
    case 'type':
      return `type(${typeText(type.of)})`;
    case 'object':
    case 'opaque':
    case 'param':
      return type.name;
    default:
      return WORDS[type.kind] ?? type.kind;
  }
}

export type Bindings = Map<string, CelType>;

/** May a value of a type stand where another is wanted? Parameters of the wanted type are bound on the way. */
export function fits(wanted: CelType, given: CelType, bound: Bindings): boolean {
  if (wanted.kind === 'param') {
    const known = bound.get(wanted.name);
    if (!known || known.kind === 'dyn') {
      if (!known) bound.set(wanted.name, given);
      return true;
    }
    return given.kind === 'dyn' || given.kind === 'error' || fits(known, given, bound);
  }
  if (given.kind === 'param') return true;
  if (wanted.kind === 'dyn' || given.kind === 'dyn' || given.kind === 'error') return true;
  if (given.kind === 'null') return NULLABLE.has(wanted.kind);
  if (wanted.kind === 'null') return NULLABLE.has(given.kind);
  if (wanted.kind !== given.kind) return false;
  switch (wanted.kind) {
    case 'list':
    case 'optional':
      return fits(wanted.of, (given as typeof wanted).of, bound);
    case 'type':
      return true;
    case 'map': {
      const other = given as typeof wanted;
      return fits(wanted.key, other.key, bound) && fits(wanted.of, other.of, bound);
    }
    case 'object':
    case 'opaque':
      return wanted.name === (given as typeof wanted).name;
    default:
      return true;
  }
}

const NULLABLE = new Set(['null', 'object', 'opaque', 'timestamp', 'duration', 'optional']);

/** A type with its parameters put in; parameters that nobody bound are anything. */
export function substitute(type: CelType, bound: Bindings): CelType {
  switch (type.kind) {
    case 'param':
      return bound.get(type.name) ?? DYN;
    case 'list':
      return listOf(substitute(type.of, bound));
    case 'optional':
      return optionalOf(substitute(type.of, bound));
    case 'type':
      return typeOfType(substitute(type.of, bound));
    case 'map':
      return mapOf(substitute(type.key, bound), substitute(type.of, bound));
    default:
      return type;
  }
}

/** The type of a list of both; undefined when nothing is both. */
export function joined(a: CelType | undefined, b: CelType): CelType | undefined {
  if (!a) return b;
  if (a.kind === 'dyn' || b.kind === 'dyn') return DYN;
  if (a.kind === 'error' || typeText(a) === typeText(b)) return a;
  return fits(a, b, new Map()) ? (a.kind === 'null' ? b : a) : undefined;
}
