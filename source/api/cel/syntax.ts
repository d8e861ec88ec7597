// The parts of an expression in CEL. Each part knows where it stands in the text: at its operator, its dot or its bracket, since that is
// where complaints point.

/** A part of an expression. */
export type Node =
  | {readonly type: 'constant'; readonly at: number; readonly value: Constant}
  | {readonly type: 'name'; readonly at: number; readonly name: string}
  | {readonly type: 'select'; readonly at: number; readonly of: Node; readonly field: string; readonly optional: boolean}
  | {readonly type: 'has'; readonly at: number; readonly of: Node; readonly field: string}
  | {
      readonly type: 'call';
      readonly at: number;
      readonly name: string;
      readonly target: Node | undefined;
      readonly args: readonly Node[];
    }
  | {readonly type: 'list'; readonly at: number; readonly items: readonly Item[]}
  | {readonly type: 'map'; readonly at: number; readonly entries: readonly Entry[]}
  | {readonly type: 'struct'; readonly at: number; readonly name: string; readonly entries: readonly Entry[]}
  | Comprehension
  | {
      readonly type: 'bind';
      readonly at: number;
      readonly kind: 'optMap' | 'optFlatMap';
      readonly of: Node;
      readonly name: string;
      readonly body: Node;
    };

export interface Item {
  readonly value: Node;
  readonly optional: boolean;
}

export interface Entry {
  readonly key: Node;
  readonly value: Node;
  readonly optional: boolean;
}

export type ComprehensionKind =
  | 'all'
  | 'exists'
  | 'existsOne'
  | 'map'
  | 'filter'
  | 'transformList'
  | 'transformMap'
  | 'transformMapEntry';

/** A macro that goes over a list or map. */
export interface Comprehension {
  readonly type: 'comprehension';
  readonly at: number;
  readonly kind: ComprehensionKind;
  readonly range: Node;
  /** One name for items (or keys), two for index (or key) and value. */
  readonly names: readonly string[];
  readonly condition: Node | undefined;
  readonly body: Node;
}

/** A uint is told apart from an int by its class. */
export class Uint {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

export type Constant = null | boolean | bigint | number | string | Uint8Array | Uint;

/** Something wrong at a place. */
export interface Problem {
  readonly at: number;
  readonly words: string;
}

/** Problems with their places, and each line with a mark under the place. */
export function complaint(source: string, problems: readonly Problem[]): string {
  return problems.map(problem => oneComplaint(source, problem)).join('\n');
}

function oneComplaint(source: string, {at, words}: Problem): string {
  const before = source.slice(0, at).split('\n');
  const column = [...(before.at(-1) ?? '')].length;
  const line = source.split('\n')[before.length - 1] ?? '';
  return `ERROR: <input>:${before.length}:${column + 1}: ${words}\n | ${line.replaceAll('\t', ' ')}\n | ${'.'.repeat(column)}^`;
}
