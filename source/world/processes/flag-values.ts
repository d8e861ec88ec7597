// What a flag's value must look like, by the flag's type; what is wrong with one is said in the words of the two libraries: pflag's
// for Kubernetes' own components, and those of Go's own package for etcd.
import {parseGoDuration} from '../../api/meta/time.ts';

/** Why a value is none of a pflag's type; undefined for a good one. */
export function whyBad(type: string, value: string): string | undefined {
  return CHECKS[type]?.(value);
}

/** A duration of a flag that was judged. */
export function goMilliseconds(value: string): number {
  return spanOf(value, 0);
}

/** A duration in milliseconds, where one is given. */
export function spanOf(value: unknown, otherwise: number): number {
  const read = typeof value === 'string' ? parseGoDuration(value) : undefined;
  return read && 'ms' in read ? read.ms : otherwise;
}

/** The same for Go's own package, which says no more than the sort of mistake. */
export function whyBadForGo(type: string, value: string): string | undefined {
  const why = type === 'uint' ? whyNoInteger(value, {bits: 64, parser: 'ParseUint'}) : whyBad(type, value);
  if (why === undefined || type === 'urls' || type === 'clusterState') return why;
  return why.endsWith('value out of range') ? 'value out of range' : 'parse error';
}

type Check = (value: string) => string | undefined;

const CHECKS: Readonly<Record<string, Check>> = {
  bool: value => (/^(1|0|t|f|T|F|true|false|TRUE|FALSE|True|False)$/.test(value) ? undefined : parsing('ParseBool', value)),
  int: value => whyNoInteger(value, {bits: 64, parser: 'ParseInt'}),
  int32: value => whyNoInteger(value, {bits: 32, parser: 'ParseInt'}),
  Level: value => whyNoInteger(value, {bits: 32, parser: 'ParseInt'}),
  float: value => (isNumber(value) ? undefined : parsing('ParseFloat', value)),
  float32: value => (isNumber(value) ? undefined : parsing('ParseFloat', value)),
  ip: value => (isAddress(value) ? undefined : `failed to parse IP: ${JSON.stringify(value)}`),
  duration: value => {
    const read = parseGoDuration(value);
    return 'error' in read ? read.error : undefined;
  },
  portRange: whyNoPortRange,
  mapStringString: value => whyNoPairs(value, 'string'),
  stringToString: value => pairs(value).find(each => !each.includes('=')) && `${value} must be formatted as key=value`,
  mapStringBool: value => whyNoPairs(value, 'bool'),
  urls: whyNoUrls,
  clusterState: value => (['new', 'existing'].includes(value) ? undefined : 'invalid value'),
};

function parsing(parser: string, value: string, problem = 'invalid syntax'): string {
  return `strconv.${parser}: parsing ${JSON.stringify(value)}: ${problem}`;
}

function whyNoInteger(value: string, {bits, parser}: {readonly bits: number; readonly parser: string}): string | undefined {
  const text = value.replaceAll(/(?<=\d)_(?=\d)/g, '');
  const form = parser === 'ParseUint' ? /^(\d+|0x[\da-f]+)$/i : /^[-+]?(\d+|0x[\da-f]+)$/i;
  if (!form.test(text)) return parsing(parser, value);
  const size = BigInt(text.replace(/^[-+]/, ''));
  const least = parser === 'ParseUint' ? 1n << BigInt(bits) : 1n << BigInt(bits - 1);
  const most = text.startsWith('-') ? least : least - 1n;
  return size > most ? parsing(parser, value, 'value out of range') : undefined;
}

function isNumber(value: string): boolean {
  return value.trim() !== '' && (Number.isFinite(Number(value)) || /^[-+]?(inf|infinity|nan)$/i.test(value));
}

/** Is it an address, of either family? */
export function isAddress(value: string): boolean {
  if (value.includes(':')) return /^[0-9a-f:]*(:\d{1,3}(\.\d{1,3}){3})?$/i.test(value) && value.split(':').length <= 8;
  const parts = value.split('.');
  return parts.length === 4 && parts.every(part => /^\d{1,3}$/.test(part) && Number(part) < 256);
}

function whyNoPortRange(text: string): string | undefined {
  const value = text.trim();
  if (value === '') return undefined;
  const [, low = '', sign, high = ''] = /^(.*?)(?:([-+])(.*))?$/s.exec(value) ?? [];
  if (value.includes('-') && value.includes('+')) return `unable to parse port range: ${value}`;
  const numbers = sign === undefined ? [low] : [low, high];
  const wrong = numbers.find(each => !/^[-+]?\d+$/.test(each));
  if (wrong !== undefined) return parsing('Atoi', wrong);
  const first = Number(low);
  const last = sign === '+' ? first + Number(high) : sign === '-' ? Number(high) : first;
  if (first > 65_535 || last > 65_535) return `the port range cannot be greater than 65535: ${value}`;
  return last < first ? `end port cannot be less than start port: ${value}` : undefined;
}

function pairs(value: string): string[] {
  return value.split(',').filter(Boolean);
}

function whyNoPairs(value: string, of: 'string' | 'bool'): string | undefined {
  for (const pair of pairs(value)) {
    const at = pair.indexOf('=');
    if (at < 0) return `malformed pair, expect string=${of}`;
    const [name, given] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    if (of === 'bool' && whyBad('bool', given) !== undefined)
      return `invalid value of ${name}: ${given}, err: ${parsing('ParseBool', given)}`;
  }
  return undefined;
}

/** URLs as etcd takes them for its ports and its members. */
function whyNoUrls(value: string): string | undefined {
  for (const url of value.split(',')) {
    const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(url) ?? [];
    if (scheme === '' && /^[^/]*:/.test(url))
      return `parse ${JSON.stringify(url)}: first path segment in URL cannot contain colon`;
    if (!['http', 'https', 'unix', 'unixs'].includes(scheme)) return `URL scheme must be http, https, unix, or unixs: ${url}`;
    const [, host = '', path = ''] = /^\/\/([^/]*)(.*)$/.exec(rest) ?? [];
    if (!/^(\[[^\]]*\]|[^:]*):[^:]*$/.test(host)) return `URL address does not have the form "host:port": ${url}`;
    if (!/:\d*$/.test(host))
      return `parse ${JSON.stringify(url)}: invalid port ${JSON.stringify(host.slice(host.lastIndexOf(':')))} after host`;
    if (path !== '') return `URL must not contain a path: ${url}`;
  }
  return undefined;
}
