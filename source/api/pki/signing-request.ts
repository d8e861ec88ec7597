// Requests for a certificate. As a file they are PKCS#10 in PEM's armour: either one that a real openssl made, whose bytes are read
// here as far as a signer looks at them, or a record of this world's openssl. The signature is taken for good.
import {sha256} from '../meta/hash.ts';
import {objectIdOf, partsOf, textOf, valuesOf, type Value} from './der-reading.ts';
import {pemBlocks, pemOf} from './pem.ts';

/** What is asked for, and whose key it is for. */
export interface SigningRequest {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly addresses: readonly string[];
  readonly emails: readonly string[];
  readonly uris: readonly string[];
  readonly key: string;
  /** The public key's own bytes (SubjectPublicKeyInfo) in base64, where a real openssl wrote the request. */
  readonly publicKey?: string;
}

const LABEL = 'CERTIFICATE REQUEST';
/** As old programs wrote it. */
const OLD_LABEL = 'NEW CERTIFICATE REQUEST';
const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
const ALTERNATIVE_NAMES = '2.5.29.17';

/** A request as a PEM text. */
export function signingRequestPem(request: SigningRequest): string {
  return pemOf(LABEL, JSON.stringify(request));
}

/** Reads the request in a PEM text; undefined where there is none that can be read. */
export function readSigningRequest(pem: string): SigningRequest | undefined {
  const bytes = pemBlocks(pem).find(({label}) => label === LABEL || label === OLD_LABEL)?.bytes;
  if (!bytes) return undefined;
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
    publicKey: Buffer.from(key.whole).toString('base64'),
  };
}

function alternativeNames(
  attributes: Value | undefined,
): Omit<SigningRequest, 'commonName' | 'organizations' | 'key' | 'publicKey'> {
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
