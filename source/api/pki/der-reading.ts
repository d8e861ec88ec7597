// Reads DER as far as requests and certificates need it. Nothing throws: what cannot be read is not there.

/** One value of DER. */
export interface Value {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly whole: Uint8Array;
}

/** The values that follow each other; what cannot be read ends them. */
export function valuesOf(bytes: Uint8Array): readonly Value[] {
  const values: Value[] = [];
  for (let at = 0; at + 2 <= bytes.length;) {
    const tag = bytes[at] ?? 0;
    const first = bytes[at + 1] ?? 0;
    const more = first < 0x80 ? 0 : first - 0x80;
    let length = more === 0 ? first : 0;
    for (let i = 0; i < more; i++) length = length * 256 + (bytes[at + 2 + i] ?? 0);
    const start = at + 2 + more;
    if (more > 4 || start + length > bytes.length) return values;
    values.push({tag, content: bytes.subarray(start, start + length), whole: bytes.subarray(at, start + length)});
    at = start + length;
  }
  return values;
}

/** What a value that holds others holds. */
export function partsOf(value: Value | undefined): readonly Value[] {
  return value ? valuesOf(value.content) : [];
}

/** The content as UTF-8. */
export function textOf(value: Value | undefined): string {
  return Buffer.from(value?.content ?? []).toString('utf8');
}

/** The dotted form of an object id; empty for anything else. */
export function objectIdOf(value: Value | undefined): string {
  if (!value || value.tag !== 0x06) return '';
  const numbers: number[] = [];
  let number = 0;
  for (const byte of value.content) {
    number = number * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    if (numbers.length === 0)
      numbers.push(Math.min(2, Math.floor(number / 40)), number - 40 * Math.min(2, Math.floor(number / 40)));
    else numbers.push(number);
    number = 0;
  }
  return numbers.join('.');
}
