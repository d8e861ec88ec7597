// Expressions in CEL, as match conditions of webhooks and (later) admission policies use them. The language itself comes from
// cel-js; this file gives it Kubernetes' values and Kubernetes' words: whole numbers are ints, objects are maps, and what is
// wrong is said as the API server says it.
//
// Not modelled: the libraries that Kubernetes adds to the language (quantities, IPs, URLs, the authorizer), cost limits, and
// all of a parser's complaints at once: the first one is told.
import {Environment, type ParseResult} from '@marcbachmann/cel-js';

/** What an expression came to: a value, or why it came to none. */
export type Outcome = {readonly value: unknown} | {readonly error: string};

/** An expression that was compiled. */
export interface Expression {
  readonly source: string;
  /** What it gives, as far as that is known before it runs: `bool`, `string`, `dyn`. */
  readonly type: string;
  /** Evaluates it; all its variables must be there, null where they are nothing. */
  evaluate(variables: Readonly<Record<string, unknown>>): Outcome;
}

/** An expression, or what is wrong with its text. */
export type Compiled = {readonly expression: Expression} | {readonly error: string};

/** The variables that match conditions know. */
export const ADMISSION_VARIABLES = ['object', 'oldObject', 'request'] as const;

const environments = new Map<string, Environment>();
const compiled = new Map<string, Compiled>();
const REMEMBERED = 2000;

/** Compiles an expression over some variables, each of any type. The same text gives the same result. */
export function compileExpression(source: string, variables: readonly string[]): Compiled {
  const key = `${variables.join(',')} ${source}`;
  const known = compiled.get(key);
  if (known) return known;
  if (compiled.size >= REMEMBERED) compiled.clear();
  const made = compile(source, environmentOf(variables));
  compiled.set(key, made);
  return made;
}

function environmentOf(variables: readonly string[]): Environment {
  const key = variables.join(',');
  const known = environments.get(key);
  if (known) return known;
  const made = variables.reduce(
    (environment, name) => environment.registerVariable(name, 'dyn'),
    new Environment({homogeneousAggregateLiterals: false, enableOptionalTypes: true}),
  );
  environments.set(key, made);
  return made;
}

function compile(source: string, environment: Environment): Compiled {
  const parsed = attempt(() => environment.parse(source));
  if ('thrown' in parsed) return {error: complaint(source, syntaxError(source, parsed.thrown))};
  const checked = parsed.value.check();
  if (!checked.valid) return {error: complaint(source, typeError(checked.error))};
  return {expression: expressionOf(source, parsed.value, checked.type ?? 'dyn')};
}

function expressionOf(source: string, run: ParseResult, type: string): Expression {
  return {
    source,
    type,
    evaluate(variables) {
      const values = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, celValue(value)]));
      const done = attempt(() => run(values) as unknown);
      return 'thrown' in done ? {error: runtimeWords(done.thrown)} : done;
    },
  };
}

/** The library throws; here that becomes a value. */
function attempt<T>(run: () => T): {readonly value: T} | {readonly thrown: Thrown} {
  try {
    return {value: run()};
  } catch (error) {
    if (isThrown(error)) return {thrown: error};
    throw error;
  }
}

interface Thrown {
  readonly code: string | undefined;
  readonly summary: string | undefined;
  readonly range: {readonly start: number} | undefined;
}

function isThrown(error: unknown): error is Thrown {
  return error instanceof Error && 'summary' in error && 'range' in error && 'code' in error;
}

interface Problem {
  readonly at: number;
  readonly words: string;
}

const OPENERS =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

function syntaxError(source: string, {range}: Thrown): Problem {
  const at = range?.start ?? source.length;
  const token = /^(?:[\w]+|.)/s.exec(source.slice(at))?.[0] ?? '<EOF>';
  return {at, words: `Syntax error: mismatched input '${token}' expecting ${OPENERS}`};
}

function typeError(error: unknown): Problem {
  if (!isThrown(error)) return {at: 0, words: 'unknown error'};
  const {summary = '', range} = error;
  const at = range?.start ?? 0;
  const unknown = /^Unknown variable: (.*)$/.exec(summary)?.[1];
  if (unknown !== undefined) return {at, words: `undeclared reference to '${unknown}' (in container '')`};
  const overload = /^no such overload: (.*)$/i.exec(summary)?.[1];
  return {at, words: overload === undefined ? summary : `found no matching overload for '${overload}'`};
}

/** A problem with its place, and the line with a mark under the place. */
function complaint(source: string, {at, words}: Problem): string {
  const before = source.slice(0, at).split('\n');
  const column = before.at(-1)?.length ?? 0;
  const line = source.split('\n')[before.length - 1] ?? '';
  return `ERROR: <input>:${before.length}:${column + 1}: ${words}\n | ${line}\n | ${'.'.repeat(column)}^`;
}

/** What went wrong while it ran, as cel-go says it. */
function runtimeWords({summary = ''}: Thrown): string {
  return summary.replace(/^[A-Z](?=[a-z])/, first => first.toLowerCase());
}

const converted = new WeakMap<object, unknown>();

/** A JSON value as CEL sees it: whole numbers are ints. Parts without numbers stay the same objects. */
function celValue(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (typeof value !== 'object' || value === null) return value ?? null;
  const known = converted.get(value);
  if (known !== undefined) return known;
  const made = Array.isArray(value) ? listOf(value) : mapOf(value);
  if (Object.isFrozen(value)) converted.set(value, made);
  return made;
}

function listOf(list: readonly unknown[]): unknown {
  const made = list.map(celValue);
  return made.every((each, index) => each === list[index]) ? list : made;
}

function mapOf(map: object): unknown {
  const entries = Object.entries(map);
  const made = entries.filter(([, value]) => value !== undefined).map(([name, value]) => [name, celValue(value)] as const);
  const same = made.length === entries.length && made.every(([, value], index) => value === entries[index]?.[1]);
  return same ? map : Object.fromEntries(made);
}
