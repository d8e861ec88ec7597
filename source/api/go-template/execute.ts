// Runs a Go template over a value from JSON. What was written before it failed is kept.
import {goQuote} from '../meta/go-text.ts';
import {CallError, countProblem, FUNCTIONS, textProblem} from './functions.ts';
import {commandText, operandText, pipeText, type Command, type Node, type Operand, type Pipe, type Templates} from './nodes.ts';
import {GoFloat, GoInt, isTrue, sortedKeys, valueText, wholeOf} from './values.ts';

export interface RunOptions {
  readonly text: string;
  readonly templates: Templates;
  /** A key that a map does not have is a failure. */
  readonly strict: boolean;
}

/** Where it failed, and why. */
class RunError {
  readonly at: number;
  readonly message: string;
  /** The part that failed, as it is written. */
  readonly context: string | undefined;

  constructor(at: number, message: string, context?: string) {
    this.at = at;
    this.message = message;
    this.context = context;
  }
}

/** How deep templates may call each other. */
const MOST_DEPTH = 1000;

type Variable = [name: string, value: unknown];
type Jump = 'break' | 'continue' | undefined;

/** What was printed, and the words of the failure where there was one. */
export function runTemplate(options: RunOptions, data: unknown): {readonly output: string; readonly error?: string} {
  const run = new Run(options);
  const failed = run.start('', data, 0);
  if (!(failed instanceof RunError)) return {output: run.output};
  const before = options.text.slice(0, failed.at);
  const line = before.split('\n').length;
  const column = before.length - (before.lastIndexOf('\n') + 1);
  const place = failed.context === undefined ? '' : ` at <${failed.context}>`;
  return {
    output: run.output,
    error: `template: output:${line}:${line === 1 ? failed.at : column}: executing "output"${place}: ${failed.message}`,
  };
}

class Run {
  output = '';
  readonly #options: RunOptions;
  #variables: Variable[] = [];
  #depth = 0;

  constructor(options: RunOptions) {
    this.#options = options;
  }

  /** Runs a template by its name. */
  start(name: string, data: unknown, at: number): RunError | undefined {
    const nodes = this.#options.templates.get(name);
    if (!nodes) return new RunError(at, `template ${goQuote(name)} not defined`, `{{template ${goQuote(name)}}}`);
    if (++this.#depth > MOST_DEPTH) return new RunError(at, `exceeded maximum template depth (${MOST_DEPTH})`);
    const outer = this.#variables;
    this.#variables = [['$', data]];
    const result = this.#walk(nodes, data);
    this.#variables = outer;
    this.#depth--;
    return result instanceof RunError ? result : undefined;
  }

  #walk(nodes: readonly Node[], dot: unknown): Jump | RunError {
    for (const node of nodes) {
      const result = this.#step(node, dot);
      if (result !== undefined) return result;
    }
    return undefined;
  }

