import {expect, test} from 'vitest';
import {certificatePem} from '../../api/pki/certificate.ts';
import {issueCertificate, selfSigned} from '../../api/pki/issue.ts';
import {refuseServer} from '../../api/wire/tls.ts';
import {podTrust} from './trust.ts';

const now = Date.UTC(2026, 10, 30, 9);
const authority = selfSigned('kubernetes', 'authority', now);
const stranger = selfSigned('stranger', 'stranger', now);
const served = issueCertificate(
  authority,
  {commonName: 'api', usages: ['server'], dnsNames: ['cp-1'], addresses: ['10.0.0.10']},
  now,
);

test.each([
  [certificatePem(authority), '10.0.0.10', undefined],
  [certificatePem(stranger) + certificatePem(authority), 'cp-1', undefined],
  [certificatePem(stranger), '10.0.0.10', 'x509: certificate signed by unknown authority'],
  [undefined, '10.0.0.10', 'x509: certificate signed by unknown authority'],
  [certificatePem(authority), '10.0.0.11', 'x509: certificate is valid for 10.0.0.10, not 10.0.0.11'],
  [certificatePem(authority), 'elsewhere', 'x509: certificate is valid for cp-1, not elsewhere'],
])('who trusts %# and dials %s', (text, host, why) => {
  const refused = refuseServer({...podTrust(text, host), now}, served)?.client;
  expect(refused).toBe(why && `tls: failed to verify certificate: ${why}`);
});
