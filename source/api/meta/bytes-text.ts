// Bytes as texts and back, with nothing lost. Programs, files and streams of the cluster hold texts; what comes from outside may be any
// bytes. A byte that is no part of UTF-8 becomes a character that no text has, a low surrogate without its high one: DC80 to DCFF.
import {isUtf8} from 'node:buffer';

const FIRST = 0xdc80;
const LAST = 0xdcff;
const SHIFT = 0xdc00;
/** A surrogate without its other half; with `u`, pairs are one character and do not match. */
const LONE = /[\u{DC80}-\u{DCFF}]/u;

/** The text of bytes. */
export function textOfBytes(bytes: Uint8Array): string {
  if (isUtf8(bytes)) return utf8(bytes);
  let out = '';
  for (let at = 0; at < bytes.length;) {
    const length = sequenceAt(bytes, at);
    out += length === 0 ? String.fromCharCode(SHIFT + (bytes[at] ?? 0)) : utf8(bytes.subarray(at, at + length));
    at += Math.max(1, length);
  }
  return out;
}

/** The bytes of a text. */
export function bytesOfText(text: string): Buffer {
  if (!LONE.test(text)) return Buffer.from(text, 'utf8');
  return Buffer.concat(
    Array.from(text.matchAll(/[\u{DC80}-\u{DCFF}]|[^\u{DC80}-\u{DCFF}]+/gu), ([part]) =>
      isLone(part) ? Buffer.of(part.charCodeAt(0) - SHIFT) : Buffer.from(part, 'utf8'),
    ),
  );
}

function isLone(part: string): boolean {
  const code = part.charCodeAt(0);
  return part.length === 1 && code >= FIRST && code <= LAST;
}

/** How many bytes a text is. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 0x7f) continue;
    // Each half of a pair is two of its four bytes; a half alone that stands for a byte is one.
    if (code >= FIRST && code <= LAST && !isHigh(text.charCodeAt(at - 1))) continue;
    bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** The length of a whole character of UTF-8 at a place; 0 where there is none. */
function sequenceAt(bytes: Uint8Array, at: number): number {
  const length = lengthFrom(bytes[at] ?? 0);
  if (length <= 1) return length;
  const part = bytes.subarray(at, at + length);
  return part.length === length && isUtf8(part) ? length : 0;
}

function utf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

/** What a first byte says of its character's length. */
function lengthFrom(byte: number): number {
  if (byte < 0x80) return 1;
  if (byte >= 0xc2 && byte < 0xe0) return 2;
  if (byte >= 0xe0 && byte < 0xf0) return 3;
  return byte >= 0xf0 && byte < 0xf5 ? 4 : 0;
}

/** Reads bytes that come in pieces: a character that is cut waits for its rest. */
export class BytesReader {
  #rest: Uint8Array = new Uint8Array();

  read(piece: Uint8Array): string {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    const cut = cutAt(bytes);
    this.#rest = bytes.slice(cut);
    return textOfBytes(bytes.subarray(0, cut));
  }

  /** What waits still, as what it is. */
  end(): string {
    const text = textOfBytes(this.#rest);
    this.#rest = new Uint8Array();
    return text;
  }
}

/** Where the last character begins if it is not whole; else the end. */
function cutAt(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const at = bytes.length - back;
    const length = lengthFrom(bytes[at] ?? 0);
    if (length > back) return at;
    if (length > 0) return bytes.length;
  }
  return bytes.length;
}
