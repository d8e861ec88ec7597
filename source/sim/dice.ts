// Chance that repeats: a seed gives one row of numbers, and every thrower has a row of its own, found by name. So a new
// thrower shifts nobody's luck, and the same seed with the same inputs is the same run.

/** The letters that Kubernetes draws name suffixes from: no vowels, no 0, 1 or 3, so that no words appear. */
const SUFFIX_LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

const HEX = '0123456789abcdef';
const VERSION_4 = HEX.charCodeAt(4);
const DASH = '-'.charCodeAt(0);
/** Where a UUID has dashes. */
const DASHED: readonly boolean[] = [...'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx'].map(letter => letter === '-');

/** One thrower's row of random numbers. */
export class Dice {
  #state: number;
  readonly #seed: number;
  #lives: Map<string, number> | undefined;

  constructor(seed: number) {
    this.#seed = seed >>> 0;
    this.#state = this.#seed;
  }

  /** The dice of somebody who is called `name`: always the same row for the same name. */
  of(name: string): Dice {
    return new Dice(mix(this.#seed, name));
  }

  /** The dice of one who may begin again under the same name: each life has a row of its own, or a second API server would draw the uids of the first. */
  ofLife(name: string): Dice {
    this.#lives ??= new Map();
    const lives = (this.#lives.get(name) ?? 0) + 1;
    this.#lives.set(name, lives);
    return this.of(lives === 1 ? name : `${name}, life ${lives}`);
  }

  /** A whole number from 0 to 2^32 - 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let value = this.#state;
    value = Math.imul(value ^ (value >>> 15), value | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return (value ^ (value >>> 14)) >>> 0;
  }

  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  /** A number from 0 up to, not including, 1. */
  fraction(): number {
    return this.next() / 4_294_967_296;
  }

  /** A name suffix as Kubernetes generates them, of `length` letters. */
  suffix(length = 5): string {
    let text = '';
    for (let i = 0; i < length; i++) text += SUFFIX_LETTERS[this.below(SUFFIX_LETTERS.length)];
    return text;
  }

  /** `digits` hexadecimal digits. */
  hex(digits: number): string {
    return String.fromCharCode(...this.#hexCodes(digits));
  }

  /** A version 4 UUID. */
  uuid(): string {
    const hex = this.#hexCodes(32);
    hex[12] = VERSION_4;
    hex[16] = HEX.charCodeAt(8 + this.below(4));
    let at = 0;
    return String.fromCharCode(...DASHED.map(dash => (dash ? DASH : (hex[at++] ?? 0))));
  }

  /** The codes of hexadecimal digits, eight of a throw. A text of codes lies in one piece; one that grows bit by bit stays in its bits. */
  #hexCodes(digits: number): number[] {
    const codes: number[] = [];
    let thrown = 0;
    for (let i = 0; i < digits; i++) {
      if (i % 8 === 0) thrown = this.next();
      codes.push(HEX.charCodeAt((thrown >>> (28 - 4 * (i % 8))) & 15));
    }
    return codes;
  }
}

function mix(seed: number, name: string): number {
  let hash = (seed ^ 0x811c9dc5) >>> 0;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}
