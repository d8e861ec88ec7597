// The kinds of value that Kubernetes adds to CEL: quantities, addresses and ranges, URLs, versions, named formats.
import {checkLabel, checkLabelValue, checkLabel1035, checkQualifiedName, checkSubdomain} from '../../meta/names.ts';
import {holdsIp, type Cidr, type Ip, ipText, maskedCidr, parseCidr, parseIp} from '../../meta/ip.ts';
import {parseQuantity} from '../../meta/quantity.ts';
import type {Declaration} from '../signatures.ts';
import {CelError, NOTHING, Optional, type Special} from '../values.ts';

class Quantity implements Special {
  readonly celType = 'kubernetes.Quantity';
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
  equals(other: unknown): boolean {
    return other instanceof Quantity && other.nanos === this.nanos;
  }
}

const NANO = 1_000_000_000n;

function readQuantity(text: string): Quantity {
  const parsed = parseQuantity(text);
  if ('error' in parsed) throw new CelError(parsed.error);
  return new Quantity(parsed.nanos);
}

/** A quantity as a value. */
export function quantityValue(text: string): unknown {
  const parsed = parseQuantity(text);
  return new Quantity('error' in parsed ? 0n : parsed.nanos);
}

function asInteger({nanos}: Quantity): bigint {
  if (nanos % NANO !== 0n) throw new CelError('cannot convert value to integer');
  return nanos / NANO;
}

const order = (a: bigint, b: bigint): bigint => (a < b ? -1n : a > b ? 1n : 0n);
const toNanos = (value: Quantity | bigint): bigint => (typeof value === 'bigint' ? value * NANO : value.nanos);

const QUANTITIES: readonly Declaration[] = [
  ['quantity(string): quantity', readQuantity],
  ['isQuantity(string): bool', (text: string) => !('error' in parseQuantity(text))],
  ['quantity.sign(): int', ({nanos}: Quantity) => order(nanos, 0n)],
  ['quantity.isGreaterThan(quantity): bool', (a: Quantity, b: Quantity) => a.nanos > b.nanos],
  ['quantity.isLessThan(quantity): bool', (a: Quantity, b: Quantity) => a.nanos < b.nanos],
  ['quantity.compareTo(quantity): int', (a: Quantity, b: Quantity) => order(a.nanos, b.nanos)],
  ['quantity.asInteger(): int', asInteger],
  ['quantity.isInteger(): bool', ({nanos}: Quantity) => nanos % NANO === 0n],
  ['quantity.asApproximateFloat(): double', ({nanos}: Quantity) => Number(nanos) / 1e9],
  ...['quantity', 'int'].flatMap((type): readonly Declaration[] => [
    [`quantity.add(${type}): quantity`, (a: Quantity, b: Quantity | bigint) => new Quantity(a.nanos + toNanos(b))],
    [`quantity.sub(${type}): quantity`, (a: Quantity, b: Quantity | bigint) => new Quantity(a.nanos - toNanos(b))],
  ]),
];

class IpValue implements Special {
  readonly celType = 'net.IP';
  readonly ip: Ip;
  constructor(ip: Ip) {
    this.ip = ip;
  }
  equals(other: unknown): boolean {
    return other instanceof IpValue && other.ip.family === this.ip.family && other.ip.bits === this.ip.bits;
  }
}

class CidrValue implements Special {
  readonly celType = 'net.CIDR';
  readonly cidr: Cidr;
  constructor(cidr: Cidr) {
    this.cidr = cidr;
  }
  equals(other: unknown): boolean {
    return (
      other instanceof CidrValue &&
      other.cidr.length === this.cidr.length &&
      other.cidr.ip.bits === this.cidr.ip.bits &&
      other.cidr.ip.family === this.cidr.ip.family
    );
  }
}

function readIp(text: string): IpValue {
  const ip = parseIp(text);
  if (!ip)
    throw new CelError(
      `IP Address ${JSON.stringify(text)} parse error during conversion from string: ParseAddr(${JSON.stringify(text)}): unable to parse IP`,
    );
  return new IpValue(ip);
}

function readCidr(text: string): CidrValue {
  const cidr = parseCidr(text);
  if (!cidr)
    throw new CelError(
      `network address parse error during conversion from string: netip.ParsePrefix(${JSON.stringify(text)}): no '/'`,
    );
  return new CidrValue(cidr);
}

function within({cidr}: CidrValue, other: IpValue | CidrValue | string): boolean {
  if (typeof other === 'string') return within(new CidrValue(cidr), other.includes('/') ? readCidr(other) : readIp(other));
  return other instanceof IpValue ? holdsIp(cidr, other.ip) : other.cidr.length >= cidr.length && holdsIp(cidr, other.cidr.ip);
}

