// Certificates as the bytes that real clients read: X.509 with keys on the curve P-256. Keys come from a text, and signatures are
// deterministic, so the same records give the same bytes in every run.
import {p256} from '@noble/curves/nist.js';
import {sha256} from '../meta/hash.ts';
import {RECORD, type Certificate} from './certificate.ts';
import * as der from './der.ts';
import {pemOf} from './pem.ts';

/** A key pair on P-256. */
export interface EcKey {
  readonly secret: Uint8Array;
  /** The point, uncompressed. */
  readonly point: Uint8Array;
}

const EC_PUBLIC_KEY = '1.2.840.10045.2.1';
const P256 = '1.2.840.10045.3.1.7';
const ECDSA_SHA256 = '1.2.840.10045.4.3.2';
const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';
const KEY_USAGE = '2.5.29.15';
const ALTERNATIVE_NAMES = '2.5.29.17';
const BASIC_CONSTRAINTS = '2.5.29.19';
const AUTHORITY_KEY = '2.5.29.35';
const SUBJECT_KEY = '2.5.29.14';
const EXTENDED_USAGE = '2.5.29.37';
const USAGES = {server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2'} as const;

/** The key pair that belongs to a text: whoever knows the text has the key. */
export function ecKeyOf(text: string): EcKey {
  const seed = Buffer.from(sha256(`${text}/1`) + sha256(`${text}/2`), 'hex').subarray(0, 48);
  const secret = p256.utils.randomSecretKey(seed);
  return {secret, point: p256.getPublicKey(secret, false)};
}

/** A private key as a PEM text, in the form that openssl calls EC PRIVATE KEY. */
export function ecKeyPem({secret, point}: EcKey): string {
  const body = der.sequence(
    der.integer(Uint8Array.of(1)),
    der.octetString(secret),
    der.explicit(0, der.objectId(P256)),
    der.explicit(1, der.bitString(point)),
  );
  return pemOf('EC PRIVATE KEY', body);
}

/** A certificate as DER: what the record says, for the subject's key, signed with the issuer's. */
function x509Der(record: Certificate, subject: der.Der, issuer: EcKey, more: readonly der.Der[]): der.Der {
  const algorithm = der.sequence(der.objectId(ECDSA_SHA256));
  const body = der.sequence(
    der.explicit(0, der.integer(Uint8Array.of(2))),
    der.integer(Buffer.from(record.serial.padStart(record.serial.length + (record.serial.length % 2), '0'), 'hex')),
    algorithm,
    nameOf(record.issuer, []),
    der.sequence(der.time(record.notBefore), der.time(record.notAfter)),
    nameOf(record.commonName, record.organizations),
    subject,
    der.explicit(3, der.sequence(...extensionsOf(record, subject, issuer), ...more)),
  );
  const signature = p256.sign(body, issuer.secret, {format: 'der', lowS: false});
  return der.sequence(body, algorithm, der.bitString(signature));
}

/** A certificate as a PEM text. */
export function x509Pem(record: Certificate, subject: EcKey, issuer: EcKey): string {
  return pemOf('CERTIFICATE', x509Der(record, publicKeyOf(subject), issuer, []));
}

/** A certificate for a key of which only the public half is known (SubjectPublicKeyInfo); its record goes along in it. */
export function x509ForKey(record: Certificate, publicKey: Uint8Array, issuer: EcKey): string {
  const own = extension(RECORD, false, new TextEncoder().encode(JSON.stringify(record)));
  return pemOf('CERTIFICATE', x509Der(record, publicKey, issuer, [own]));
}

function publicKeyOf({point}: EcKey): der.Der {
  return der.sequence(der.sequence(der.objectId(EC_PUBLIC_KEY), der.objectId(P256)), der.bitString(point));
}

function nameOf(commonName: string, organizations: readonly string[]): der.Der {
  const part = (kind: string, text: string) => der.setOf(der.sequence(der.objectId(kind), der.utf8String(text)));
  return der.sequence(...organizations.map(each => part(ORGANIZATION, each)), part(COMMON_NAME, commonName));
}

function extensionsOf(record: Certificate, subject: der.Der, issuer: EcKey): der.Der[] {
  const {isAuthority, usages, dnsNames, addresses} = record;
  // Digital signature; an authority signs certificates too. The last bits of the byte are unused.
  const list = [
    extension(KEY_USAGE, true, isAuthority ? der.bitString(Uint8Array.of(0xa4), 2) : der.bitString(Uint8Array.of(0x80), 7)),
  ];
  if (usages.length > 0)
    list.push(extension(EXTENDED_USAGE, false, der.sequence(...usages.map(usage => der.objectId(USAGES[usage])))));
  list.push(extension(BASIC_CONSTRAINTS, true, isAuthority ? der.sequence(der.boolean(true)) : der.sequence()));
  list.push(extension(SUBJECT_KEY, false, der.octetString(fingerprint(subject))));
  if (!isAuthority) list.push(extension(AUTHORITY_KEY, false, der.sequence(der.tagged(0x80, fingerprint(publicKeyOf(issuer))))));
  if (!isAuthority && dnsNames.length + addresses.length > 0) {
    const names = dnsNames.map(name => der.tagged(0x82, new TextEncoder().encode(name)));
    const numbers = addresses.map(address => der.tagged(0x87, Uint8Array.from(address.split('.').map(Number))));
    list.push(extension(ALTERNATIVE_NAMES, false, der.sequence(...names, ...numbers)));
  }
  return list;
}

function extension(id: string, critical: boolean, value: der.Der): der.Der {
  return der.sequence(der.objectId(id), ...(critical ? [der.boolean(true)] : []), der.octetString(value));
}

function fingerprint(publicKey: der.Der): Uint8Array {
  return Buffer.from(sha256(publicKey), 'hex').subarray(0, 20);
}
