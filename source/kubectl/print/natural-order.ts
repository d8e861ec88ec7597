// The order in which people count: `pod-2` before `pod-10`.

/** Below 0 when `a` comes first. */
export function compareNaturally(a: string, b: string): number {
  const left = a.match(/\d+|\D+/g) ?? [];
  const right = b.match(/\d+|\D+/g) ?? [];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = comparePart(left[i] ?? '', right[i] ?? '');
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function comparePart(a: string, b: string): number {
  if (/^\d/.test(a) && /^\d/.test(b)) {
    const difference = BigInt(a) - BigInt(b);
    if (difference !== 0n) return difference < 0n ? -1 : 1;
    return b.length - a.length;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}
