import {expect, test} from 'vitest';
import type {Event} from '../kinds/core-v1.ts';
import {fieldErrorText, type FieldError} from '../meta/field-error.ts';
import {pemOf} from '../pki/pem.ts';
import {validateNewStyleEvent, validateNewStyleEventUpdate} from './events.ts';
import {errorsOf, errorsOfChange, type Draft} from './testing/drafts.ts';

// Kinds that one seldom writes by hand.
const FLOW = 'flowcontrol.apiserver.k8s.io/v1';
const everybody = [{kind: 'Group', group: {name: 'system:masters'}}];
const everything = {
  subjects: everybody,
  resourceRules: [{verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*']}],
  nonResourceRules: [{verbs: ['*'], nonResourceURLs: ['*']}],
};
const exempt = (spec: object): Draft => ({
  apiVersion: FLOW,
  kind: 'FlowSchema',
  metadata: {name: 'exempt'},
  spec: {priorityLevelConfiguration: {name: 'exempt'}, matchingPrecedence: 1, rules: [everything], ...spec},
});
const level = (name: string, spec: object): Draft => ({
  apiVersion: FLOW,
  kind: 'PriorityLevelConfiguration',
  metadata: {name},
  spec,
});
const driver = (name: string): Draft => ({apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: {name}, spec: {}});
const endpoints = (...addresses: readonly object[]): Draft => ({
  apiVersion: 'v1',
  kind: 'Endpoints',
  subsets: [{addresses, ports: [{port: 80}]}],
});
const address = (name: string, parentRef?: object): Draft => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IPAddress',
  metadata: {name},
  spec: {parentRef},
});
const range = (...cidrs: readonly string[]): Draft => ({apiVersion: 'networking.k8s.io/v1', kind: 'ServiceCIDR', spec: {cidrs}});
const webhook = (path: string): Draft => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  webhooks: [
    {
      name: 'a.b.io',
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      clientConfig: {service: {name: 's', namespace: 'n', path}},
    },
  ],
});
const WEBHOOK = 'webhooks[0].clientConfig.service.path: Invalid value:';
const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const NOT_IP = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const parent = {resource: 'services', name: 'web', namespace: 'default'};

test.each<[string[], Draft]>([
  [[], exempt({})],
  [
    [
      'spec: Invalid value: {"PriorityLevelConfiguration":{"Name":"exempt"},"MatchingPrecedence":2,"DistinguisherMethod":null,"Rules":[{"Subjects":[{"Kind":"Group","User":null,"Group":{"Name":"system:masters"},"ServiceAccount":null}],"ResourceRules":[{"Verbs":["*"],"APIGroups":["*"],"Resources":["*"],"ClusterScope":true,"Namespaces":["*"]}],"NonResourceRules":[{"Verbs":["*"],"NonResourceURLs":["*"]}]}]}: spec of \'exempt\' must equal the fixed value',
    ],
    exempt({matchingPrecedence: 2}),
  ],
  [[], level('exempt', {type: 'Exempt', exempt: {nominalConcurrencyShares: 9}})],
  [
    [
      'spec: Invalid value: {"Type":"Limited","Limited":{"NominalConcurrencyShares":6,"LimitResponse":{"Type":"Reject","Queuing":null},"LendablePercent":0,"BorrowingLimitPercent":null},"Exempt":null}: spec of \'catch-all\' must equal the fixed value',
    ],
    level('catch-all', {type: 'Limited', limited: {nominalConcurrencyShares: 6, limitResponse: {type: 'Reject'}}}),
  ],
  [[], driver('Ebs.example.com')],
  [[`name: Invalid value: "bad_name": ${SUBDOMAIN}`], driver('bad_name')],
  [
    [
      `subsets[0].addresses[0].ip: Invalid value: "10.0.0.300": ${NOT_IP}`,
      `subsets[0].addresses[0].nodeName: Invalid value: "A": ${SUBDOMAIN}`,
      'subsets[0].addresses[0].ip: Invalid value: "10.0.0.300": must be a valid IP address',
    ],
    endpoints({ip: '10.0.0.300', nodeName: 'A'}),
  ],
  [[], address('192.168.0.1', parent)],
  [['metadata.name: Invalid value: "010.0.0.3": must not have leading 0s'], address('010.0.0.3', parent)],
  [['spec.parentRef: Required value'], address('10.0.0.3')],
  [
    [
      `spec.parentRef.group: Invalid value: "A B": ${SUBDOMAIN}`,
      'spec.parentRef.resource: Required value',
      `spec.parentRef.name: Invalid value: "a/b": may not contain '/'`,
    ],
    address('10.0.0.3', {group: 'A B', name: 'a/b'}),
  ],
  [[], range('10.1.0.0/16', '2001:db8::/64')],
  [['spec.cidrs[0]: Invalid value: "010.1.0.0/16": must not have leading 0s in IP or prefix length'], range('010.1.0.0/16')],
  [['spec.cidrs[0]: Invalid value: "2001:db8::1/64": must not have bits set beyond the prefix length'], range('2001:db8::1/64')],
  [[], webhook('/')],
  [[`${WEBHOOK} "//": segment[0] may not be empty`], webhook('//')],
  [[`${WEBHOOK} "x/y": must start with a '/'`, `${WEBHOOK} "x/y": segment[0] may not be empty`], webhook('x/y')],
])('%j', (errors, draft) => {
  expect(errorsOf(draft)).toEqual(errors);
});

