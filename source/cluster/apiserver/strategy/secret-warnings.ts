// Warnings about secrets of certificates that no server could use.
import type {Secret} from '../../../api/kinds/core-v1.ts';
import {readCertificate} from '../../../api/pki/certificate.ts';

interface Block {
  readonly type: string;
  readonly bytes: Buffer;
}

function textOf(data = ''): string {
  return Buffer.from(data, 'base64').toString('utf8');
}

/** The PEM blocks of a text. */
function blocksOf(text: string): Block[] {
  const found = text.matchAll(/-----BEGIN ([^-\n]+)-----\n([A-Za-z0-9+/=\s]*)-----END \1-----/g);
  return [...found].map(([, type = '', body = '']) => ({type, bytes: Buffer.from(body, 'base64')}));
}

/** Is it as long as its own head says? */
function isWhole(bytes: Buffer): boolean {
  const [tag, short = 0] = bytes;
  if (tag !== 0x30) return false;
  if (short < 0x80) return bytes.length === short + 2;
  const count = short - 0x80;
  return count <= 4 && bytes.length > count + 2 && bytes.readUIntBE(2, count) === bytes.length - 2 - count;
}

/** What is wrong with a pair of a certificate and its key. */
export function certificateWarnings({type, data}: Secret): string[] {
  if (type !== 'kubernetes.io/tls') return [];
  const [certificates, keys] = [blocksOf(textOf(data?.['tls.crt'])), blocksOf(textOf(data?.['tls.key']))];
  const types = (blocks: readonly Block[]) => `[${blocks.map(block => block.type).join(' ')}]`;
  const certificate = certificates.find(block => block.type === 'CERTIFICATE');
  const key = keys.some(block => block.type.endsWith('PRIVATE KEY'));
  if (certificates.length === 0) return ['tls: failed to find any PEM data in certificate input'];
  if (!certificate) {
    if (certificates.length === 1 && certificates[0]?.type.endsWith('PRIVATE KEY'))
      return [
        'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
      ];
    const skipped = `after skipping PEM blocks of the following types: ${types(certificates)}`;
    return [`tls: failed to find "CERTIFICATE" PEM block in certificate input ${skipped}`];
  }
  if (keys.length === 0) return ['tls: failed to find any PEM data in key input'];
  if (!key) {
    if (keys.length === 1 && keys[0]?.type === 'CERTIFICATE')
      return ['tls: found a certificate rather than a key in the PEM for the private key'];
    const skipped = `after skipping PEM blocks of the following types: ${types(keys)}`;
    return [`tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input ${skipped}`];
  }
  // Certificates that were made in here are records, until somebody outside looks.
  const isRead = isWhole(certificate.bytes) || readCertificate(textOf(data?.['tls.crt'])) !== undefined;
  return isRead ? [] : ['x509: malformed certificate'];
}
