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

const STRICT_V4 = /^(0|[1-9]\d{0,2})$/;
/** Leading zeros were allowed once, and are read as decimal. */
const OLD_V4 = /^\d{1,3}$/;

/** Reads an address of either family; an IPv4 address in IPv6 dress counts as IPv6. */
export function parseIp(text: string): Ip | undefined {
  return addressOf(text, STRICT_V4);
}

/** The family of a text that is an address; undefined where it is none. */
export function ipFamily(text: string): 4 | 6 | undefined {
  return familyOf(text, STRICT_V4);
}

/** The same, as old objects may have it: with leading zeros. */
export function oldIpFamily(text: string): 4 | 6 | undefined {
  return familyOf(text, OLD_V4);
}

function familyOf(text: string, form: RegExp): 4 | 6 | undefined {
  if (text.includes(':')) return groupsOf(text) ? 6 : undefined;
  return bytesOf(text, form) ? 4 : undefined;
}

function addressOf(text: string, form: RegExp): Ip | undefined {
  if (!text.includes(':')) {
    const bytes = bytesOf(text, form);
    return bytes && {family: 4, bits: bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)};
  }
  const groups = groupsOf(text);
  return groups && {family: 6, bits: groups.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n)};
}

/** The four numbers of an IPv4 address. */
function bytesOf(text: string, form: RegExp): readonly number[] | undefined {
  const parts = text.split('.');
  return parts.length === 4 && parts.every(part => form.test(part) && Number(part) <= 255) ? parts.map(Number) : undefined;
}

/** The eight groups of an IPv6 address. */
function groupsOf(text: string): readonly string[] | undefined {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const tail = dotted && bytesOf(dotted[2] ?? '', STRICT_V4);
  if (dotted && !tail) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = tail ?? [];
  const whole = dotted ? `${dotted[1]}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}` : text;
  const halves = whole.split('::');
  if (halves.length > 2) return undefined;
  const [head = [], rest = []] = halves.map(half => (half === '' ? [] : half.split(':')));
  const count = head.length + rest.length;
  if (halves.length === 2 ? count > 7 : count !== 8) return undefined;
  const groups = [...head, ...Array.from({length: 8 - count}, () => '0'), ...rest];
  return groups.every(group => /^[0-9a-fA-F]{1,4}$/.test(group)) ? groups : undefined;
}

/** Reads a range. */
export function parseCidr(text: string): Cidr | undefined {
  return rangeOf(text, STRICT_V4, /^(0|[1-9]\d{0,2})$/);
}

/** Reads a range as old objects may have it: with leading zeros. */
export function parseOldCidr(text: string): Cidr | undefined {
  return rangeOf(text, OLD_V4, /^\d{1,3}$/);
}

function rangeOf(text: string, address: RegExp, bits: RegExp): Cidr | undefined {
  const [head = '', length = '', ...more] = text.split('/');
  const ip = addressOf(head, address);
  if (!ip || more.length > 0 || !bits.test(length) || Number(length) > widthOf(ip)) return undefined;
  return {ip, length: Number(length)};
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
