// Client certificates as text. In the simulation a certificate is a record; where a file shows one, the record is written in
// PEM's armour. (Not DER yet: openssl and a real client, which read the bytes, come with the TLS port.)
import type {ClientCertificate} from '../wire/http.ts';

const HEAD = '-----BEGIN CERTIFICATE-----';
const FOOT = '-----END CERTIFICATE-----';

/** A certificate as a PEM text. */
export function certificatePem(certificate: ClientCertificate): string {
  const body = Buffer.from(JSON.stringify(certificate), 'utf8').toString('base64');
  return `${HEAD}\n${body.replaceAll(/.{64}(?=.)/g, '$&\n')}\n${FOOT}\n`;
}

/** The certificate in a PEM text; undefined where there is none that can be read. */
export function readCertificate(pem: string): ClientCertificate | undefined {
  const from = pem.indexOf(HEAD);
  const to = pem.indexOf(FOOT);
  if (from < 0 || to < from) return undefined;
  try {
    const record: unknown = JSON.parse(Buffer.from(pem.slice(from + HEAD.length, to), 'base64').toString('utf8'));
    return isCertificate(record) ? Object.freeze(record) : undefined;
  } catch {
    return undefined;
  }
}

function isCertificate(value: unknown): value is ClientCertificate {
  if (typeof value !== 'object' || value === null) return false;
  const record = value as Record<string, unknown>;
  const texts =
    typeof record['commonName'] === 'string' && typeof record['authority'] === 'string' && Array.isArray(record['organizations']);
  return texts && typeof record['notBefore'] === 'number' && typeof record['notAfter'] === 'number';
}
