// Hashes that must be the same in every run. The hash of a pod template is not the one that a real controller would print
// (that depends on Go's memory layout), but it has its alphabet, its length and its properties: equal templates give equal
// hashes, whatever the order of their keys.
import {createHash} from 'node:crypto';

const SAFE_LETTERS = 'bcdfghjklmnpqrstvwxz2456789';
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a with 32 bits, over the UTF-16 units of a text. */
export function fnv32a(text: string, start: number = FNV_OFFSET): number {
  let hash = start;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    hash = Math.imul(hash ^ (unit & 0xff), FNV_PRIME);
    if (unit > 0xff) hash = Math.imul(hash ^ (unit >> 8), FNV_PRIME);
  }
  return hash >>> 0;
}

/** A number as letters that can form no words: the digits of the decimal number, each mapped to a safe letter. */
export function safeEncode(hash: number): string {
  let text = '';
  for (const digit of String(hash)) text += SAFE_LETTERS.charAt(digit.charCodeAt(0) % SAFE_LETTERS.length);
  return text;
}

const templateTexts = new WeakMap<object, number>();

/** The `pod-template-hash` of a template; `collisions` gives another one when that is taken. */
export function templateHash(template: object, collisions = 0): string {
  const known = templateTexts.get(template);
  const hash = known ?? fnv32a(stableText(template));
  if (known === undefined && Object.isFrozen(template)) templateTexts.set(template, hash);
  return safeEncode(collisions === 0 ? hash : fnv32a(`#${collisions}`, hash));
}

/** JSON with sorted keys: equal for equal values. */
export function stableText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map(([key, part]) => `${JSON.stringify(key)}:${stableText(part)}`).join(',')}}`;
}

/** SHA-256 in hexadecimal. */
export function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

/** SHA-256 as bytes. */
export function sha256Bytes(text: string | Uint8Array): Uint8Array {
  return createHash('sha256').update(text).digest();
}

/** SHA-512, as hexadecimal digits. */
export function sha512(text: string): string {
  return createHash('sha512').update(text).digest('hex');
}
