import {X509Certificate} from 'node:crypto';
import {expect, test} from 'vitest';
import {issueCertificate, selfSigned} from './issue.ts';
import {ecKeyOf, ecKeyPem, x509Pem} from './x509.ts';

const now = Date.UTC(2026, 10, 30, 9);
const authority = selfSigned('kubernetes', 'authority', now);
const authorityKey = ecKeyOf('authority');

test('an authority and a certificate that it signed are what OpenSSL takes them for', () => {
  const record = issueCertificate(
    authority,
    {
      commonName: 'kubernetes-admin',
      organizations: ['system:masters'],
      usages: ['client', 'server'],
      dnsNames: ['localhost'],
      addresses: ['127.0.0.1'],
    },
    now,
  );
  const root = new X509Certificate(x509Pem(authority, authorityKey, authorityKey));
  const leaf = new X509Certificate(x509Pem(record, ecKeyOf('leaf'), authorityKey));
  expect(root.ca).toBe(true);
  expect(root.verify(root.publicKey)).toBe(true);
  expect(leaf.verify(root.publicKey)).toBe(true);
  expect(leaf.checkIssued(root)).toBe(true);
  expect(leaf.subject).toBe('O=system:masters\nCN=kubernetes-admin');
  expect(leaf.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1');
  expect(leaf.serialNumber).toBe(record.serial.replace(/^0+/, ''));
  expect(leaf.validFromDate.getTime()).toBe(record.notBefore);
});

test('the same records give the same bytes', () => {
  const once = x509Pem(authority, authorityKey, authorityKey);
  expect(x509Pem(authority, ecKeyOf('authority'), ecKeyOf('authority'))).toBe(once);
  expect(ecKeyPem(authorityKey)).toMatch(/^-----BEGIN EC PRIVATE KEY-----/);
});