const top = ({family, bits}: Ip, count: number): bigint => bits >> BigInt((family === 4 ? 32 : 128) - count);
const IP_TESTS: Readonly<Record<string, (ip: Ip) => boolean>> = {
  isUnspecified: ip => ip.bits === 0n,
  isLoopback: ip => (ip.family === 4 ? top(ip, 8) === 127n : ip.bits === 1n),
  isLinkLocalMulticast: ip => (ip.family === 4 ? top(ip, 24) === 0xe00000n : top(ip, 16) === 0xff02n),
  isLinkLocalUnicast: ip => (ip.family === 4 ? top(ip, 16) === 0xa9fen : top(ip, 10) === 0x3fan),
  isGlobalUnicast: ip =>
    ip.bits !== 0n &&
    !(ip.family === 4
      ? top(ip, 8) === 127n || top(ip, 4) === 0xen || top(ip, 16) === 0xa9fen || ip.bits === 0xffffffffn
      : ip.bits === 1n || top(ip, 8) === 0xffn || top(ip, 10) === 0x3fan),
};

const ADDRESSES: readonly Declaration[] = [
  ['ip(string): ip', readIp],
  ['isIP(string): bool', (text: string) => parseIp(text) !== undefined],
  ['ip::isCanonical(string): bool', (text: string) => ipText(readIp(text).ip) === text],
  ['ip.family(): int', ({ip}: IpValue) => BigInt(ip.family)],
  ['string(ip): string', ({ip}: IpValue) => ipText(ip)],
  ...Object.entries(IP_TESTS).map(([name, says]): Declaration => [`ip.${name}(): bool`, ({ip}: IpValue) => says(ip)]),
  ['cidr(string): cidr', readCidr],
  ['isCIDR(string): bool', (text: string) => parseCidr(text) !== undefined],
  ['string(cidr): string', ({cidr}: CidrValue) => `${ipText(cidr.ip)}/${cidr.length}`],
  ['cidr.ip(): ip', ({cidr}: CidrValue) => new IpValue(cidr.ip)],
  ['cidr.masked(): cidr', ({cidr}: CidrValue) => new CidrValue(maskedCidr(cidr))],
  ['cidr.prefixLength(): int', ({cidr}: CidrValue) => BigInt(cidr.length)],
  ...['ip', 'string'].map((type): Declaration => [`cidr.containsIP(${type}): bool`, within]),
  ...['cidr', 'string'].map((type): Declaration => [`cidr.containsCIDR(${type}): bool`, within]),
];

class UrlValue implements Special {
  readonly celType = 'kubernetes.URL';
  readonly parts: Readonly<Record<'text' | 'scheme' | 'host' | 'hostname' | 'port' | 'path' | 'query', string>>;
  constructor(parts: UrlValue['parts']) {
    this.parts = parts;
  }
  equals(other: unknown): boolean {
    return other instanceof UrlValue && other.parts.text === this.parts.text;
  }
}