  #step(node: Node, dot: unknown): Jump | RunError {
    switch (node.type) {
      case 'text':
        this.output += node.text;
        return undefined;
      case 'break':
      case 'continue':
        return node.type;
      case 'action': {
        const value = this.#pipe(node.pipe, dot);
        if (value instanceof RunError) return value;
        if (node.pipe.variables.length === 0) this.output += value === undefined ? '<no value>' : valueText(value);
        return undefined;
      }
      case 'template': {
        const data = node.pipe ? this.#pipe(node.pipe, dot) : undefined;
        return data instanceof RunError ? data : this.start(node.name, data, node.at);
      }
      case 'range':
        return this.#scoped(() => this.#range(node, dot));
      default:
        return this.#scoped(() => this.#choose(node, dot));
    }
  }

  /** Variables of a branch end with it. */
  #scoped<T>(run: () => T): T {
    const known = this.#variables.length;
    const result = run();
    this.#variables.length = known;
    return result;
  }

  #choose(node: Extract<Node, {type: 'if' | 'with' | 'range'}>, dot: unknown): Jump | RunError {
    const value = this.#pipe(node.pipe, dot);
    if (value instanceof RunError) return value;
    if (isTrue(value)) return this.#walk(node.body, node.type === 'with' ? value : dot);
    return node.otherwise ? this.#walk(node.otherwise, dot) : undefined;
  }

  #range(node: Extract<Node, {type: 'if' | 'with' | 'range'}>, dot: unknown): Jump | RunError {
    const value = this.#pipe(node.pipe, dot);
    if (value instanceof RunError) return value;
    const rows = rowsOf(value);
    if (!rows) return this.#failed(node.pipe, `range can't iterate over ${valueText(value)}`);
    const {variables} = node.pipe;
    for (const [key, item] of rows) {
      const result = this.#scoped(() => {
        const values = variables.length > 1 ? [key, item] : [item];
        for (const [index, name] of variables.entries()) this.#set(name, values[index], node.pipe);
        return this.#walk(node.body, item);
      });
      if (result instanceof RunError) return result;
      if (result === 'break') break;
    }
    return rows.length === 0 && node.otherwise ? this.#walk(node.otherwise, dot) : undefined;
  }

  /** A failure beside the value that a pipe came to. */
  #failed(pipe: Pipe, message: string): RunError {
    const last = pipe.commands.at(-1);
    const only = last?.operands.length === 1 ? last.operands[0] : undefined;
    return new RunError(only?.at ?? pipe.at, message, only ? operandText(only) : pipeText(pipe));
  }

  #set(name: string, value: unknown, pipe: Pipe): RunError | undefined {
    const known = pipe.isAssignment ? this.#variables.findLast(([other]) => other === name) : undefined;
    if (known) known[1] = value;
    else if (pipe.isAssignment) return this.#failed(pipe, `undefined variable: ${name}`);
    else this.#variables.push([name, value]);
    return undefined;
  }

  #pipe(pipe: Pipe, dot: unknown): unknown {
    let value: unknown;
    for (const [index, command] of pipe.commands.entries()) {
      value = this.#command(command, dot, index === 0 ? undefined : {value});
      if (value instanceof RunError) return value;
      // What came out of a map as nil is no value from here on.
      if (value === null) value = undefined;
    }
    // A range gives its variables values of its own.
    if (pipe.variables.length === 1 || !isRangePipe(pipe))
      for (const name of pipe.variables) {
        const unknown = this.#set(name, value, pipe);
        if (unknown) return unknown;
      }
    return value;
  }

  #command(command: Command, dot: unknown, last: {readonly value: unknown} | undefined): unknown {
    const [first, ...rest] = command.operands;
    if (!first) return undefined;
    if (first.type === 'function') return this.#call(first, {rest, last, dot, command});
    if (first.type === 'nil') return new RunError(first.at, 'nil is not a command', 'nil');
    if (rest.length > 0 || last) {
      if (first.type === 'field' && (first.variable === undefined || first.names.length > 0)) {
        const name = first.names.at(-1) ?? '';
        return new RunError(first.at, `${name} is not a method but has arguments`, operandText(first));
      }
      return new RunError(first.at, `can't give argument to non-function ${operandText(first)}`, operandText(first));
    }
    return this.#operand(first, dot);
  }

  #call(
    first: Extract<Operand, {type: 'function'}>,
    {
      rest,
      last,
      dot,
      command,
    }: {rest: readonly Operand[]; last: {readonly value: unknown} | undefined; dot: unknown; command: Command},
  ): unknown {
    const spec = FUNCTIONS.get(first.name);
    if (!spec) return new RunError(first.at, `${goQuote(first.name)} is not a defined function`, first.name);
    const wrongCount = countProblem(first.name, spec, rest.length + (last ? 1 : 0));
    if (wrongCount !== undefined) return new RunError(first.at, wrongCount, first.name);
    const args: unknown[] = [];
    for (const [index, operand] of rest.entries()) {
      const value = this.#operand(operand, dot);
      if (value instanceof RunError) return value;
      if (spec.texts?.includes(index) && typeof value !== 'string')
        return new RunError(operand.at, textProblem(value), operandText(operand));
      args.push(value);
      if (first.name === 'and' && !isTrue(value)) return value;
      if (first.name === 'or' && isTrue(value)) return value;
    }
    if (last) args.push(last.value);
    if (last && spec.texts?.includes(args.length - 1) && typeof last.value !== 'string')
      return new RunError(first.at, textProblem(last.value), operandText(first));
    const result = spec.call(args);
    return result instanceof CallError
      ? new RunError(
          first.at,
          `error calling ${first.name}: ${result.message}`,
          rest.length > 0 || last ? commandText(command) : first.name,
        )
      : result;
  }

  #operand(operand: Operand, dot: unknown): unknown {
    switch (operand.type) {
      case 'dot':
        return dot;
      case 'nil':
        return null;
      case 'constant':
        return operand.value;
      case 'pipe':
        return this.#pipe(operand.pipe, dot);
      case 'function':
        return this.#call(operand, {rest: [], last: undefined, dot, command: {at: operand.at, operands: [operand]}});
      case 'field': {
        const from = operand.variable === undefined ? dot : this.#variables.findLast(([name]) => name === operand.variable)?.[1];
        return this.#fields(operand, from);
      }
      case 'chain': {
        const from = this.#operand(operand.from, dot);
        return from instanceof RunError ? from : this.#fields(operand, from);
      }
    }
  }

  #fields(operand: Extract<Operand, {type: 'field' | 'chain'}>, from: unknown): unknown {
    let value = from;
    for (const name of operand.names) {
      const next = this.#field(value, name);
      if (next instanceof CallError) return new RunError(operand.at, next.message, operandText(operand));
      value = next;
    }
    return value;
  }

  #field(value: unknown, name: string): unknown {
    const {strict} = this.#options;
    if (value === undefined) return strict ? new CallError(`nil data; no entry for key ${goQuote(name)}`) : undefined;
    if (value === null) return new CallError(`nil pointer evaluating interface {}.${name}`);
    if (typeof value !== 'object' || Array.isArray(value) || value instanceof GoInt || value instanceof GoFloat)
      return new CallError(`can't evaluate field ${name} in type ${value instanceof GoInt ? 'int' : 'interface {}'}`);
    if (Object.hasOwn(value, name)) return (value as Readonly<Record<string, unknown>>)[name];
    return strict ? new CallError(`map has no entry for key ${goQuote(name)}`) : undefined;
  }
}

function isRangePipe({variables}: Pipe): boolean {
  return variables.length > 1;
}

/** Keys and items of what can be gone through. */
function rowsOf(value: unknown): (readonly [unknown, unknown])[] | undefined {
  if (value === undefined || value === null) return [];
  const whole = wholeOf(value);
  if (whole !== undefined)
    return Array.from({length: Math.max(0, whole)}, (_item, index) => [new GoInt(index), new GoInt(index)] as const);
  if (Array.isArray(value)) return value.map((item: unknown, index) => [new GoInt(index), item] as const);
  if (typeof value !== 'object') return undefined;
  return sortedKeys(value).map(key => [key, (value as Readonly<Record<string, unknown>>)[key]] as const);
}
