// A certificate and its key, as two texts: are they a pair? What is wrong is said in the words of Go's tls, which every server and
// client of the cluster prints. Bytes that were made outside of this world are no records: of them only the form is judged.
import {readCertificate, readKey, type Certificate} from './certificate.ts';
import {pemBlocks, type PemBlock} from './pem.ts';

/** Whose key a certificate vouches for that was made for a key from outside. */
const OUTSIDE = 'spki ';

/** Reads a certificate that has its own key, or says why not. */
export function readKeyPair(certificate: string, key: string): {readonly certificate: Certificate} | {readonly error: string} {
  const error = keyPairProblem(certificate, key);
  const read = error === undefined ? readCertificate(certificate) : undefined;
  return read ? {certificate: read} : {error: error ?? MALFORMED};
}

const MALFORMED = 'x509: malformed certificate';

/** Why two texts are not a certificate and its key; undefined where they are. */
export function keyPairProblem(certificate: string, key: string): string | undefined {
  const [certificates, keys] = [pemBlocks(certificate), pemBlocks(key)];
  const leaf = certificates.find(({label}) => label === 'CERTIFICATE');
  if (!leaf) return noCertificate(certificates);
  const own = keys.find(isKey);
  if (!own) return noKey(keys);
  const record = readCertificate(certificate);
  if (!record && !isWhole(leaf.bytes)) return MALFORMED;
  const holder = readKey(key);
  if (holder === undefined && !isWhole(own.bytes)) return 'tls: failed to parse private key';
  const isOutside = !record || (holder === undefined && record.key.startsWith(OUTSIDE));
  return isOutside || holder === record.key ? undefined : 'tls: private key does not match public key';
}

function noCertificate(skipped: readonly PemBlock[]): string {
  const [only, ...more] = skipped;
  if (!only) return 'tls: failed to find any PEM data in certificate input';
  if (more.length === 0 && isKey(only))
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input ${listed(skipped)}`;
}

function noKey(skipped: readonly PemBlock[]): string {
  const [only, ...more] = skipped;
  if (!only) return 'tls: failed to find any PEM data in key input';
  if (more.length === 0 && only.label === 'CERTIFICATE')
    return 'tls: found a certificate rather than a key in the PEM for the private key';
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input ${listed(skipped)}`;
}

function listed(skipped: readonly PemBlock[]): string {
  return `after skipping PEM blocks of the following types: [${skipped.map(({label}) => label).join(' ')}]`;
}

function isKey({label}: PemBlock): boolean {
  return label.endsWith('PRIVATE KEY');
}

/** Is it as long as its own head says? */
function isWhole(bytes: Buffer): boolean {
  const [tag, short = 0] = bytes;
  if (tag !== 0x30) return false;
  if (short < 0x80) return bytes.length === short + 2;
  const count = short - 0x80;
  return count <= 4 && bytes.length > count + 2 && bytes.readUIntBE(2, count) === bytes.length - 2 - count;
}
