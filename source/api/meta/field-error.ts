// What is wrong with one field of an object: where, what kind of wrong, the value, and a sentence. A list of these is what
// validation returns and what a Status of reason Invalid carries as causes.
import {aggregated, goQuote} from './go-text.ts';

export type FieldErrorKind =
  | 'NotFound'
  | 'Required'
  | 'Duplicate'
  | 'Invalid'
  | 'NotSupported'
  | 'Forbidden'
  | 'TooLong'
  | 'TooMany'
  | 'Internal'
  | 'TypeInvalid';

/** One thing that is wrong. */
export interface FieldError {
  readonly kind: FieldErrorKind;
  /** The path as it is printed: `spec.containers[0].name`. */
  readonly field: string;
  /** What stands there; not printed for Required, Forbidden, TooLong and Internal. */
  readonly value: unknown;
  readonly detail: string;
}

const WORDS: Readonly<Record<FieldErrorKind, string>> = {
  NotFound: 'Not found',
  Required: 'Required value',
  Duplicate: 'Duplicate value',
  Invalid: 'Invalid value',
  NotSupported: 'Unsupported value',
  Forbidden: 'Forbidden',
  TooLong: 'Too long',
  TooMany: 'Too many',
  Internal: 'Internal error',
  TypeInvalid: 'Invalid value',
};

const WITHOUT_VALUE: ReadonlySet<FieldErrorKind> = new Set(['Required', 'Forbidden', 'TooLong', 'Internal']);

/** A value with its text ready made, for values that Go prints in its own way. */
export class Printed {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** The value of an error that does not show what stands there, because it is large. */
export const OMITTED: unique symbol = Symbol('omitted');

/** The reason that a cause of a Status carries. */
export function causeReason(kind: FieldErrorKind): string {
  return kind === 'Internal' ? 'InternalError' : `FieldValue${kind}`;
}

/** The error without its path: `Invalid value: "x": must be …`. */
export function fieldErrorBody(error: FieldError): string {
  const head =
    WITHOUT_VALUE.has(error.kind) || error.value === OMITTED
      ? WORDS[error.kind]
      : `${WORDS[error.kind]}: ${printValue(error.value)}`;
  return error.detail === '' ? head : `${head}: ${error.detail}`;
}

/** The error with its path. */
export function fieldErrorText(error: FieldError): string {
  return `${error.field}: ${fieldErrorBody(error)}`;
}

/** Many errors in one sentence. */
export function aggregateText(errors: readonly FieldError[]): string {
  return aggregated(errors.map(fieldErrorText)) ?? '[]';
}

function printValue(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  if (value instanceof Printed) return value.text;
  if (typeof value === 'string') return goQuote(value);
  return goJson(value);
}

/** JSON as Go writes it: the signs of HTML are escaped. */
function goJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('>', String.raw`\u003e`)
    .replaceAll('&', String.raw`\u0026`);
}

type Place = string | FieldPath;

export const notFoundValue = (field: Place, value: unknown): FieldError => make('NotFound', field, {value});
export const required = (field: Place, detail = ''): FieldError => make('Required', field, {value: '', detail});
export const duplicate = (field: Place, value: unknown): FieldError => make('Duplicate', field, {value});
export const invalid = (field: Place, value: unknown, detail: string): FieldError => make('Invalid', field, {value, detail});
export const forbiddenField = (field: Place, detail: string): FieldError => make('Forbidden', field, {value: '', detail});

/** `supported values: "A", "B"`, in the order given. */
export function notSupported(field: Place, value: unknown, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`;
  return make('NotSupported', field, {value, detail});
}

/** `may not be more than N bytes`. */
export function tooLong(field: Place, most: number): FieldError {
  return make('TooLong', field, {value: '', detail: most >= 0 ? `may not be more than ${most} bytes` : 'value is too long'});
}

/** `must have at most N items`. */
export function tooMany(field: Place, actual: number, most: number): FieldError {
  return make('TooMany', field, {
    value: actual,
    detail: most >= 0 ? `must have at most ${most} item${most === 1 ? '' : 's'}` : 'has too many items',
  });
}

function make(kind: FieldErrorKind, field: Place, rest: {value: unknown; detail?: string}): FieldError {
  return {kind, field: String(field), value: rest.value, detail: rest.detail ?? ''};
}

/** Where a validator stands. Its text is made only when an error needs it. */
export class FieldPath {
  readonly #parent: FieldPath | undefined;
  readonly #step: string;

  constructor(step: string, parent?: FieldPath) {
    this.#step = step;
    this.#parent = parent;
  }

  /** A field, or a field of a field. */
  child(name: string, ...more: readonly string[]): FieldPath {
    return more.reduce(
      (path, step) => new FieldPath(`.${step}`, path),
      new FieldPath(this.#step === '' ? name : `.${name}`, this),
    );
  }

  /** An item of a list. */
  index(index: number): FieldPath {
    return new FieldPath(`[${index}]`, this);
  }

  /** A value of a map. */
  key(key: string): FieldPath {
    return new FieldPath(`[${key}]`, this);
  }

  toString(): string {
    return `${this.#parent?.toString() ?? ''}${this.#step}`;
  }
}

/** The path of a top field: `root('spec')`. */
export function root(name: string, ...more: readonly string[]): FieldPath {
  return more.reduce((path, step) => new FieldPath(`.${step}`, path), new FieldPath(name));
}
