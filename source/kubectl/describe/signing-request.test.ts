import {expect, test} from 'vitest';
import {signingRequestPem} from '../../api/pki/signing-request.ts';
import {Bench} from '../testing/bench.ts';

const ASKED = {commonName: 'nina', organizations: ['dev', 'ops'], emails: [], uris: [], key: 'k'};

function put(bench: Bench, names: {dnsNames: string[]; addresses: string[]}, status: object = {}): void {
  bench.api.put({
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: {name: 'one'},
    spec: {
      request: Buffer.from(signingRequestPem({...ASKED, ...names})).toString('base64'),
      signerName: 'example.com/a',
      expirationSeconds: 3600,
      username: 'nina',
    },
    status,
  });
}

test('a request is described with what it asks for', async () => {
  const bench = new Bench();
  put(bench, {dnsNames: ['a.example', 'b.example'], addresses: ['10.0.0.9']});
  const {out} = await bench.run('describe csr one');
  const lines = out.split('\n').map(line => line.trim().replaceAll(/ {2,}/g, ' '));
  expect(lines.slice(lines.indexOf('Requesting User: nina'))).toEqual([
    'Requesting User: nina',
    'Signer: example.com/a',
    'Requested Duration: 60m',
    'Status: Pending',
    'Subject:',
    'Common Name: nina',
    'Serial Number:',
    'Organization: dev',
    'ops',
    'Subject Alternative Names:',
    'DNS Names: a.example',
    'b.example',
    'IP Addresses: 10.0.0.9',
    'Events: <none>',
    '',
  ]);
});

test('no other names, no list of them; the verdict is told', async () => {
  const bench = new Bench();
  put(bench, {dnsNames: [], addresses: []}, {conditions: [{type: 'Approved', status: 'True'}], certificate: 'eA=='});
  const {out} = await bench.run('describe csr one');
  expect(out).not.toContain('Alternative');
  expect(out).toMatch(/\nStatus: +Approved,Issued\n/);
});
