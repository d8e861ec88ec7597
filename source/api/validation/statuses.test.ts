import {expect, test} from 'vitest';
import {errorsOfChange, type Draft} from './testing/drafts.ts';

const container = {name: 'app', image: 'nginx:1.27'};
const of = (kind: string, status: object): Draft => ({
  apiVersion: 'apps/v1',
  kind,
  spec: {selector: {matchLabels: {app: 'web'}}, template: {metadata: {labels: {app: 'web'}}, spec: {containers: [container]}}},
  status,
});
const pod = (status: object, spec: object = {}): Draft => ({
  apiVersion: 'v1',
  kind: 'Pod',
  spec: {containers: [container], serviceAccountName: 'default', ...spec},
  status,
});
const ended = (exitCode: number): object => ({containerStatuses: [{name: 'app', state: {terminated: {exitCode}}}]});
const running = {containerStatuses: [{name: 'app', state: {running: {}}}]};
const request = (status: object): Draft => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  spec: {request: 'eA==', signerName: 'example.com/a', usages: ['client auth']},
  status,
});
const verdict = (type: string, status = 'True'): object => ({conditions: [{type, status}]});

test.each<[string[], string, Draft, Draft]>([
  [
    [
      'status.readyReplicas: Invalid value: 3: cannot be greater than status.replicas',
      'status.availableReplicas: Invalid value: 4: cannot be greater than status.replicas',
      'status.availableReplicas: Invalid value: 4: cannot be greater than readyReplicas',
    ],
    'status',
    of('Deployment', {replicas: 2, readyReplicas: 3, availableReplicas: 4}),
    of('Deployment', {}),
  ],
  [
    ['status.collisionCount: Invalid value: 1: cannot be decremented'],
    'status',
    of('DaemonSet', {collisionCount: 1}),
    of('DaemonSet', {collisionCount: 2}),
  ],
  [
    [
      'status.readyReplicas: Invalid value: -1: must be greater than or equal to 0',
      'status.availableReplicas: Invalid value: -1: must be greater than or equal to 0',
    ],
    'status',
    of('StatefulSet', {replicas: 0, readyReplicas: -1, availableReplicas: -1}),
    of('StatefulSet', {}),
  ],
  [
    [
      "status.conditions[0].Type: Invalid value: \"not good\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
    'status',
    pod({conditions: [{type: 'not good', status: 'True'}]}),
    pod({}),
  ],
  [[], 'status', pod(running), pod(ended(1))],
  [
    ['status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state'],
    'status',
    pod(running, {restartPolicy: 'OnFailure'}),
    pod(ended(0), {restartPolicy: 'OnFailure'}),
  ],
  [
    ['status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a node'],
    'status',
    pod({nominatedNodeName: 'b'}, {nodeName: 'a'}),
    pod({}, {nodeName: 'a'}),
  ],
  [[], 'approval', request(verdict('Approved')), request({})],
  [
    ['status.conditions: Forbidden: updates may not add a condition of type "Approved"'],
    'status',
    request(verdict('Approved')),
    request({}),
  ],
  [
    ['status.conditions: Forbidden: updates may not remove a condition of type "Denied"'],
    'approval',
    request({}),
    request(verdict('Denied')),
  ],
  [
    ['status.conditions[0].status: Unsupported value: "False": supported values: "True"'],
    'approval',
    request(verdict('Approved', 'False')),
    request({}),
  ],
  [
    ['status.certificate: Forbidden: updates may not set certificate content'],
    'approval',
    request({certificate: Buffer.from('-----BEGIN CERTIFICATE-----\neA==\n-----END CERTIFICATE-----\n').toString('base64')}),
    request({}),
  ],
  [
    ['status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty'],
    'status',
    {apiVersion: 'v1', kind: 'Namespace', status: {phase: 'Terminating'}},
    {apiVersion: 'v1', kind: 'Namespace'},
  ],
  [
    ['status.allocatedResourceStatuses: Unsupported value: "cpu": supported values: "storage"'],
    'status',
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      spec: {accessModes: ['ReadWriteOnce']},
      status: {allocatedResourceStatuses: {cpu: 'NodeResizePending'}},
    },
    {apiVersion: 'v1', kind: 'PersistentVolumeClaim', spec: {accessModes: ['ReadWriteOnce']}},
  ],
])('%j', (errors, subresource, draft, before) => {
  expect(errorsOfChange(subresource, draft, before)).toEqual(errors);
});
