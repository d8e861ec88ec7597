import {expect, test} from 'vitest';
import {readSigningRequest, signingRequestPem} from './signing-request.ts';

/** Made by a real openssl, with a key that nobody has any more. */
const REAL = `-----BEGIN CERTIFICATE REQUEST-----
MIIBKjCB0gIBADA2MRAwDgYDVQQKDAdyZWFkZXJzMRMwEQYDVQQKDApzdG9yZWZy
b250MQ0wCwYDVQQDDARuaW5hMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAErGzT
jDsS53uXNEAnbE0s7BiPy204mx/IaoNzFu+vy8le5frnPcsV5ORY3rJnzrXH7Yr6
6tAvsmHAPF6yIUR0mKA6MDgGCSqGSIb3DQEJDjErMCkwJwYDVR0RBCAwHoIPd2Vi
LmV4YW1wbGUuY29thwQKAAAHgQVhQGIuYzAKBggqhkjOPQQDAgNHADBEAiB7G+eo
Qpmn6VSUxUDgAUsyy0wlcbfRpndsgqnWeLz9ogIgeJqNzUvVa1B0ISWWq4F/nVRG
Kgy0t3D6WMkY02vjXCo=
-----END CERTIFICATE REQUEST-----
`;

test('a request that a real openssl made is read as far as a signer looks at it', () => {
  expect(readSigningRequest(REAL)).toMatchObject({
    commonName: 'nina',
    organizations: ['readers', 'storefront'],
    dnsNames: ['web.example.com'],
    addresses: ['10.0.0.7'],
    emails: ['a@b.c'],
    uris: [],
    key: expect.stringMatching(/^spki [0-9a-f]{64}$/),
  });
});

test('a record is read as it was written, and rubbish is none', () => {
  const record = {commonName: 'nina', organizations: [], dnsNames: [], addresses: [], emails: [], uris: [], key: 'k'};
  expect(readSigningRequest(signingRequestPem(record))).toEqual(record);
  for (const text of [
    '',
    'hello',
    '-----BEGIN CERTIFICATE REQUEST-----\naGVsbG8=\n-----END CERTIFICATE REQUEST-----',
    REAL.replace('MIIB', 'MIIC'),
  ]) {
    expect(readSigningRequest(text)).toBeUndefined();
  }
});
