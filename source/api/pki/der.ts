// DER, as far as certificates and keys need it: every value is a tag, a length, and its content.

/** The bytes of a value. */
export type Der = Uint8Array;

const encoder = new TextEncoder();

/** Bytes one after the other. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** A value with any tag. */
export function tagged(tag: number, content: Uint8Array): Der {
  return joined([Uint8Array.of(tag, ...lengthOf(content.length)), content]);
}

function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 + bytes.length, ...bytes];
}

export function sequence(...parts: readonly Der[]): Der {
  return tagged(0x30, joined(parts));
}

export function setOf(...parts: readonly Der[]): Der {
  return tagged(0x31, joined(parts));
}

/** `[n]` around a value. */
export function explicit(number: number, part: Der): Der {
  return tagged(0xa0 + number, part);
}

/** A whole number of zero or more, from its bytes, the highest first. */
export function integer(bytes: Uint8Array): Der {
  let from = 0;
  while (from < bytes.length - 1 && bytes[from] === 0) from++;
  const digits = bytes.slice(from);
  return tagged(0x02, (digits[0] ?? 0) >= 0x80 ? joined([Uint8Array.of(0), digits]) : digits);
}

export function boolean(value: boolean): Der {
  return tagged(0x01, Uint8Array.of(value ? 0xff : 0));
}

/** Bits that fill whole bytes, but for `unused` of the last. */
export function bitString(bytes: Uint8Array, unused = 0): Der {
  return tagged(0x03, joined([Uint8Array.of(unused), bytes]));
}

export function octetString(bytes: Uint8Array): Der {
  return tagged(0x04, bytes);
}

export function utf8String(text: string): Der {
  return tagged(0x0c, encoder.encode(text));
}

/** `1.2.840.10045.2.1` and the like. */
export function objectId(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(0x06, Uint8Array.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(number: number): number[] {
  const digits = [number % 128];
  for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift(0x80 + (rest % 128));
  return digits;
}

/** A time, to the second: the short form up to 2049, as X.509 wants it. */
export function time(ms: number): Der {
  const digits = `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-T:]/g, '')}Z`;
  const short = digits < '2050';
  return tagged(short ? 0x17 : 0x18, encoder.encode(short ? digits.slice(2) : digits));
}
