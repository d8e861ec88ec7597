// Certificates and keys, as records. A key pair is known by an id: whoever holds the private key's file can prove the id, a
// certificate says whose id it vouches for, and an authority's id is that of its own key pair. Where a file shows one, the record
// is written in PEM's armour. A certificate for a real client's key is X.509 (x509.ts), and carries its record along.
import {Dice} from '../../sim/dice.ts';
import {objectIdOf, partsOf, textOf, valuesOf} from './der-reading.ts';
import {pemBlocks, pemOf} from './pem.ts';

/** A client certificate, as a record; its bytes are made when somebody reads them. */
export interface ClientCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** Which authority signed it: a server accepts the ones it trusts. */
  readonly authority: string;
  /** Milliseconds since 1970. */
  readonly notBefore: number;
  readonly notAfter: number;
}

/** All that a certificate says. */
export interface Certificate extends ClientCertificate {
  /** The issuer's common name. */
  readonly issuer: string;
  /** Hexadecimal, upper case. */
  readonly serial: string;
  /** The key pair that it vouches for. */
  readonly key: string;
  readonly usages: readonly Usage[];
  readonly dnsNames: readonly string[];
  readonly addresses: readonly string[];
  readonly isAuthority: boolean;
}

/** What a certificate may be shown for. */
export type Usage = 'server' | 'client';

/** The extension of an X.509 certificate that holds its record: an id of this project's own. */
export const RECORD = '2.25.98716331';
const CERTIFICATE = 'CERTIFICATE';
const KEY = 'RSA PRIVATE KEY';
const PUBLIC_KEY = 'PUBLIC KEY';

/** Hexadecimal digits that depend on a text alone. */
export function digestOf(text: string, digits: number): string {
  return new Dice(0x70_6b_69).of(text).hex(digits);
}

/** A certificate as a PEM text. */
export function certificatePem(certificate: Certificate): string {
  return pemOf(CERTIFICATE, JSON.stringify(certificate));
}

/** All certificates in a PEM text. */
export function readCertificates(pem: string): readonly Certificate[] {
  return bytesOf(pem, CERTIFICATE).flatMap(bytes => {
    const record = parsed(bytes[0] === 0x30 ? recordIn(bytes) : bytes.toString('utf8'));
    return isCertificate(record) ? [Object.freeze(record)] : [];
  });
}

/** The first certificate in a PEM text; undefined where there is none that can be read. */
export function readCertificate(pem: string): Certificate | undefined {
  return readCertificates(pem)[0];
}

/** The identifier of a key, as certificates show it. */
export function keyIdentifier(key: string): string {
  return (digestOf(`key id ${key}`, 40).toUpperCase().match(/../g) ?? []).join(':');
}

/** How somebody who trusts an authority remembers it: by its key and its name. */
export function trusted({key, commonName}: Certificate): string {
  return `${key} ${commonName}`;
}

/** Is a certificate signed by one of those who are trusted? */
export function isSignedBy(trusts: readonly string[], {authority, issuer}: Certificate): boolean {
  return trusts.includes(`${authority} ${issuer}`);
}

/** Is one of those who are trusted called like the authority that signed, and is another? */
export function isNamesake(trusts: readonly string[], {issuer}: Certificate): boolean {
  return trusts.some(each => each.slice(each.indexOf(' ') + 1) === issuer);
}

/** A private key as a PEM text. */
export function keyPem(key: string): string {
  return pemOf(KEY, JSON.stringify({key, private: digestOf(`private ${key}`, 512)}));
}

/** The public half of a key as a PEM text. */
export function publicKeyPem(key: string): string {
  return pemOf(PUBLIC_KEY, JSON.stringify({key}));
}

/** Whose key a PEM text holds, private or public; undefined where it holds none. */
export function readKey(pem: string): string | undefined {
  const [bytes] = bytesOf(pem, KEY, PUBLIC_KEY);
  const record = bytes === undefined ? undefined : parsed(bytes.toString('utf8'));
  const key = typeof record === 'object' && record !== null ? (record as {key?: unknown}).key : undefined;
  return typeof key === 'string' ? key : undefined;
}

function bytesOf(pem: string, ...labels: readonly string[]): Buffer[] {
  return pemBlocks(pem).flatMap(({label, bytes}) => (labels.includes(label) ? [bytes] : []));
}

/** The text of the record in X.509; empty where there is none. */
function recordIn(bytes: Uint8Array): string {
  const [body] = partsOf(valuesOf(bytes)[0]);
  const list = partsOf(body).find(({tag}) => tag === 0xa3);
  const extensions = partsOf(partsOf(list)[0]).map(extension => partsOf(extension));
  return textOf(extensions.find(([id]) => objectIdOf(id) === RECORD)?.at(-1));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isCertificate(value: unknown): value is Certificate {
  if (typeof value !== 'object' || value === null) return false;
  const {commonName, authority, organizations, notBefore, notAfter} = value as Record<string, unknown>;
  const texts = typeof commonName === 'string' && typeof authority === 'string' && Array.isArray(organizations);
  return texts && typeof notBefore === 'number' && typeof notAfter === 'number';
}