test('a changed Ingress must be whole as well', () => {
  const ingress = (spec: object): Draft => ({apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', spec});
  const before = ingress({defaultBackend: {service: {name: 'web', port: {number: 80}}}});
  expect(errorsOf(ingress({}), before)).toEqual([
    'spec: Invalid value: null: either `defaultBackend` or `rules` must be specified',
  ]);
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');

test.each([
  ['', []],
  ['abc', ['must contain at least one CERTIFICATE PEM block']],
  [
    '-----BEGIN PRIVATE KEY-----\nYQ==\n-----END PRIVATE KEY-----\n',
    ['only CERTIFICATE PEM blocks are allowed, found "PRIVATE KEY"'],
  ],
  ['-----BEGIN CERTIFICATE-----\nYQ==\n-----END CERTIFICATE-----\n', []],
])('a signer issues certificates and nothing else: %j', (text, words) => {
  const request = (status: object): Draft => ({
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    spec: {request: '', signerName: 'example.com/x', usages: ['any']},
    status,
  });
  expect(errorsOfChange('status', request({certificate: base64(text)}), request({}))).toEqual(
    words.map(why => `status.certificate: Invalid value: "<certificate data>": ${why}`),
  );
});

test.each([
  ['CERTIFICATE REQUEST', []],
  ['NEW CERTIFICATE REQUEST', ['PEM block type must be CERTIFICATE REQUEST']],
  ['CERTIFICATE', ['PEM block type must be CERTIFICATE REQUEST']],
])('a request for a certificate is PEM of one kind: %s', (label, words) => {
  const request = base64(pemOf(label, 'abc'));
  const draft = {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    spec: {request, signerName: 'example.com/x', usages: ['any']},
  };
  expect(errorsOf(draft)).toEqual(words.map(why => `spec.request: Invalid value: ${JSON.stringify(request)}: ${why}`));
});

const EVENT = {
  metadata: {name: 'e', namespace: 'default'},
  involvedObject: {kind: 'Pod', name: 'p', namespace: 'default'},
  reason: 'Test',
  message: 'hello',
  type: 'Normal',
  eventTime: '2026-11-30T04:20:20.000000Z',
  reportingComponent: 'example.com/c',
  reportingInstance: 'c-1',
  action: 'Testing',
} as unknown as Event;

test.each<[string[], object]>([
  [[], {}],
  [[], {series: {count: 2, lastObservedTime: '2026-11-30T04:20:21.000000Z'}}],
  [['series.count: Invalid value: "": should be at least 2', 'series.lastObservedTime: Required value'], {series: {count: 1}}],
  [['message: Invalid value: "bye": field is immutable'], {message: 'bye'}],
  [['reportingController: Invalid value: "d": field is immutable'], {reportingComponent: 'd'}],
])('an event of the newer group may change: %j', (expected, change) => {
  const errors: FieldError[] = [];
  validateNewStyleEventUpdate({...EVENT, ...change}, EVENT, errors);
  expect(errors.map(fieldErrorText)).toEqual(expected);
});

test('a series is asked for its count from the beginning', () => {
  const errors: FieldError[] = [];
  validateNewStyleEvent({...EVENT, series: {count: 1, lastObservedTime: '2026-11-30T04:20:21.000000Z'}} as Event, errors);
  expect(errors.map(fieldErrorText)).toEqual(['series.count: Invalid value: "": should be at least 2']);
});
