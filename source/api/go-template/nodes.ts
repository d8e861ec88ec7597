// What a Go template is made of, and how each part is written: messages quote the part that failed.

/** Something that has a value. */
export type Operand =
  | {readonly type: 'dot' | 'nil'; readonly at: number}
  | {readonly type: 'constant'; readonly at: number; readonly text: string; readonly value: unknown}
  | {readonly type: 'function'; readonly at: number; readonly name: string}
  /** `.a.b`, `$x.a`: a variable or the dot, and fields of it. */
  | {readonly type: 'field'; readonly at: number; readonly variable: string | undefined; readonly names: readonly string[]}
  /** `(…).a`. */
  | {readonly type: 'chain'; readonly at: number; readonly from: Operand; readonly names: readonly string[]}
  | {readonly type: 'pipe'; readonly at: number; readonly pipe: Pipe};

/** Operands one after the other: a function and its arguments, or a value alone. */
export interface Command {
  readonly at: number;
  readonly operands: readonly Operand[];
}

/** Commands, each of which gets the value of the one before. */
export interface Pipe {
  readonly at: number;
  /** Variables that are given its value. */
  readonly variables: readonly string[];
  /** They are there already. */
  readonly isAssignment: boolean;
  readonly commands: readonly Command[];
}

export type Node =
  | {readonly type: 'text'; readonly at: number; readonly text: string}
  | {readonly type: 'action'; readonly at: number; readonly pipe: Pipe}
  | {
      readonly type: 'if' | 'with' | 'range';
      readonly at: number;
      readonly pipe: Pipe;
      readonly body: readonly Node[];
      readonly otherwise: readonly Node[] | undefined;
    }
  | {readonly type: 'template'; readonly at: number; readonly name: string; readonly pipe: Pipe | undefined}
  | {readonly type: 'break' | 'continue'; readonly at: number};

/** The templates of a text by their names. */
export type Templates = ReadonlyMap<string, readonly Node[]>;

/** A pipe as it is written. */
export function pipeText({variables, isAssignment, commands}: Pipe): string {
  const head = variables.length > 0 ? `${variables.join(', ')} ${isAssignment ? '=' : ':='} ` : '';
  return head + commands.map(commandText).join(' | ');
}

export function commandText({operands}: Command): string {
  return operands.map(operandText).join(' ');
}

export function operandText(operand: Operand): string {
  switch (operand.type) {
    case 'dot':
      return '.';
    case 'nil':
      return 'nil';
    case 'constant':
      return operand.text;
    case 'function':
      return operand.name;
    case 'field':
      return operand.variable === undefined ? `.${operand.names.join('.')}` : [operand.variable, ...operand.names].join('.');
    case 'chain':
      return `${operand.from.type === 'pipe' ? `(${operandText(operand.from)})` : operandText(operand.from)}.${operand.names.join('.')}`;
    case 'pipe':
      return pipeText(operand.pipe);
  }
}
