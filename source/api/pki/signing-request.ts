// Requests for a certificate. As a file they are PKCS#10 in PEM's armour: either one that a real openssl made, whose bytes are read
// here as far as a signer looks at them, or a record of this world's openssl. The signature is taken for good.
import {sha256} from '../meta/hash.ts';

/** What is asked for, and whose key it is for. */
export interface SigningRequest {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly addresses: readonly string[];
  readonly emails: readonly string[];
  readonly uris: readonly string[];
  readonly key: string;
}

const LABEL = 'CERTIFICATE REQUEST';
const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
const ALTERNATIVE_NAMES = '2.5.29.17';

/** A request as a PEM text. */
export function signingRequestPem(request: SigningRequest): string {
  const body = Buffer.from(JSON.stringify(request), 'utf8').toString('base64');
  return `-----BEGIN ${LABEL}-----\n${body.replaceAll(/.{64}(?=.)/g, '$&\n')}\n-----END ${LABEL}-----\n`;
}

/** Reads the request in a PEM text; undefined where there is none that can be read. */
export function readSigningRequest(pem: string): SigningRequest | undefined {
  const [, body] = /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----([\s\S]*?)-----END/.exec(pem) ?? [];
  if (body === undefined) return undefined;
  const bytes = Buffer.from(body, 'base64');
  return bytes[0] === 0x7b ? readRecord(bytes.toString('utf8')) : readDer(bytes);
}

function readRecord(text: string): SigningRequest | undefined {
  try {
    const record = JSON.parse(text) as Partial<SigningRequest>;
    const {commonName = '', organizations = [], dnsNames = [], addresses = [], emails = [], uris = [], key} = record;
    return typeof key === 'string' ? {commonName, organizations, dnsNames, addresses, emails, uris, key} : undefined;
  } catch {
    return undefined;
  }
}

/** One value of DER. */
interface Value {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly whole: Uint8Array;
}

function readDer(bytes: Uint8Array): SigningRequest | undefined {
  const [info] = partsOf(valuesOf(bytes)[0]);
  const [, subject, key, attributes] = partsOf(info);
  if (!subject || !key) return undefined;
  const names = partsOf(subject)
    .flatMap(set => partsOf(set))
    .map(pair => partsOf(pair))
    .map(([kind, value]) => ({kind: objectIdOf(kind), text: textOf(value)}));
  const texts = (kind: string) => names.filter(each => each.kind === kind).map(each => each.text);
  return {
    commonName: texts(COMMON_NAME).at(-1) ?? '',
    organizations: texts(ORGANIZATION),
    ...alternativeNames(attributes),
    key: `spki ${sha256(key.whole)}`,
  };
}

function alternativeNames(attributes: Value | undefined): Omit<SigningRequest, 'commonName' | 'organizations' | 'key'> {
  const extensions = partsOf(attributes)
    .map(attribute => partsOf(attribute))
    .filter(([kind]) => objectIdOf(kind) === EXTENSION_REQUEST)
    .flatMap(([, set]) => partsOf(partsOf(set)[0]));
  const found = extensions.map(extension => partsOf(extension)).find(([kind]) => objectIdOf(kind) === ALTERNATIVE_NAMES);
  const octets = found?.at(-1);
  const names = octets ? partsOf(valuesOf(octets.content)[0]) : [];
  const tagged = (tag: number) => names.filter(name => name.tag === tag);
  return {
    emails: tagged(0x81).map(textOf),
    dnsNames: tagged(0x82).map(textOf),
    uris: tagged(0x86).map(textOf),
    addresses: tagged(0x87).map(({content}) => [...content].join('.')),
  };
}

/** The values that follow each other; what cannot be read ends them. */
function valuesOf(bytes: Uint8Array): readonly Value[] {
  const values: Value[] = [];
  for (let at = 0; at + 2 <= bytes.length;) {
    const tag = bytes[at] ?? 0;
    const first = bytes[at + 1] ?? 0;
    const more = first < 0x80 ? 0 : first - 0x80;
    let length = more === 0 ? first : 0;
    for (let i = 0; i < more; i++) length = length * 256 + (bytes[at + 2 + i] ?? 0);
    const start = at + 2 + more;
    if (more > 4 || start + length > bytes.length) return values;
    values.push({tag, content: bytes.subarray(start, start + length), whole: bytes.subarray(at, start + length)});
    at = start + length;
  }
  return values;
}

function partsOf(value: Value | undefined): readonly Value[] {
  return value ? valuesOf(value.content) : [];
}

function textOf(value: Value | undefined): string {
  return Buffer.from(value?.content ?? []).toString('utf8');
}

function objectIdOf(value: Value | undefined): string {
  if (!value || value.tag !== 0x06) return '';
  const numbers: number[] = [];
  let number = 0;
  for (const byte of value.content) {
    number = number * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    if (numbers.length === 0)
      numbers.push(Math.min(2, Math.floor(number / 40)), number - 40 * Math.min(2, Math.floor(number / 40)));
    else numbers.push(number);
    number = 0;
  }
  return numbers.join('.');
}
