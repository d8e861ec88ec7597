// Expressions in CEL, as rules of definitions, admission policies and match conditions of webhooks use them: text in, and either an
// expression that can be evaluated or cel-go's complaint out. The same text over the same variables is compiled once.
//
// Not modelled: what an evaluation costs (it is bounded by steps instead; the cost that is estimated before is in cost.ts).
import {check} from './checker.ts';
import type {Variables} from './environment.ts';
import {run, type Scope} from './evaluate.ts';
import {literalProblems} from './literals.ts';
import {parse} from './parser.ts';
import {complaint, type Node} from './syntax.ts';
import {type CelType, DYN, typeText} from './types.ts';
import {CelError} from './values.ts';
import {celValue} from './convert.ts';

/** What an expression came to: a value, or why it came to none. */
export type Outcome = {readonly value: unknown} | {readonly error: string};

/** An expression that was compiled. */
export interface Expression {
  readonly source: string;
  readonly node: Node;
  /** What it gives, as far as that is known before it runs. */
  readonly type: CelType;
  readonly types: ReadonlyMap<Node, CelType>;
  /** Evaluates it over values of JSON; null where a variable is nothing. */
  evaluate(variables: Readonly<Record<string, unknown>>): Outcome;
  /** Evaluates it over values of CEL. */
  run(scope: Scope): Outcome;
}

/** An expression, or what is wrong with its text. */
export type Compiled = {readonly expression: Expression} | {readonly error: string};

/** The variables that match conditions know, each of any type. */
export const ADMISSION_VARIABLES: Variables = Object.freeze({object: DYN, oldObject: DYN, request: DYN});

const REMEMBERED = 500;
const compiled = new WeakMap<Variables, Map<string, Compiled>>();

/** Compiles an expression over some variables. */
export function compileExpression(source: string, variables: Variables): Compiled {
  const known = compiled.get(variables) ?? new Map<string, Compiled>();
  compiled.set(variables, known);
  const before = known.get(source);
  if (before) return before;
  if (known.size >= REMEMBERED) known.clear();
  const made = compile(source, variables);
  known.set(source, made);
  return made;
}

function compile(source: string, variables: Variables): Compiled {
  const parsed = parse(source);
  if ('problems' in parsed) return {error: complaint(source, parsed.problems)};
  const {node} = parsed;
  const {type, types, problems} = check(node, variables);
  const found = problems.length > 0 ? problems : literalProblems(node, types);
  if (found.length > 0) return {error: complaint(source, found)};
  const expression: Expression = {
    source,
    node,
    type,
    types,
    evaluate: given => attempt(node, Object.fromEntries(Object.entries(given).map(([name, value]) => [name, celValue(value)]))),
    run: scope => attempt(node, scope),
  };
  return {expression};
}

/** An expression that fails throws; here that becomes a value. */
function attempt(node: Node, scope: Scope): Outcome {
  try {
    return {value: run(node, scope)};
  } catch (error) {
    if (error instanceof CelError) return {error: error.message};
    throw error;
  }
}

/** Is what it gives, as far as one knows, of a kind? */
export function gives({type}: Expression, ...kinds: readonly CelType['kind'][]): boolean {
  return type.kind === 'dyn' || kinds.includes(type.kind);
}

/** The name of what it gives. */
export function resultName({type}: Expression): string {
  return typeText(type);
}

/** The names that an expression speaks of. */
export function namesIn(node: Node): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (each: unknown): void => {
    if (Array.isArray(each)) each.forEach(visit);
    else if (typeof each === 'object' && each !== null) {
      const {type, name} = each as {readonly type?: unknown; readonly name?: unknown};
      if (type === 'name' && typeof name === 'string') names.add(name);
      Object.values(each).forEach(visit);
    }
  };
  visit(node);
  return names;
}
