import {expect, test} from 'vitest';
import {signingRequestPem} from '../../../api/pki/signing-request.ts';
import {certificate, ServerRoom} from '../testing/server-room.ts';

const PODS = '/api/v1/namespaces/default/pods';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const message = (answer: {body?: unknown}) => (answer.body as {message?: string}).message;

function room(annotations?: Record<string, string>): ServerRoom {
  const made = new ServerRoom();
  made.post('/api/v1/namespaces/default/serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: {name: 'default', annotations},
    secrets: [{name: 'known'}],
  });
  return made;
}

const pod = (spec: object, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {name: 'p', ...metadata},
  spec: {containers: [{name: 'c', image: 'nginx'}], ...spec},
});
const variable = (secret: string): object => ({
  containers: [{name: 'c', image: 'nginx', env: [{name: 'A', valueFrom: {secretKeyRef: {name: secret, key: 'k'}}}]}],
});
const mirror = {annotations: {'kubernetes.io/config.mirror': 'x'}};

test('pods of a strict account use the secrets that it names', () => {
  const at = room({'kubernetes.io/enforce-mountable-secrets': 'true'});
  expect(at.post(PODS, pod(variable('known'))).status).toBe(201);
  const no = (name: string): string => `is not allowed because service account default does not reference that ${name}`;
  expect(message(at.post(PODS, pod(variable('other'))))).toBe(
    `pods "p" is forbidden: container c with envVar A referencing secret.secretName="other" ${no('secret')}`,
  );
  expect(message(at.post(PODS, pod({volumes: [{name: 'v', secret: {secretName: 'other'}}]})))).toBe(
    `pods "p" is forbidden: volume with secret.secretName="other" ${no('secret')}`,
  );
  expect(message(at.post(PODS, pod({imagePullSecrets: [{name: 'pull'}]})))).toBe(
    `pods "p" is forbidden: imagePullSecrets[0].name="pull" ${no('imagePullSecret')}`,
  );
});

test.each<[string, object]>([
  ['a mirror pod may not reference service accounts', {serviceAccountName: 'default'}],
  ['a mirror pod may not reference secrets', variable('known')],
  [
    'a mirror pod may not use ServiceAccountToken volume projections',
    {volumes: [{name: 'v', projected: {sources: [{serviceAccountToken: {path: 'x'}}]}}]},
  ],
])('%s', (why, spec) => {
  expect(message(room().post(PODS, pod({nodeName: 'node-1', ...spec}, mirror)))).toBe(`pods "p" is forbidden: ${why}`);
});

test('a kubelet makes mirror pods that belong to its node and name nothing else', () => {
  const at = room();
  at.post('/api/v1/nodes', {apiVersion: 'v1', kind: 'Node', metadata: {name: 'node-1'}});
  const {metadata} = at.get('/api/v1/nodes/node-1').body as {metadata: {uid: string}};
  at.as = certificate('system:node:node-1', 'system:nodes');
  const owner = {apiVersion: 'v1', kind: 'Node', name: 'node-1', uid: metadata.uid, controller: true};
  const made = (spec: object, ...ownerReferences: readonly object[]) =>
    message(at.post(PODS, pod({nodeName: 'node-1', ...spec}, {...mirror, ownerReferences})));
  const no = (why: string): string => `pods "p" is forbidden: node "node-1" ${why}`;
  expect(made({})).toBe(no('can only create pods with an owner reference set to itself'));
  expect(made({}, {...owner, controller: false})).toBe(
    no('can only create pods with a controller owner reference set to itself'),
  );
  expect(made({}, {...owner, uid: 'u'})).toBe(`pods "p" is forbidden: node node-1 UID mismatch: expected u got ${metadata.uid}`);
  expect(made({volumes: [{name: 'v', configMap: {name: 'x'}}]}, owner)).toBe(no('can not create pods that reference configmaps'));
  expect(made({volumes: [{name: 'v', persistentVolumeClaim: {claimName: 'x'}}]}, owner)).toBe(
    no('can not create pods that reference persistentvolumeclaims'),
  );
});

test('who approves and signs requests for certificates needs the right for their signer', () => {
  const at = room();
  const role = (rules: readonly object[]): object => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: {name: 'ann'},
    rules,
  });
  const requests = {
    verbs: ['*'],
    apiGroups: ['certificates.k8s.io'],
    resources: ['certificatesigningrequests/approval', 'certificatesigningrequests/status'],
  };
  const signers = {verbs: ['approve'], apiGroups: ['certificates.k8s.io'], resources: ['signers'], resourceNames: ['x.io/*']};
  at.post(`${RBAC}/clusterroles`, role([requests]));
  at.post(`${RBAC}/clusterrolebindings`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: {name: 'ann'},
    roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'ann'},
    subjects: [{apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ann'}],
  });
  const request = Buffer.from('-----BEGIN CERTIFICATE REQUEST-----\nYWJj\n-----END CERTIFICATE REQUEST-----\n').toString(
    'base64',
  );
  const made = at.post(REQUESTS, {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: {name: 'r'},
    spec: {request, signerName: 'x.io/y', usages: ['client auth']},
  });
  expect(made.status).toBe(201);
  const admin = at.as;
  at.as = certificate('ann');
  const condition = {type: 'Approved', status: 'True', reason: 'r', message: 'm'};
  const approve = () => at.patch(`${REQUESTS}/r/approval`, 'application/merge-patch+json', {status: {conditions: [condition]}});
  expect(message(approve())).toBe(
    'certificatesigningrequests.certificates.k8s.io "r" is forbidden: user not permitted to approve requests with signerName "x.io/y"',
  );
  at.as = admin;
  at.put(`${RBAC}/clusterroles/ann`, role([requests, signers]));
  at.as = certificate('ann');
  expect(approve().status).toBe(200);
  const issued = Buffer.from('-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n').toString('base64');
  expect(message(at.patch(`${REQUESTS}/r/status`, 'application/merge-patch+json', {status: {certificate: issued}}))).toBe(
    'certificatesigningrequests.certificates.k8s.io "r" is forbidden: user not permitted to sign requests with signerName "x.io/y"',
  );
});

test.each([
  ['kubernetes.io/kube-apiserver-client', 'system:masters', 403],
  ['kubernetes.io/kube-apiserver-client', 'dev', 201],
  ['kubernetes.io/kubelet-serving', 'system:masters', 201],
])('nobody is made master by a certificate: %s for %s', (signerName, organization, status) => {
  const at = room();
  const asked = {commonName: 'ann', organizations: [organization], dnsNames: [], addresses: [], emails: [], uris: [], key: 'k'};
  const made = at.post(REQUESTS, {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: {name: 'r'},
    spec: {request: Buffer.from(signingRequestPem(asked)).toString('base64'), signerName, usages: ['client auth']},
  });
  expect(made.status).toBe(status);
});
