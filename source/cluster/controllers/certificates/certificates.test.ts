import {expect, test} from 'vitest';
import type {CertificateSigningRequest} from '../../../api/kinds/certificates-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {certificatePem, readCertificate} from '../../../api/pki/certificate.ts';
import {selfSigned} from '../../../api/pki/issue.ts';
import {signingRequestPem, type SigningRequest} from '../../../api/pki/signing-request.ts';
import type {Request} from '../../../api/wire/http.ts';
import {aCluster} from '../testing/cluster.ts';
import type {FakeApi} from '../../../client/testing/fake-api.ts';
import {whyNotSigned} from './requests.ts';

const START = Date.UTC(2026, 10, 30, 4, 0, 0);
const node: SigningRequest = {
  commonName: 'system:node:n1',
  organizations: ['system:nodes'],
  dnsNames: [],
  addresses: [],
  emails: [],
  uris: [],
  key: 'k',
};
const CLIENT = ['client auth', 'digital signature'];
const SERVER = ['server auth', 'digital signature', 'key encipherment'];

const cases: readonly (readonly [
  signer: string,
  request: Partial<SigningRequest>,
  usages: readonly string[],
  why: string | undefined,
])[] = [
  ['kube-apiserver-client', {commonName: 'nina', organizations: ['readers']}, ['client auth'], undefined],
  ['kube-apiserver-client', {}, ['client auth', 'server auth'], 'invalid usage for client certificate: server auth'],
  ['kube-apiserver-client-kubelet', {}, CLIENT, undefined],
  ['kube-apiserver-client-kubelet', {organizations: ['x', 'system:nodes']}, CLIENT, 'subject organization is not system:nodes'],
  ['kube-apiserver-client-kubelet', {dnsNames: ['n1']}, CLIENT, 'DNS subjectAltNames are not allowed'],
  ['kube-apiserver-client-kubelet', {commonName: 'n1'}, CLIENT, 'subject common name does not begin with system:node: '],
  ['kube-apiserver-client-kubelet', {}, SERVER, 'usages did not match [client auth digital signature key encipherment]'],
  ['kubelet-serving', {dnsNames: ['n1']}, SERVER, undefined],
  ['kubelet-serving', {}, SERVER, 'DNS or IP subjectAltName is required'],
];
for (const [signer, request, usages, why] of cases) {
  test(`${signer} for ${JSON.stringify(request)} with ${usages.join(', ')}: ${why ?? 'signed'}`, () => {
    expect(whyNotSigned(`kubernetes.io/${signer}`, {...node, ...request}, usages)).toBe(why);
  });
}

function aRequest(name: string, request: SigningRequest, spec: Partial<CertificateSigningRequest['spec']>): unknown {
  const text = Buffer.from(signingRequestPem(request), 'utf8').toString('base64');
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: {name},
    spec: {request: text, ...spec},
  };
}

function start(allowed: readonly string[] = []): FakeApi {
  const api = aCluster([], {signingCa: certificatePem(selfSigned('kubernetes', 'authority', START))});
  api.intercept = ({method, path, body}: Request) => {
    if (path.endsWith('/subjectaccessreviews')) {
      const {spec} = body as {spec: {resourceAttributes: {subresource: string}}};
      return {status: 201, body: {status: {allowed: allowed.includes(spec.resourceAttributes.subresource)}}};
    }
    if (!path.endsWith('/approval') || method !== 'PUT') return undefined;
    const {status, metadata} = body as CertificateSigningRequest;
    api.patch('certificatesigningrequests', metadata.name, old => ({...old, status}) as AnyObject);
    return {status: 200, body};
  };
  return api;
}

const get = (api: FakeApi, name: string) => api.get<CertificateSigningRequest>('certificatesigningrequests', name);
const certificateOf = (api: FakeApi, name: string) =>
  readCertificate(Buffer.from(get(api, name)?.status?.certificate ?? '', 'base64').toString('utf8'));

function approve(api: FakeApi, name: string): void {
  const approved = {type: 'Approved', status: 'True', reason: 'KubectlApprove', lastUpdateTime: api.daemon.now()};
  api.patch('certificatesigningrequests', name, old => ({...old, status: {conditions: [approved]}}) as AnyObject);
  api.run(1000);
}

test('an approved request is signed for as long as it asks, and what is not the signer’s is told so', () => {
  const api = start();
  const signerName = 'kubernetes.io/kube-apiserver-client';
  const request = {...node, commonName: 'nina', organizations: ['storefront', 'readers']};
  api.create(aRequest('nina', request, {signerName, usages: ['client auth'], expirationSeconds: 86_400}));
  api.create(aRequest('bad', request, {signerName, usages: ['server auth']}));
  api.create(aRequest('own', request, {signerName: 'example.com/own', usages: ['client auth']}));
  api.run(1000);
  expect(get(api, 'nina')?.status?.certificate).toBeUndefined();
  for (const name of ['nina', 'bad', 'own']) approve(api, name);
  expect(certificateOf(api, 'nina')).toMatchObject({
    commonName: 'nina',
    organizations: ['readers', 'storefront'],
    authority: 'authority',
    issuer: 'kubernetes',
    key: 'k',
    usages: ['client'],
  });
  const {notBefore = 0, notAfter = 0} = certificateOf(api, 'nina') ?? {};
  expect(notAfter - notBefore).toBe(86_400_000 + 300_000);
  expect(get(api, 'bad')?.status?.conditions?.at(-1)).toMatchObject({
    type: 'Failed',
    reason: 'SignerValidationFailure',
    message: 'invalid usage for client certificate: server auth',
  });
  expect(get(api, 'own')?.status?.certificate).toBeUndefined();
});

test('kubelets’ requests are approved where the asker may have them', () => {
  const spec = {signerName: 'kubernetes.io/kube-apiserver-client-kubelet', usages: CLIENT as never};
  const reasons = (['selfnodeclient', 'nodeclient', 'neither'] as const).map(permission => {
    const api = start([permission]);
    api.create(aRequest('mine', node, {...spec, username: 'system:node:n1'}));
    api.create(aRequest('new', node, {...spec, username: 'system:bootstrap:abcdef'}));
    api.run(1000);
    return ['mine', 'new'].map(name => get(api, name)?.status?.conditions?.[0]?.message ?? 'undecided');
  });
  const self = 'Auto approving self kubelet client certificate after SubjectAccessReview.';
  const any = 'Auto approving kubelet client certificate after SubjectAccessReview.';
  expect(reasons).toEqual([
    [self, 'undecided'],
    [any, any],
    ['undecided', 'undecided'],
  ]);
});

test('requests go an hour after they were decided, or a day after they came', () => {
  const api = start();
  const signerName = 'kubernetes.io/kube-apiserver-client';
  for (const name of ['decided', 'pending']) api.create(aRequest(name, node, {signerName, usages: ['client auth']}));
  approve(api, 'decided');
  const hours = (count: number) => api.run(count * 3_600_000);
  hours(2.1);
  expect([get(api, 'decided'), get(api, 'pending')].map(Boolean)).toEqual([false, true]);
  hours(23);
  expect(get(api, 'pending')).toBeUndefined();
});

test('one that was approved and that no signer sees to stays', () => {
  const api = start();
  api.create(aRequest('own', node, {signerName: 'example.com/own', usages: ['client auth']}));
  approve(api, 'own');
  api.run(3 * 3_600_000);
  expect(get(api, 'own')?.status?.conditions).toMatchObject([{type: 'Approved'}]);
});
