// The difference of two texts as `diff -u` shows it: the fewest lines that differ, with three lines of context around them.

/** How many equal lines stand around a change. */
const CONTEXT = 3;

interface Step {
  readonly sign: ' ' | '-' | '+';
  readonly line: string;
}

/** The hunks; empty when the texts are the same. */
export function unifiedHunks(before: string, after: string): string {
  const steps = shortestEdit(linesOf(before), linesOf(after));
  let text = '';
  for (let at = 0; at < steps.length;) {
    const first = steps.findIndex((step, index) => index >= at && step.sign !== ' ');
    if (first < 0) break;
    const end = endOfHunk(steps, first);
    text += hunkText(steps, Math.max(at, first - CONTEXT), end);
    at = end;
  }
  return text;
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

/** Changes whose contexts touch stand in one hunk. */
function endOfHunk(steps: readonly Step[], first: number): number {
  let last = first;
  for (let index = first; index < steps.length && index - last <= 2 * CONTEXT; index++)
    if (steps[index]?.sign !== ' ') last = index;
  return Math.min(steps.length, last + CONTEXT + 1);
}

function hunkText(steps: readonly Step[], from: number, to: number): string {
  const count = (signs: string, some: readonly Step[]) => some.filter(({sign}) => signs.includes(sign)).length;
  const hunk = steps.slice(from, to);
  const [oldBefore, newBefore] = [count(' -', steps.slice(0, from)), count(' +', steps.slice(0, from))];
  const range = (start: number, length: number) =>
    length === 1 ? `${start + 1}` : `${length === 0 ? start : start + 1},${length}`;
  const head = `@@ -${range(oldBefore, count(' -', hunk))} +${range(newBefore, count(' +', hunk))} @@\n`;
  return head + hunk.map(({sign, line}) => `${sign}${line}\n`).join('');
}

/** Myers: the furthest that each diagonal reaches with so many changes, and the way back from the end. */
function shortestEdit(a: readonly string[], b: readonly string[]): Step[] {
  const reached: Map<number, number>[] = [];
  let front = new Map<number, number>([[1, 0]]);
  for (let changes = 0; ; changes++) {
    reached.push(new Map(front));
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      const [left, above] = [front.get(diagonal - 1) ?? -1, front.get(diagonal + 1) ?? -1];
      let x = diagonal === -changes || (diagonal !== changes && left < above) ? above : left + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      front.set(diagonal, x);
      if (x >= a.length && x - diagonal >= b.length) return wayBack(a, b, reached);
    }
    front = new Map(front);
  }
}

function wayBack(a: readonly string[], b: readonly string[], reached: readonly Map<number, number>[]): Step[] {
  const steps: Step[] = [];
  let [x, y] = [a.length, b.length];
  for (let changes = reached.length - 1; changes >= 0; changes--) {
    const front = reached[changes] ?? new Map<number, number>();
    const diagonal = x - y;
    const [left, above] = [front.get(diagonal - 1) ?? -1, front.get(diagonal + 1) ?? -1];
    const from = diagonal === -changes || (diagonal !== changes && left < above) ? diagonal + 1 : diagonal - 1;
    const fromX = front.get(from) ?? 0;
    const fromY = fromX - from;
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      steps.push({sign: ' ', line: a[--x] ?? ''});
      y--;
    }
    if (changes === 0) break;
    if (x === fromX) steps.push({sign: '+', line: b[--y] ?? ''});
    else steps.push({sign: '-', line: a[--x] ?? ''});
  }
  return steps.reverse();
}
