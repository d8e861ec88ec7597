import {spawnSync} from 'node:child_process';
import {generateKeyPairSync, X509Certificate} from 'node:crypto';
import {expect, test} from 'vitest';
import {readCertificate} from './certificate.ts';
import {issueCertificate, selfSigned} from './issue.ts';
import {ecKeyOf, ecKeyPem, x509ForKey, x509Pem} from './x509.ts';

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

const DAY_MS = 24 * 3600 * 1000;
const FOREIGN = [
  {what: 'a curve', pair: generateKeyPairSync('ec', {namedCurve: 'P-256'}), days: 1, organizations: ['readers', 'storefront']},
  {what: 'RSA', pair: generateKeyPairSync('rsa', {modulusLength: 2048}), days: 365, organizations: []},
  {what: 'Ed25519, past 2049', pair: generateKeyPairSync('ed25519'), days: 365 * 40, organizations: ['system:nodes']},
] as const;

test.each(FOREIGN)('a certificate for a key that was made elsewhere: $what', ({pair, days, organizations}) => {
  const request = {commonName: 'nina', organizations, usages: ['client' as const], key: 'spki'};
  const record = issueCertificate(authority, request, now, days * DAY_MS);
  const pem = x509ForKey(record, pair.publicKey.export({type: 'spki', format: 'der'}), authorityKey);
  const read = new X509Certificate(pem);
  const root = new X509Certificate(x509Pem(authority, authorityKey, authorityKey));
  expect(read.checkIssued(root) && read.verify(root.publicKey)).toBe(true);
  expect(read.checkPrivateKey(pair.privateKey)).toBe(true);
  expect(read.validToDate.getTime()).toBe(record.notAfter);
  expect(readCertificate(pem)).toEqual(record);
});

test('the openssl of the host prints what the record says', () => {
  const {pair} = FOREIGN[0];
  const record = issueCertificate(authority, {commonName: 'nina', organizations: ['readers'], usages: ['client']}, now, DAY_MS);
  const pem = x509ForKey(record, pair.publicKey.export({type: 'spki', format: 'der'}), authorityKey);
  const {stdout, error} = spawnSync('openssl', ['x509', '-noout', '-text'], {input: pem, encoding: 'utf8'});
  if (error) return console.log('no openssl on this machine: its reading is not tested');
  for (const text of [
    /Version: 3 \(0x2\)/,
    /Issuer: CN ?= ?kubernetes/,
    /Subject: O ?= ?readers, CN ?= ?nina/,
    /Not After : Dec +1 09:00:00 2026 GMT/,
    /X509v3 Key Usage: critical\s+Digital Signature\n/,
    /X509v3 Extended Key Usage: *\s+TLS Web Client Authentication\n/,
    /X509v3 Basic Constraints: critical\s+CA:FALSE\n/,
  ])
    expect(stdout).toMatch(text);
});
