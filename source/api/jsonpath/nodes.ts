// The parts of a JSONPath template.

export type PathNode =
  | {readonly type: 'list'; readonly nodes: PathNode[]}
  | {readonly type: 'text'; readonly text: string}
  | {readonly type: 'field'; readonly name: string}
  | {readonly type: 'identifier'; readonly name: string}
  | {readonly type: 'slice'; readonly slice: Slice}
  | {readonly type: 'filter'; readonly left: PathNode; readonly right: PathNode; readonly operator: string}
  | {readonly type: 'value'; readonly value: number | boolean}
  | {readonly type: 'wildcard'}
  | {readonly type: 'recursive'}
  | {readonly type: 'union'; readonly parts: readonly PathNode[]};

export type ListNode = Extract<PathNode, {type: 'list'}>;

/** `[from:to:step]`; a single index ends one behind it. */
export interface Slice {
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** The end was not written: it is one behind the start. */
  readonly derived: boolean;
  readonly step: number | undefined;
}
