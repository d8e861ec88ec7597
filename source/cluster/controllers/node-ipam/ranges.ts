// Hands out equal parts of a range of addresses, each to one node. The next part is searched from where the last one was found, so a
// part that came back is not used again before all others were.
import {ipText, maskedCidr, parseCidr, widthOf, type Cidr} from '../../../api/meta/ip.ts';

/** Parts of one range. */
export class Ranges {
  readonly #whole: Cidr;
  readonly #maskSize: number;
  readonly #count: number;
  readonly #taken = new Set<number>();
  #next = 0;

  /** `cidr` as `10.244.0.0/16`; each part gets a mask of `maskSize` bits. */
  constructor(cidr: string, maskSize: number) {
    this.#whole = maskedCidr(parseCidr(cidr) ?? {ip: {family: 4, bits: 0n}, length: maskSize});
    this.#maskSize = maskSize;
    this.#count = 2 ** Math.max(0, maskSize - this.#whole.length);
  }

  /** A part that is free; undefined when there is none. */
  take(): string | undefined {
    for (let step = 0; step < this.#count && this.#taken.size < this.#count; step++) {
      const index = (this.#next + step) % this.#count;
      if (this.#taken.has(index)) continue;
      this.#taken.add(index);
      this.#next = index + 1;
      return this.#text(index);
    }
    return undefined;
  }

  /** Marks a part as taken; false when it is none of this range. */
  occupy(cidr: string): boolean {
    const index = this.#indexOf(cidr);
    if (index !== undefined) this.#taken.add(index);
    return index !== undefined;
  }

  /** Gives a part back. */
  release(cidr: string): void {
    const index = this.#indexOf(cidr);
    if (index !== undefined) this.#taken.delete(index);
  }

  #indexOf(cidr: string): number | undefined {
    const parsed = parseCidr(cidr);
    if (parsed?.ip.family !== this.#whole.ip.family) return undefined;
    const index = (parsed.ip.bits - this.#whole.ip.bits) >> this.#partBits;
    return index >= 0n && index < BigInt(this.#count) ? Number(index) : undefined;
  }

  get #partBits(): bigint {
    return BigInt(widthOf(this.#whole.ip) - this.#maskSize);
  }

  #text(index: number): string {
    const {family, bits} = this.#whole.ip;
    return `${ipText({family, bits: bits + (BigInt(index) << this.#partBits)})}/${this.#maskSize}`;
  }
}
