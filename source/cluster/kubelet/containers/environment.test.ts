import {expect, test} from 'vitest';
import type {Container, Pod} from '../../../api/kinds/core-v1.ts';
import {expand} from './environment.ts';
import {fieldText, resourceText} from './fields.ts';

const known = new Map([
  ['A', 'one'],
  ['B', 'two'],
]);

test.for([
  ['$(A)', 'one'],
  ['$(A)-$(B)', 'one-two'],
  ['$(C)', '$(C)'],
  ['$$(A)', '$(A)'],
  ['$$$(A)', '$one'],
  ['$A', '$A'],
  ['100%', '100%'],
  ['$(A', '$(A'],
])('%j becomes %j', ([text, expected]) => {
  expect(expand(text ?? '', name => known.get(name))).toBe(expected);
});

const facts = {podIP: '10.244.0.2', hostIP: '10.0.0.21', allocatable: {cpu: '4', memory: '8Gi'}};
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'me',
    namespace: 'shop',
    uid: 'u',
    resourceVersion: '1',
    creationTimestamp: '',
    labels: {b: '2', a: 'say "hi"'},
    annotations: {note: 'first'},
  },
  spec: {containers: [], nodeName: 'node-1', serviceAccountName: 'default'},
} as Pod;

test.for([
  ['metadata.name', 'me'],
  ['metadata.namespace', 'shop'],
  ['metadata.labels', 'a="say \\"hi\\""\nb="2"'],
  ["metadata.labels['b']", '2'],
  ["metadata.annotations['none']", ''],
  ['spec.nodeName', 'node-1'],
  ['status.podIP', '10.244.0.2'],
  ['status.hostIP', '10.0.0.21'],
  ['spec.unknown', undefined],
])('the field %s is %j', ([path, expected]) => {
  expect(fieldText(pod, path ?? '', facts)).toBe(expected);
});

const container: Container = {name: 'main', resources: {requests: {cpu: '250m', memory: '32Mi'}, limits: {cpu: '1500m'}}};

test.for([
  ['limits.cpu', undefined, '2'],
  ['requests.cpu', '1m', '250'],
  ['requests.memory', '1Mi', '32'],
  ['limits.memory', '1Gi', '8'],
  ['limits.memory', undefined, '8589934592'],
])('%s in units of %s is %s', ([resource = '', divisor, expected]) => {
  expect(resourceText(container, {resource, ...(divisor ? {divisor} : {})}, facts)).toBe(expected);
});
