// What counts as a block of PEM, and what Go says of a certificate and a key that are no pair.
import {expect, test} from 'vitest';
import {certificatePem, keyPem} from './certificate.ts';
import {issueCertificate, selfSigned} from './issue.ts';
import {keyPairProblem, readKeyPair} from './key-pair.ts';
import {pemBlocks, pemOf} from './pem.ts';

const block = pemOf('CERTIFICATE', 'x'.repeat(100));

test.each([
  ['a block', block, ['CERTIFICATE']],
  ['words around it', `subject=x\n${block}the end`, ['CERTIFICATE']],
  ['two kinds', block + pemOf('PRIVATE KEY', 'a'), ['CERTIFICATE', 'PRIVATE KEY']],
  ['lines of another system', block.replaceAll('\n', '\r\n'), ['CERTIFICATE']],
  [
    'headers',
    '-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nYWJj\n-----END RSA PRIVATE KEY-----\n',
    ['RSA PRIVATE KEY'],
  ],
  ['no end of the last line', block.trimEnd(), ['CERTIFICATE']],
  ['indented', block.replaceAll(/^/gm, '  '), []],
  ['another end', block.replace('END CERTIFICATE', 'END KEY'), []],
  ['an end that is another, and a whole one behind', block.replace('END CERTIFICATE', 'END KEY') + block, ['CERTIFICATE']],
  ['no base64', block.replace('eHh4', 'e!h4'), []],
  ['a digit too few', block.replace('eHh4', 'eH4'), []],
  ['on one line', block.replaceAll('\n', ' '), []],
])('%s', (_, text, labels) => {
  expect(pemBlocks(text).map(({label}) => label)).toEqual(labels);
});

const now = Date.UTC(2026, 10, 30, 9);
const authority = selfSigned('kubernetes', 'authority', now);
const mine = issueCertificate(authority, {commonName: 'nina', usages: ['client']}, now);
const [own, key, strange] = [certificatePem(mine), keyPem(mine.key), pemOf('CERTIFICATE', Uint8Array.of(0x30, 1, 0))];
const [csr, strangeKey] = [pemOf('CERTIFICATE REQUEST', 'a'), pemOf('PRIVATE KEY', Uint8Array.of(0x30, 1, 0))];

test.each([
  [own, key, undefined],
  [strange, strangeKey, undefined],
  [own, keyPem('another'), 'tls: private key does not match public key'],
  [own, strangeKey, 'tls: private key does not match public key'],
  [own, pemOf('PRIVATE KEY', 'a'), 'tls: failed to parse private key'],
  [pemOf('CERTIFICATE', 'a'), key, 'x509: malformed certificate'],
  ['nonsense', key, 'tls: failed to find any PEM data in certificate input'],
  [own, 'nonsense', 'tls: failed to find any PEM data in key input'],
  [own, own, 'tls: found a certificate rather than a key in the PEM for the private key'],
  [
    key,
    own,
    'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
  ],
  [
    csr + key,
    key,
    'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [CERTIFICATE REQUEST RSA PRIVATE KEY]',
  ],
  [
    own,
    csr,
    'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [CERTIFICATE REQUEST]',
  ],
])('a pair, %#', (certificate, holder, problem) => {
  expect(keyPairProblem(certificate, holder)).toBe(problem);
});

test('a pair is read', () => {
  expect(readKeyPair(own, key)).toEqual({certificate: mine});
  expect(readKeyPair(strange, strangeKey)).toEqual({error: 'x509: malformed certificate'});
});
