// The functions of templates: those of Go, and the two of kubectl. `and` and `or` are not here: they stop at the first argument
// that decides.
import {sprintf} from './format.ts';
import {GoFloat, GoInt, isTrue, typeName, valueText, wholeOf} from './values.ts';

/** Why a call went wrong. */
export class CallError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

interface FunctionSpec {
  /** Arguments at least, and at most. */
  readonly least: number;
  readonly most: number;
  /** Arguments that must be texts. */
  readonly texts?: readonly number[];
  readonly call: (args: readonly unknown[]) => unknown;
}

const HTML: Readonly<Record<string, string>> = {
  '\0': '\uFFFD',
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
};

/** All of them by name. */
export const FUNCTIONS: ReadonlyMap<string, FunctionSpec> = new Map<string, FunctionSpec>([
  ['and', {least: 1, most: Infinity, call: args => args.find(arg => !isTrue(arg)) ?? args.at(-1)}],
  ['or', {least: 1, most: Infinity, call: args => args.find(isTrue) ?? args.at(-1)}],
  ['not', {least: 1, most: 1, call: ([value]) => !isTrue(value)}],
  ['len', {least: 1, most: 1, call: ([value]) => length(value)}],
  ['index', {least: 1, most: Infinity, call: ([value, ...keys]) => keys.reduce(indexed, value)}],
  ['slice', {least: 1, most: 4, call: sliced}],
  ['print', {least: 0, most: Infinity, call: args => printed(args)}],
  ['println', {least: 0, most: Infinity, call: args => `${args.map(valueText).join(' ')}\n`}],
  ['printf', {least: 1, most: Infinity, texts: [0], call: ([format, ...values]) => sprintf(String(format), values)}],
  ['html', {least: 0, most: Infinity, call: args => printed(args).replaceAll(/[\0"'&<>]/g, letter => HTML[letter] ?? letter)}],
  ['js', {least: 0, most: Infinity, call: args => scriptText(printed(args))}],
  ['urlquery', {least: 0, most: Infinity, call: args => queryText(printed(args))}],
  ['eq', {least: 1, most: Infinity, call: equal}],
  ['ne', {least: 2, most: 2, call: args => negated(equal(args))}],
  ['lt', {least: 2, most: 2, call: args => compared(args, order => order < 0)}],
  ['le', {least: 2, most: 2, call: args => compared(args, order => order <= 0)}],
  ['gt', {least: 2, most: 2, call: args => compared(args, order => order > 0)}],
  ['ge', {least: 2, most: 2, call: args => compared(args, order => order >= 0)}],
  [
    'call',
    {
      least: 1,
      most: Infinity,
      call: ([value]) =>
        new CallError(value === null || value === undefined ? 'call of nil' : `non-function of type ${typeName(value)}`),
    },
  ],
  ['base64decode', {least: 1, most: 1, texts: [0], call: ([text]) => decoded(String(text))}],
  ['exists', {least: 1, most: Infinity, call: ([value, ...keys]) => keys.reduce<unknown>(member, value) !== undefined}],
]);

function length(value: unknown): unknown {
  if (typeof value === 'string') return new GoInt(Buffer.byteLength(value, 'utf8'));
  if (Array.isArray(value)) return new GoInt(value.length);
  if (typeof value === 'object' && value !== null && !(value instanceof GoInt)) return new GoInt(Object.keys(value).length);
  return new CallError(
    value === null || value === undefined
      ? 'reflect: call of reflect.Value.Type on zero Value'
      : `len of type ${typeName(value)}`,
  );
}

function member(value: unknown, key: unknown): unknown {
  const found = indexed(value, key);
  return found instanceof CallError || found === null ? undefined : found;
}

function indexed(value: unknown, key: unknown): unknown {
  if (value instanceof CallError) return value;
  if (value === null || value === undefined) return new CallError('index of untyped nil');
  if (Array.isArray(value) || typeof value === 'string') {
    const at = wholeOf(key);
    if (at === undefined)
      return new CallError(
        key === null || key === undefined
          ? 'cannot index slice/array with nil'
          : `cannot index slice/array with type ${typeName(key)}`,
      );
    if (at < 0 || at >= value.length) return new CallError(`index out of range: ${at}`);
    return typeof value === 'string' ? new GoInt(Buffer.from(value, 'utf8')[at] ?? 0) : (value[at] as unknown);
  }
  if (typeof value !== 'object' || value instanceof GoInt) return new CallError(`can't index item of type ${typeName(value)}`);
  if (typeof key !== 'string')
    return new CallError(
      key === null || key === undefined ? 'value is nil; should be string' : `value has type ${typeName(key)}; should be string`,
    );
  return (value as Readonly<Record<string, unknown>>)[key] ?? null;
}

function sliced([value, ...bounds]: readonly unknown[]): unknown {
  if (typeof value !== 'string' && !Array.isArray(value))
    return new CallError(
      value === null || value === undefined ? 'slice of untyped nil' : `can't slice item of type ${typeName(value)}`,
    );
  const ends: number[] = [];
  for (const bound of bounds) {
    const end = wholeOf(bound);
    if (end === undefined) return new CallError(`cannot index slice/array with type ${typeName(bound)}`);
    if (end < 0 || end > value.length) return new CallError(`index out of range: ${end}`);
    ends.push(end);
  }
  const [from = 0, to = value.length] = ends;
  return from > to ? new CallError(`invalid slice index: ${from} > ${to}`) : value.slice(from, to);
}

/** As `fmt.Sprint`: a space between two of which neither is a text. */
function printed(args: readonly unknown[]): string {
  return args
    .map(
      (arg, index) =>
        `${index > 0 && typeof arg !== 'string' && typeof args[index - 1] !== 'string' ? ' ' : ''}${valueText(arg)}`,
    )
    .join('');
}

function scriptText(text: string): string {
  return text.replaceAll(/[\\'"<>&=\n\r\t]|[\0-\x1f]/g, letter => {
    if (letter === '\\' || letter === "'" || letter === '"') return `\\${letter}`;
    return `\\u${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  });
}

function queryText(text: string): string {
  return encodeURIComponent(text)
    .replaceAll(/[!'()*]/g, letter => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

/** The kind that decides whether two values can be compared. */
function kindOf(value: unknown): string {
  if (wholeOf(value) !== undefined) return 'int';
  if (value instanceof GoFloat) return 'number';
  return value === null || value === undefined || typeof value === 'object' ? 'none' : typeof value;
}

function plain(value: unknown): unknown {
  return value instanceof GoInt || value instanceof GoFloat ? value.value : value;
}

function equal([first, ...others]: readonly unknown[]): unknown {
  if (others.length === 0) return new CallError('missing argument for comparison');
  for (const other of others) {
    if (kindOf(first) !== kindOf(other)) {
      if (first !== undefined && first !== null && other !== undefined && other !== null) return mismatch(first, other);
      continue;
    }
    if (typeof first === 'object' && first !== null && kindOf(first) === 'none')
      return new CallError(`non-comparable type ${valueText(first)}: ${typeName(first)}`);
    if (plain(first) === plain(other)) return true;
  }
  return false;
}

function mismatch(a: unknown, b: unknown): CallError {
  return new CallError(`incompatible types for comparison: ${typeName(a)} and ${typeName(b)}`);
}

function negated(value: unknown): unknown {
  return value instanceof CallError ? value : !value;
}

function compared([a, b]: readonly unknown[], fits: (order: number) => boolean): unknown {
  if (kindOf(a) === 'none' || kindOf(b) === 'none') return new CallError('invalid type for comparison');
  if (kindOf(a) !== kindOf(b)) return mismatch(a, b);
  if (typeof a === 'boolean') return new CallError('invalid type for comparison');
  const [left, right] = [plain(a) as string | number, plain(b) as string | number];
  return fits(left < right ? -1 : left > right ? 1 : 0);
}

function decoded(text: string): unknown {
  const bad = /[^A-Za-z0-9+/=]/.exec(text);
  if (bad || text.length % 4 !== 0)
    return new CallError(
      `base64 decode failed: illegal base64 data at input byte ${bad?.index ?? Math.max(0, text.length - (text.length % 4))}`,
    );
  return Buffer.from(text, 'base64').toString('utf8');
}

/** The words for a wrong number of arguments. */
export function countProblem(name: string, {least, most}: FunctionSpec, count: number): string | undefined {
  if (most === Infinity)
    return count < least ? `wrong number of args for ${name}: want at least ${least} got ${count}` : undefined;
  if (least !== most)
    return count < least || count > most ? `wrong number of args for ${name}: want at least ${least} got ${count}` : undefined;
  return count === least ? undefined : `wrong number of args for ${name}: want ${least} got ${count}`;
}

/** What is said of an argument that should be a text. */
export function textProblem(value: unknown): string {
  return value === undefined
    ? 'invalid value; expected string'
    : `wrong type for value; expected string; got ${value === null ? 'interface {}' : typeName(value)}`;
}
