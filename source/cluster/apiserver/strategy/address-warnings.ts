// Warnings about addresses that are accepted, but not written as they should be.
import {type Ip, ipText, maskedCidr, parseCidr, parseIp, widthOf} from '../../../api/meta/ip.ts';

/** The same without zeros before the numbers of an IPv4 address. */
function withoutZeros(text: string): string {
  return text.replaceAll(/(^|[.:])0+(?=\d+(\.|$))/g, '$1');
}

/** An IPv4 address in the dress of IPv6 is one of IPv4. */
function plain(ip: Ip): Ip {
  return ip.family === 6 && ip.bits >> 32n === 0xffffn ? {family: 4, bits: ip.bits & 0xffff_ffffn} : ip;
}

/** What is to be said about an address at a path. */
export function addressWarning(address: string, at: string): string[] {
  const shown = JSON.stringify(address);
  const strict = parseIp(address);
  const read = strict ?? parseIp(withoutZeros(address));
  if (!read) return [];
  const canonical = JSON.stringify(ipText(plain(read)));
  if (!strict || plain(read) !== read)
    return [
      `${at}: non-standard IP address ${shown} will be considered invalid in a future Kubernetes release: use ${canonical}`,
    ];
  return read.family === 6 && canonical !== shown
    ? [`${at}: IPv6 address ${shown} should be in RFC 5952 canonical format (${canonical})`]
    : [];
}

/** What is to be said about a range at a path. */
export function rangeWarnings(range: string, at: string): string[] {
  const [address = '', bits = ''] = range.split('/');
  const strict = parseCidr(range);
  const read = strict ?? parseCidr(`${withoutZeros(address)}/${bits.replace(/^0+(?=\d)/, '')}`);
  if (!read) return [];
  const shown = JSON.stringify(range);
  const masked = maskedCidr(read);
  const network = JSON.stringify(`${ipText(masked.ip)}/${masked.length}`);
  const made: string[] = [];
  if (masked.ip.bits !== read.ip.bits) {
    const single = JSON.stringify(`${ipText(read.ip)}/${widthOf(read.ip)}`);
    made.push(`${at}: CIDR value ${shown} is ambiguous in this context (should be ${network} or ${single}?)`);
  }
  if (!strict || plain(read.ip) !== read.ip)
    made.push(
      `${at}: non-standard CIDR value ${shown} will be considered invalid in a future Kubernetes release: use ${network}`,
    );
  if (made.length === 0 && read.ip.family === 6 && network !== shown)
    made.push(`${at}: IPv6 CIDR value ${shown} should be in RFC 5952 canonical format (${network})`);
  return made;
}
