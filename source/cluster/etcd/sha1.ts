// SHA-1, which etcd makes its ids with. It protects nothing here; only its numbers are wanted.

const START = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0] as const;

/** The digest of some bytes, as 40 hexadecimal digits. */
export function sha1(bytes: Uint8Array): string {
  const padded = new Uint8Array(((bytes.length + 8) >> 6) * 64 + 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, bytes.length * 8);
  const state: number[] = [...START];
  const words = Array.from({length: 80}, () => 0);
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(at + 4 * i);
    block(state, words);
  }
  return state.map(word => word.toString(16).padStart(8, '0')).join('');
}

function block(state: number[], words: number[]): void {
  const word = (i: number) => words[i] as number;
  for (let i = 16; i < 80; i++) words[i] = turn(word(i - 3) ^ word(i - 8) ^ word(i - 14) ^ word(i - 16), 1);
  let [a, b, c, d, e] = state as [number, number, number, number, number];
  for (let i = 0; i < 80; i++) {
    const [mix, key] =
      i < 20
        ? [(b & c) | (~b & d), 0x5a827999]
        : i < 40
          ? [b ^ c ^ d, 0x6ed9eba1]
          : i < 60
            ? [(b & c) | (b & d) | (c & d), 0x8f1bbcdc]
            : [b ^ c ^ d, 0xca62c1d6];
    const next = (turn(a, 5) + mix + e + key + word(i)) >>> 0;
    [a, b, c, d, e] = [next, a, turn(b, 30), c, d];
  }
  for (const [i, value] of [a, b, c, d, e].entries()) state[i] = ((state[i] as number) + value) >>> 0;
}

function turn(value: number, by: number): number {
  return ((value << by) | (value >>> (32 - by))) >>> 0;
}