function urlParts(text: string): UrlValue | undefined {
  const found =
    /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):\/\/(?:[^@/?#]*@)?((\[[^\]]*\]|[^:/?#]*)(?::(\d*))?))?(\/[^?#]*)?(?:\?([^#]*))?$/.exec(text);
  if (
    !found ||
    text === '' ||
    /\s/.test(text) ||
    (found[1] === undefined && found[5] === undefined) ||
    /%(?![0-9a-fA-F]{2})/.test(found[5] ?? '')
  )
    return undefined;
  const [, scheme = '', host = '', hostname = '', port = '', path = '', query = ''] = found;
  return new UrlValue({text, scheme, host, hostname: hostname.replace(/^\[|\]$/g, ''), port, path, query});
}

function readUrl(text: string): UrlValue {
  const url = urlParts(text);
  if (!url)
    throw new CelError(`URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`);
  return url;
}

function queryOf({parts}: UrlValue): unknown {
  const values: Record<string, string[]> = {};
  for (const [key, value] of new URLSearchParams(parts.query)) (values[key] ??= []).push(value);
  return values;
}

const URLS: readonly Declaration[] = [
  ['url(string): url', readUrl],
  ['isURL(string): bool', (text: string) => urlParts(text) !== undefined],
  ['url.getScheme(): string', ({parts}: UrlValue) => parts.scheme],
  ['url.getHost(): string', ({parts}: UrlValue) => parts.host],
  ['url.getHostname(): string', ({parts}: UrlValue) => parts.hostname],
  ['url.getPort(): string', ({parts}: UrlValue) => parts.port],
  ['url.getEscapedPath(): string', ({parts}: UrlValue) => parts.path],
  ['url.getQuery(): map<string, list<string>>', queryOf],
];

class Semver implements Special {
  readonly celType = 'kubernetes.Semver';
  readonly numbers: readonly bigint[];
  readonly before: string;
  constructor(numbers: readonly bigint[], before: string) {
    this.numbers = numbers;
    this.before = before;
  }
  equals(other: unknown): boolean {
    return other instanceof Semver && compareSemver(this, other) === 0n;
  }
}

const SEMVER = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

function semverOf(text: string, loose = false): Semver | undefined {
  const whole = loose
    ? text
        .trim()
        .replace(/^v/, '')
        .replace(/^(\d+)(?:\.(\d+))?(?=$|[-+])/, (_all, major: string, minor = '0') => `${major}.${minor}.0`)
    : text;
  const found = SEMVER.exec(whole);
  return found
    ? new Semver(
        found.slice(1, 4).map(part => BigInt(part ?? '0')),
        found[4] ?? '',
      )
    : undefined;
}

function readSemver(text: string, loose = false): Semver {
  const version = semverOf(text, loose);
  if (!version) throw new CelError('No Major.Minor.Patch elements found');
  return version;
}

/** A version as a value; the text itself when it is none. */
export function semverValue(text: string): unknown {
  return semverOf(text) ?? text;
}

function compareSemver(a: Semver, b: Semver): bigint {
  for (const [i, number] of a.numbers.entries()) if (number !== b.numbers[i]) return order(number, b.numbers[i] ?? 0n);
  if (a.before === b.before) return 0n;
  if (a.before === '' || b.before === '') return a.before === '' ? 1n : -1n;
  const left = a.before.split('.');
  const right = b.before.split('.');
  for (const [i, part] of left.entries()) {
    const other = right[i];
    if (other === undefined) return 1n;
    if (part === other) continue;
    const [x, y] = [/^\d+$/.test(part), /^\d+$/.test(other)];
    if (x && y) return order(BigInt(part), BigInt(other));
    return x !== y ? (x ? -1n : 1n) : part < other ? -1n : 1n;
  }
  return -1n;
}

const VERSIONS: readonly Declaration[] = [
  ...['string', 'string, bool'].flatMap((args): readonly Declaration[] => [
    [`semver(${args}): semver`, readSemver],
    [`isSemver(${args}): bool`, (text: string, loose?: boolean) => semverOf(text, loose) !== undefined],
  ]),
  ['semver.major(): int', ({numbers}: Semver) => numbers[0]],
  ['semver.minor(): int', ({numbers}: Semver) => numbers[1]],
  ['semver.patch(): int', ({numbers}: Semver) => numbers[2]],
  ['semver.isLessThan(semver): bool', (a: Semver, b: Semver) => compareSemver(a, b) < 0n],
  ['semver.isGreaterThan(semver): bool', (a: Semver, b: Semver) => compareSemver(a, b) > 0n],
  ['semver.compareTo(semver): int', compareSemver],
];

class NamedFormat implements Special {
  readonly celType = 'kubernetes.NamedFormat';
  readonly name: string;
  readonly check: (text: string) => readonly string[];
  constructor(name: string, check: (text: string) => readonly string[]) {
    this.name = name;
    this.check = check;
  }
  equals(other: unknown): boolean {
    return other instanceof NamedFormat && other.name === this.name;
  }
}

const prefix = (check: (text: string) => readonly string[]) => (text: string) => check(text.replace(/-$/, 'a'));
const test = (form: RegExp, words: string) => (text: string) => (form.test(text) ? [] : [words]);
const FORMATS: Readonly<Record<string, (text: string) => readonly string[]>> = {
  dns1123Label: checkLabel,
  dns1123LabelPrefix: prefix(checkLabel),
  dns1123Subdomain: checkSubdomain,
  dns1123SubdomainPrefix: prefix(checkSubdomain),
  dns1035Label: checkLabel1035,
  dns1035LabelPrefix: prefix(checkLabel1035),
  qualifiedName: checkQualifiedName,
  labelValue: checkLabelValue,
  uri: text => (urlParts(text) ? [] : ['invalid URI for request']),
  uuid: test(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, 'does not match the UUID format'),
  byte: test(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'invalid base64'),
  date: test(/^\d{4}-\d\d-\d\d$/, 'invalid date'),
  datetime: test(/^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/, 'invalid datetime'),
};

const NAMED: readonly Declaration[] = [
  ...Object.entries(FORMATS).map(([name, check]): Declaration => [
    `format::${name}(): format`,
    () => new NamedFormat(name, check),
  ]),
  [
    'format::named(string): optional<format>',
    (name: string) => {
      const check = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
      return check ? new Optional(true, new NamedFormat(name, check)) : NOTHING;
    },
  ],
  [
    'format.validate(string): optional<list<string>>',
    ({check}: NamedFormat, text: string) => {
      const problems = check(text);
      return problems.length === 0 ? NOTHING : new Optional(true, problems);
    },
  ],
];

export const KUBERNETES: readonly Declaration[] = [...QUANTITIES, ...ADDRESSES, ...URLS, ...VERSIONS, ...NAMED];
