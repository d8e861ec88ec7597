// IP addresses and ranges as numbers.

/** An address. */
export interface Ip {
  readonly family: 4 | 6;
  readonly bits: bigint;
}

/** A range: an address (which may have bits behind the mask) and the length of the mask. */
export interface Cidr {
  readonly ip: Ip;
  readonly length: number;
}

/** Reads an address of either family; an IPv4 address in IPv6 dress counts as IPv6. */
export function parseIp(text: string): Ip | undefined {
  return text.includes(':') ? parseV6(text) : parseV4(text);
}

function parseV4(text: string): Ip | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every(part => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)) return undefined;
  return {family: 4, bits: parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n)};
}

function parseV6(text: string): Ip | undefined {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const tail = dotted && parseV4(dotted[2] ?? '');
  if (dotted && !tail) return undefined;
  const whole = dotted && tail ? `${dotted[1]}${(tail.bits >> 16n).toString(16)}:${(tail.bits & 0xffffn).toString(16)}` : text;
  const halves = whole.split('::');
  if (halves.length > 2) return undefined;
  const [head = [], rest = []] = halves.map(half => (half === '' ? [] : half.split(':')));
  const count = head.length + rest.length;
  if (halves.length === 2 ? count > 7 : count !== 8) return undefined;
  const groups = [...head, ...Array.from({length: 8 - count}, () => '0'), ...rest];
  if (!groups.every(group => /^[0-9a-fA-F]{1,4}$/.test(group))) return undefined;
  return {family: 6, bits: groups.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n)};
}

/** Reads a range. */
export function parseCidr(text: string): Cidr | undefined {
  const [address = '', bits = '', ...more] = text.split('/');
  const ip = parseIp(address);
  if (!ip || more.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(bits) || Number(bits) > widthOf(ip)) return undefined;
  return {ip, length: Number(bits)};
}

/** How many bits an address has. */
export function widthOf({family}: Pick<Ip, 'family'>): number {
  return family === 4 ? 32 : 128;
}

/** The range with nothing behind its mask. */
export function maskedCidr({ip, length}: Cidr): Cidr {
  const rest = BigInt(widthOf(ip) - length);
  return {ip: {family: ip.family, bits: (ip.bits >> rest) << rest}, length};
}

/** Does a range hold an address? */
export function holdsIp({ip, length}: Cidr, other: Ip): boolean {
  const rest = BigInt(widthOf(ip) - length);
  return ip.family === other.family && ip.bits >> rest === other.bits >> rest;
}

/** An address in its canonical form. */
export function ipText({family, bits}: Ip): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map(shift => String((bits >> shift) & 255n)).join('.');
  if (bits >> 32n === 0xffffn) return `::ffff:${ipText({family: 4, bits: bits & 0xffff_ffffn})}`;
  const groups = Array.from({length: 8}, (_, i) => ((bits >> BigInt(112 - 16 * i)) & 0xffffn).toString(16));
  const {start, length} = longestZeros(groups);
  if (length < 2) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}

function longestZeros(groups: readonly string[]): {start: number; length: number} {
  let best = {start: 0, length: 0};
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === '0') length++;
    if (length > best.length) best = {start, length};
  }
  return best;
}
