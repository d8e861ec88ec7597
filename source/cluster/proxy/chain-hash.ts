import {sha256} from '../../api/meta/hash.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const LENGTH = 16;
const BITS = 5;
const known = new Map<string, string>();

/** The letters of a chain's name: the first sixteen of the base32 form of a text's SHA-256. */
export function chainHash(text: string): string {
  const before = known.get(text);
  if (before !== undefined) return before;
  let bits = BigInt(`0x${sha256(text).slice(0, (LENGTH * BITS) / 4)}`);
  let hash = '';
  for (; hash.length < LENGTH; bits >>= BigInt(BITS)) hash = `${LETTERS[Number(bits & 31n)] ?? ''}${hash}`;
  if (known.size > 20_000) known.clear();
  known.set(text, hash);
  return hash;
}
