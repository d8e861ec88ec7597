// Addresses of IPv4 as numbers, and ranges of them.

/** A range of addresses. */
export interface Range {
  readonly first: number;
  readonly size: number;
}

/** The number of an address; undefined for what is none. */
export function addressNumber(text: string): number | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number);
  if (!parts || parts.some(part => part > 255)) return undefined;
  return parts.reduce((sum, part) => sum * 256 + part, 0);
}

/** The address of a number. */
export function addressText(number: number): string {
  return [24, 16, 8, 0].map(bits => (number >>> bits) & 255).join('.');
}

/** The range of a CIDR; undefined for what is none. */
export function rangeOf(cidr: string): Range | undefined {
  const [address = '', length = ''] = cidr.split('/');
  const number = addressNumber(address);
  const bits = /^\d{1,2}$/.test(length) ? Number(length) : 33;
  if (number === undefined || bits > 32) return undefined;
  const size = bits === 0 ? 4_294_967_296 : 2 << (31 - bits) || 1;
  return {first: number - (number % size), size};
}

export function isInRange(range: Range, number: number): boolean {
  return number >= range.first && number < range.first + range.size;
}
