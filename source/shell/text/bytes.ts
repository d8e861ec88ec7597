// Texts and bytes. What programs read and write are texts; a text that came from bytes that are no UTF-8 has one character for
// each byte.
import {Buffer} from 'node:buffer';

/** The bytes of a text in UTF-8. */
export function bytesOf(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}

/** The text of bytes. */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString('latin1');
  }
}

export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

export function fromBase64(text: string): Uint8Array {
  return Buffer.from(text, 'base64');
}

/** How many bytes a text is in UTF-8. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}
