// The fewest lines that make one text of another (Myers), laid where `diff` lays them: a run of changed lines that could stand
// further down as well, as its neighbours are equal, goes down, but stays beside a change of the other side.

/** Which lines of either side are not in the other. */
export interface Changed {
  readonly before: readonly boolean[];
  readonly after: readonly boolean[];
}

/** Finds what changed. */
export function shortestEdit(a: readonly string[], b: readonly string[]): Changed {
  const before = a.map(() => false);
  const after = b.map(() => false);
  mark(a, b, {before, after});
  settle(a, before, after);
  settle(b, after, before);
  return {before, after};
}

interface Marks {
  readonly before: boolean[];
  readonly after: boolean[];
}

/** The furthest that each diagonal reaches with so many changes, then the way back from the end. */
function mark(a: readonly string[], b: readonly string[], marks: Marks): void {
  const reached: Map<number, number>[] = [];
  let front = new Map<number, number>([[1, 0]]);
  for (let changes = 0; ; changes++) {
    reached.push(new Map(front));
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let x = front.get(stepFrom(front, diagonal, changes)) ?? 0;
      if (stepFrom(front, diagonal, changes) < diagonal) x++;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      front.set(diagonal, x);
      if (x >= a.length && x - diagonal >= b.length) return walkBack({x: a.length, y: b.length}, reached, marks);
    }
    front = new Map(front);
  }
}

/** The diagonal from which a step leads furthest onto this one. */
function stepFrom(front: ReadonlyMap<number, number>, diagonal: number, changes: number): number {
  const [left, above] = [front.get(diagonal - 1) ?? -1, front.get(diagonal + 1) ?? -1];
  return diagonal === -changes || (diagonal !== changes && left < above) ? diagonal + 1 : diagonal - 1;
}

function walkBack(end: {x: number; y: number}, reached: readonly ReadonlyMap<number, number>[], marks: Marks): void {
  let {x, y} = end;
  for (let changes = reached.length - 1; changes > 0; changes--) {
    const front = reached[changes] ?? new Map<number, number>();
    const from = stepFrom(front, x - y, changes);
    const isRemoval = from < x - y;
    x = front.get(from) ?? 0;
    y = x - from;
    if (isRemoval) marks.before[x] = true;
    else marks.after[y] = true;
  }
}

/** Slides the runs of one side. */
function settle(lines: readonly string[], own: boolean[], other: readonly boolean[]): void {
  for (let at = 0, beside = 0; ;) {
    while (at < lines.length && !own[at]) {
      while (other[beside]) beside++;
      beside++;
      at++;
    }
    if (at >= lines.length) return;
    ({end: at, beside} = slide({start: at, end: endOfRun(own, at), beside: endOfRun(other, beside)}, lines, {own, other}));
  }
}

function endOfRun(marks: readonly boolean[], from: number): number {
  let at = from;
  while (marks[at]) at++;
  return at;
}

interface Run {
  start: number;
  end: number;
  /** The line of the other side that stands beside the end. */
  beside: number;
}

/** Up as far as it goes, so that it meets runs before it; down as far as it goes; then up to the last change beside it. */
function slide(run: Run, lines: readonly string[], {own, other}: {own: boolean[]; other: readonly boolean[]}): Run {
  const up = () => {
    own[--run.start] = true;
    own[--run.end] = false;
    while (own[run.start - 1]) run.start--;
    do run.beside--;
    while (other[run.beside]);
  };
  let meeting = lines.length + 1;
  for (let length = -1; length !== run.end - run.start;) {
    length = run.end - run.start;
    while (run.start > 0 && lines[run.start - 1] === lines[run.end - 1]) up();
    meeting = other[run.beside - 1] ? run.end : lines.length + 1;
    while (run.end < lines.length && lines[run.start] === lines[run.end]) {
      own[run.start++] = false;
      own[run.end++] = true;
      run.end = endOfRun(own, run.end);
      run.beside++;
      while (other[run.beside]) {
        run.beside++;
        meeting = run.end;
      }
    }
  }
  while (meeting < run.end) up();
  return run;
}
