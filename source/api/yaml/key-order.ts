// The order of keys in Go's YAML: letters after other signs, runs of digits by their number (`item2` before `item10`).

const LETTER = /^\p{L}$/u;
const DIGIT = /^\p{Nd}$/u;

/** Below 0 when `a` comes before `b`. */
export function compareYamlKeys(a: string, b: string): number {
  if (a === b) return 0;
  return isLess(Array.from(a), Array.from(b)) ? -1 : 1;
}

function isLess(a: readonly string[], b: readonly string[]): boolean {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const left = a[i] ?? '';
    const right = b[i] ?? '';
    if (left === right) continue;
    const leftLetter = LETTER.test(left);
    const rightLetter = LETTER.test(right);
    if (leftLetter && rightLetter) return codeOf(left) < codeOf(right);
    if (leftLetter || rightLetter) return rightLetter;
    const first = numberAt(a, i, left === '0' || right === '0' ? a : undefined);
    const second = numberAt(b, i, left === '0' || right === '0' ? a : undefined);
    if (first.value !== second.value) return first.value < second.value;
    if (first.end !== second.end) return first.end < second.end;
    return codeOf(left) < codeOf(right);
  }
  return a.length < b.length;
}

/** The number that begins at a place; a zero in the middle of a number does not lead it. */
function numberAt(letters: readonly string[], at: number, before: readonly string[] | undefined): {value: number; end: number} {
  let value = before && isInsideNumber(before, at) ? 1 : 0;
  let end = at;
  while (end < letters.length && DIGIT.test(letters[end] ?? '')) value = value * 10 + codeOf(letters[end++] ?? '0') - 48;
  return {value, end};
}

function isInsideNumber(letters: readonly string[], at: number): boolean {
  for (let i = at - 1; i >= 0 && DIGIT.test(letters[i] ?? ''); i--) if (letters[i] !== '0') return true;
  return false;
}

function codeOf(letter: string): number {
  return letter.codePointAt(0) ?? 0;
}
