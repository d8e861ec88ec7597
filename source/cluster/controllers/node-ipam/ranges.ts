// Hands out equal parts of a range of IPv4 addresses, each to one node. The next part is searched from where the last one was
// found, so a part that came back is not used again before all others were.

/** Parts of one range. */
export class Ranges {
  readonly #base: number;
  readonly #partBits: number;
  readonly #count: number;
  readonly #taken = new Set<number>();
  #next = 0;

  /** `cidr` as `10.244.0.0/16`; each part gets a mask of `maskSize` bits. */
  constructor(cidr: string, maskSize: number) {
    const {address, bits} = parseCidr(cidr) ?? {address: 0, bits: maskSize};
    this.#base = address;
    this.#partBits = maskSize;
    this.#count = 2 ** Math.max(0, maskSize - bits);
  }

  /** A part that is free; undefined when there is none. */
  take(): string | undefined {
    for (let step = 0; step < this.#count; step++) {
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
    if (!parsed) return undefined;
    const index = Math.floor((parsed.address - this.#base) / 2 ** (32 - this.#partBits));
    return index >= 0 && index < this.#count ? index : undefined;
  }

  #text(index: number): string {
    const address = this.#base + index * 2 ** (32 - this.#partBits);
    const octets = [24, 16, 8, 0].map(shift => Math.floor(address / 2 ** shift) % 256);
    return `${octets.join('.')}/${this.#partBits}`;
  }
}

function parseCidr(cidr: string): {address: number; bits: number} | undefined {
  const parts = /^(\d+)\.(\d+)\.(\d+)\.(\d+)\/(\d+)$/.exec(cidr);
  if (!parts) return undefined;
  const [a = 0, b = 0, c = 0, d = 0, bits = 0] = parts.slice(1).map(Number);
  return {address: ((a * 256 + b) * 256 + c) * 256 + d, bits};
}
