// What an expression is made of.

/** Does a character belong? Characters are UTF-16 code units. */
export type Test = (code: number) => boolean;

export type Node =
  | {readonly kind: 'char'; readonly code: number}
  | {readonly kind: 'set'; readonly test: Test}
  | {readonly kind: 'row'; readonly nodes: readonly Node[]}
  | {readonly kind: 'choice'; readonly nodes: readonly Node[]}
  | {
      readonly kind: 'repeat';
      readonly node: Node;
      readonly least: number;
      readonly most: number;
      /** As few as can be; or as many, and never fewer. Absent: as many as can be. */
      readonly manner?: 'lazy' | 'possessive';
    }
  // What only the matcher that goes back can do:
  | {readonly kind: 'reference'; readonly index: number}
  | {readonly kind: 'look'; readonly node: Node; readonly behind: boolean; readonly negated: boolean}
  | {readonly kind: 'atomic'; readonly node: Node}
  | {readonly kind: 'keep'}
  | {readonly kind: 'group'; readonly node: Node; readonly index: number}
  | {readonly kind: 'place'; readonly place: Place};

/** Places between characters. */
export type Place = 'start' | 'end' | 'line-start' | 'line-end' | 'edge' | 'no-edge' | 'word-start' | 'word-end';

/** An expression that was read: its tree and the number of its groups; or words for what is wrong with it. */
export type Parsed =
  | {readonly ok: true; readonly node: Node; readonly groups: number; readonly hasReferences: boolean}
  | {readonly ok: false; readonly words: string};

/** Is it a letter, a digit or `_`? */
export function isWordCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    (code > 127 && isLetter(code))
  );
}

function isLetter(code: number): boolean {
  return /[\p{L}\p{N}]/u.test(String.fromCharCode(code));
}

/** Blank characters. */
export function isSpaceCode(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

/** Named classes of characters. */
export const CLASSES: Readonly<Record<string, Test>> = {
  alpha: code => isWordCode(code) && code !== 95 && !(code >= 48 && code <= 57),
  digit: code => code >= 48 && code <= 57,
  alnum: code => isWordCode(code) && code !== 95,
  upper: code => code >= 65 && code <= 90,
  lower: code => code >= 97 && code <= 122,
  space: isSpaceCode,
  blank: code => code === 32 || code === 9,
  punct: code => code > 32 && code < 127 && !(isWordCode(code) && code !== 95),
  cntrl: code => code < 32 || code === 127,
  print: code => code >= 32 && code !== 127,
  graph: code => code > 32 && code !== 127,
  xdigit: code => (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102),
};
