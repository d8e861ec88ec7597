// Patterns without groups: runs of single characters with stars between them. The first run stands at the start, the others are
// found one after the other, leftmost first. Where the runs behind the first are not found from some place on, they are not found
// from any later place either; so looking for matches all through a text takes little more than one pass.

/** What matches one character. */
export type Single =
  | {readonly kind: 'char'; readonly char: string}
  | {readonly kind: 'any'}
  | {readonly kind: 'set'; readonly test: (char: string) => boolean};

interface Run {
  readonly singles: readonly Single[];
  /** The text that it is, when it has no special characters. */
  readonly literal: string | undefined;
}

/** Cuts at the stars. */
export function runsOf(elements: readonly (Single | {readonly kind: string})[]): readonly Run[] {
  const rows: Single[][] = [[]];
  for (const element of elements) {
    if (element.kind === 'star') rows.push([]);
    else rows.at(-1)?.push(element as Single);
  }
  return rows.map(singles => ({
    singles,
    literal: singles.every(each => each.kind === 'char')
      ? singles.map(each => (each.kind === 'char' ? each.char : '')).join('')
      : undefined,
  }));
}

function fits({singles, literal}: Run, text: string, at: number): boolean {
  if (literal !== undefined) return text.startsWith(literal, at);
  if (at + singles.length > text.length) return false;
  for (const [index, single] of singles.entries()) {
    const char = text[at + index] ?? '';
    if (single.kind === 'char' ? char !== single.char : single.kind === 'set' && !single.test(char)) return false;
  }
  return true;
}

function findFirst(run: Run, text: string, from: number): number {
  if (run.literal !== undefined) return text.indexOf(run.literal, from);
  for (let at = from; at + run.singles.length <= text.length; at++) if (fits(run, text, at)) return at;
  return -1;
}

function findLast(run: Run, text: string, from: number): number {
  for (let at = text.length - run.singles.length; at >= from; at--) if (fits(run, text, at)) return at;
  return -1;
}

/** Does it match the whole text? */
export function matchesWhole(runs: readonly Run[], text: string): boolean {
  const [first, ...others] = runs;
  const last = others.pop();
  if (!first || !fits(first, text, 0)) return false;
  if (!last) return first.singles.length === text.length;
  let at = first.singles.length;
  for (const run of others) {
    at = findFirst(run, text, at);
    if (at < 0) return false;
    at += run.singles.length;
  }
  const end = text.length - last.singles.length;
  return end >= at && fits(last, text, end);
}

/** Finds the end of the longest match that begins at a place. */
export function finderOf(runs: readonly Run[], text: string): (from: number) => number | undefined {
  const [first, ...others] = runs;
  const last = others.pop();
  let hopeless = Infinity;
  return from => {
    if (!first || !fits(first, text, from)) return undefined;
    const start = from + first.singles.length;
    if (!last) return start;
    if (start >= hopeless) return undefined;
    let at = start;
    for (const run of others) {
      at = findFirst(run, text, at);
      if (at < 0) break;
      at += run.singles.length;
    }
    const found = at < 0 ? -1 : findLast(last, text, at);
    if (found < 0) {
      hopeless = start;
      return undefined;
    }
    return found + last.singles.length;
  };
}
