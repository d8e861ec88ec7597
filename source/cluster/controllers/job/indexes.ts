// Sets of completion indexes, in the form in which a Job's status has them: `0-2,5`.

/** Reads a set. */
export function parseIndexes(text: string | undefined, limit = Infinity): ReadonlySet<number> {
  const indexes = new Set<number>();
  for (const part of (text ?? '').split(',')) {
    const [first, last = first] = part.split('-').map(Number);
    if (part === '' || first === undefined || last === undefined) continue;
    for (let index = first; index <= last && index < limit; index++) indexes.add(index);
  }
  return indexes;
}

/** Writes a set: rows of neighbours as ranges; two neighbours too. */
export function formatIndexes(indexes: Iterable<number>): string {
  const sorted = [...indexes].toSorted((a, b) => a - b);
  const parts: string[] = [];
  for (let at = 0; at < sorted.length;) {
    const first = sorted[at] ?? 0;
    let end = at;
    while ((sorted[end + 1] ?? Number.NaN) === (sorted[end] ?? 0) + 1) end++;
    const last = sorted[end] ?? first;
    parts.push(last === first ? `${first}` : last === first + 1 ? `${first},${last}` : `${first}-${last}`);
    at = end + 1;
  }
  return parts.join(',');
}
