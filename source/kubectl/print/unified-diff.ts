// The difference of two texts as `diff -u` shows it: the fewest lines that differ, with three lines of context around them.
import {shortestEdit} from './shortest-edit.ts';

/** How many equal lines stand around a change. */
const CONTEXT = 3;

interface Step {
  readonly sign: ' ' | '-' | '+';
  readonly line: string;
}

/** The hunks; empty when the texts are the same. */
export function unifiedHunks(before: string, after: string): string {
  const steps = stepsOf(linesOf(before), linesOf(after));
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
  for (let index = first; index < steps.length && index - last <= 2 * CONTEXT + 1; index++)
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

/** The lines of both sides in one row: what goes stands before what comes. */
function stepsOf(a: readonly string[], b: readonly string[]): Step[] {
  const {before, after} = shortestEdit(a, b);
  const steps: Step[] = [];
  for (let x = 0, y = 0; x < a.length || y < b.length;) {
    if (before[x]) steps.push({sign: '-', line: a[x++] ?? ''});
    else if (after[y]) steps.push({sign: '+', line: b[y++] ?? ''});
    else {
      steps.push({sign: ' ', line: a[x++] ?? ''});
      y++;
    }
  }
  return steps;
}
