// The order of keys in Go's YAML: letters after other signs, runs of digits by their number (`item2` before `item10`).

const LETTER = /^\p{L}$/u;
const DIGIT = /^\p{Nd}$/u;

/** Below 0 when `a` comes before `b`. */
export function compareYamlKeys(a: string, b: string): number {
  if (a === b) return 0;
  return isLess(a, b) ? -1 : 1;
}

function isLess(a: string, b: string): boolean {
  let i = 0;
  while (i < a.length && i < b.length && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  // Two halves of a letter count as one.
  if (i > 0 && (isSecondHalf(a, i) || isSecondHalf(b, i))) i--;
  if (i >= a.length || i >= b.length) return a.length < b.length;
  const left = letterAt(a, i);
  const right = letterAt(b, i);
  const leftLetter = isLetter(left);
  const rightLetter = isLetter(right);
  if (leftLetter && rightLetter) return codeOf(left) < codeOf(right);
  if (leftLetter || rightLetter) return rightLetter;
  const zero = left === '0' || right === '0';
  const first = numberAt(a, i, zero ? a : undefined);
  const second = numberAt(b, i, zero ? a : undefined);
  if (first.value !== second.value) return first.value < second.value;
  if (first.length !== second.length) return first.length < second.length;
  return codeOf(left) < codeOf(right);
}

function isSecondHalf(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function letterAt(text: string, at: number): string {
  const code = text.codePointAt(at) ?? 0;
  return code > 0xffff ? text.slice(at, at + 2) : text.charAt(at);
}

function isLetter(letter: string): boolean {
  const code = letter.charCodeAt(0);
  if (code < 0x80) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
  return LETTER.test(letter);
}

function isDigit(letter: string): boolean {
  const code = letter.charCodeAt(0);
  return code < 0x80 ? code >= 48 && code <= 57 : DIGIT.test(letter);
}

/** The number that begins at a place, and how many digits it has; a zero in the middle of a number does not lead it. */
function numberAt(text: string, at: number, before: string | undefined): {value: number; length: number} {
  let value = before !== undefined && isInsideNumber(before, at) ? 1 : 0;
  let length = 0;
  for (let i = at; i < text.length; length++) {
    const letter = letterAt(text, i);
    if (!isDigit(letter)) break;
    value = value * 10 + codeOf(letter) - 48;
    i += letter.length;
  }
  return {value, length};
}

function isInsideNumber(text: string, at: number): boolean {
  for (let i = at - 1; i >= 0; i--) {
    const letter = isSecondHalf(text, i) && i > 0 ? text.slice(--i, i + 2) : text.charAt(i);
    if (!isDigit(letter)) return false;
    if (letter !== '0') return true;
  }
  return false;
}

function codeOf(letter: string): number {
  return letter.codePointAt(0) ?? 0;
}
