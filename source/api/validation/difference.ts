// The difference of two objects as lines of JSON: the changed lines with `-` and `+`, three lines around them.

const AROUND = 3;

/** Hunks in the unified form. */
export function lineDifference(before: unknown, after: unknown): string {
  return hunks(editScript(toLines(before), toLines(after)));
}

function toLines(value: unknown): string[] {
  return JSON.stringify(value, null, 1).split('\n');
}

interface Line {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** The shortest way from the one to the other, between a common head and a common tail. */
function editScript(a: readonly string[], b: readonly string[]): Line[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const same = (text: string): Line => ({sign: ' ', text});
  const middle = longestCommon(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  return [...a.slice(0, head).map(same), ...middle, ...a.slice(a.length - tail).map(same)];
}

function longestCommon(a: readonly string[], b: readonly string[]): Line[] {
  const lengths = Array.from({length: a.length + 1}, () => new Uint32Array(b.length + 1));
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    const row = lengths[i];
    for (let j = b.length - 1; row && j >= 0; j--)
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const out: Line[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      out.push({sign: ' ', text: a[i] ?? ''});
      i++;
      j++;
    } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1))) out.push({sign: '-', text: a[i++] ?? ''});
    else out.push({sign: '+', text: b[j++] ?? ''});
  }
  return out;
}

function hunks(lines: readonly Line[]): string {
  const near = lines.map((_, i) => lines.slice(Math.max(0, i - AROUND), i + AROUND + 1).some(({sign}) => sign !== ' '));
  let out = '';
  let [old, fresh] = [1, 1];
  for (let i = 0; i < lines.length; i++) {
    if (!near[i]) {
      old++;
      fresh++;
      continue;
    }
    let end = i;
    while (end < lines.length && near[end]) end++;
    const part = lines.slice(i, end);
    const counts = {old: part.filter(({sign}) => sign !== '+').length, fresh: part.filter(({sign}) => sign !== '-').length};
    out += `@@ -${old},${counts.old} +${fresh},${counts.fresh} @@\n${part.map(({sign, text}) => `${sign}${text}\n`).join('')}`;
    old += counts.old;
    fresh += counts.fresh;
    i = end - 1;
  }
  return out;
}
