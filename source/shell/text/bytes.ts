// Texts and bytes, for programs.
import {Buffer} from 'node:buffer';

export {byteLength, bytesOfText as bytesOf, textOfBytes as textOf} from '../../api/meta/bytes-text.ts';

export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

export function fromBase64(text: string): Uint8Array {
  return Buffer.from(text, 'base64');
}
