import {expect, test} from 'vitest';
import {eventSuffix} from './events.ts';

/** As kubectl sorts: runs of digits as numbers, all else by character. */
function isBefore(a: string, b: string): boolean {
  const parts = (text: string) => text.match(/\d+|\D/g) ?? [];
  const [left, right] = [parts(a), parts(b)];
  for (const [at, part] of left.entries()) {
    const other = right[at] ?? '';
    if (part === other) continue;
    return /\d/.test(part) && /\d/.test(other) ? Number(part) < Number(other) : part < other;
  }
  return false;
}

test('suffixes are sixteen hex digits, and in kubectl’s order later ones come later', () => {
  const start = Date.UTC(2026, 10, 30, 9) * 1000;
  let before = '';
  for (const step of [0, 1, 2, 9, 10, 999, 1000, 12_345, 1_000_000, 3_500_000, 40_000_000, 68_000_000, 69_000_000, 140_000_000]) {
    const suffix = eventSuffix(start + step);
    expect(suffix).toMatch(/^18[0-9a-f]{14}$/);
    if (before !== '') expect([before, suffix, isBefore(before, suffix)]).toEqual([before, suffix, true]);
    before = suffix;
  }
});
