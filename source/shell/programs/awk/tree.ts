// What a program of awk is made of.

export type Expression =
  | {readonly type: 'number'; readonly value: number}
  | {readonly type: 'string'; readonly value: string}
  | {readonly type: 'regex'; readonly source: string}
  | {readonly type: 'group'; readonly inner: Expression}
  | Target
  | {readonly type: 'assign'; readonly operator: string; readonly target: Target; readonly value: Expression}
  | {readonly type: 'step'; readonly isPrefix: boolean; readonly by: 1 | -1; readonly target: Target}
  | {readonly type: 'unary'; readonly operator: string; readonly operand: Expression}
  | {readonly type: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression}
  | {readonly type: 'match'; readonly isNegated: boolean; readonly left: Expression; readonly right: Expression}
  | {readonly type: 'in'; readonly keys: readonly Expression[]; readonly array: string}
  | {readonly type: 'choice'; readonly test: Expression; readonly yes: Expression; readonly no: Expression}
  | {readonly type: 'call'; readonly name: string; readonly args: readonly Expression[]; readonly isOwn: boolean}
  | {
      readonly type: 'getline';
      readonly target: Target | undefined;
      readonly from: 'input' | 'file' | 'command';
      readonly source: Expression | undefined;
    };

/** What can be assigned to. */
export type Target =
  | {readonly type: 'variable'; readonly name: string}
  | {readonly type: 'element'; readonly name: string; readonly keys: readonly Expression[]}
  | {readonly type: 'field'; readonly index: Expression};

export type Statement =
  | {readonly type: 'expression'; readonly expression: Expression}
  | {
      readonly type: 'print';
      readonly isFormatted: boolean;
      readonly args: readonly Expression[];
      readonly redirect: {readonly operator: string; readonly to: Expression} | undefined;
    }
  | {readonly type: 'block'; readonly body: readonly Statement[]}
  | {readonly type: 'if'; readonly test: Expression; readonly yes: Statement; readonly no: Statement | undefined}
  | {readonly type: 'while'; readonly test: Expression; readonly body: Statement; readonly isFirst: boolean}
  | {
      readonly type: 'for';
      readonly start: Statement | undefined;
      readonly test: Expression | undefined;
      readonly step: Statement | undefined;
      readonly body: Statement;
    }
  | {readonly type: 'forIn'; readonly variable: string; readonly array: string; readonly body: Statement}
  | {readonly type: 'leave'; readonly kind: 'next' | 'nextfile' | 'break' | 'continue'}
  | {readonly type: 'exit' | 'return'; readonly value: Expression | undefined}
  | {readonly type: 'delete'; readonly name: string; readonly keys: readonly Expression[] | undefined};

export interface Rule {
  readonly kind: 'BEGIN' | 'END' | 'main';
  readonly first: Expression | undefined;
  readonly second: Expression | undefined;
  /** Absent: print the record. */
  readonly body: Statement | undefined;
  isOn: boolean;
}

export interface AwkFunction {
  readonly parameters: readonly string[];
  readonly body: Statement;
}

export interface AwkProgram {
  readonly rules: readonly Rule[];
  readonly functions: ReadonlyMap<string, AwkFunction>;
}
