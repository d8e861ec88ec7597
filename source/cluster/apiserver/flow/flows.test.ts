// Which flow a request falls under, and how the configuration of flows is kept.
import {expect, test} from 'vitest';
import type {FlowSchema} from '../../../api/kinds/flowcontrol-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import objects from '../../../api/data/start-objects.json' with {type: 'json'};
import {makeUser} from '../auth/user.ts';
import {readInfo} from '../http/info.ts';
import {certificate, ServerRoom} from '../testing/server-room.ts';
import {inPrecedence, schemaFor} from './match.ts';

const FLOWS = '/apis/flowcontrol.apiserver.k8s.io/v1';
const MERGE = 'application/merge-patch+json';
const FIRST = inPrecedence((objects as unknown as FlowSchema[]).filter(({kind}) => kind === 'FlowSchema'));
const AUTHENTICATED = 'system:authenticated';

test.each([
  ['kubernetes-admin system:masters', 'GET /api/v1/pods', 'exempt'],
  [`nina ${AUTHENTICATED}`, 'GET /api/v1/namespaces/default/pods', 'global-default'],
  ['system:anonymous system:unauthenticated', 'GET /healthz', 'probes'],
  ['system:anonymous system:unauthenticated', 'GET /version', 'global-default'],
  [`system:node:node-1 system:nodes ${AUTHENTICATED}`, 'PUT /api/v1/nodes/node-1/status', 'system-node-high'],
  [
    `system:node:node-1 system:nodes ${AUTHENTICATED}`,
    'PUT /apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/node-1',
    'system-node-high',
  ],
  [`system:node:node-1 system:nodes ${AUTHENTICATED}`, 'GET /api/v1/namespaces/default/pods/web', 'system-nodes'],
  [`system:kube-scheduler ${AUTHENTICATED}`, 'POST /api/v1/namespaces/default/pods/web/binding', 'kube-scheduler'],
  [
    `system:kube-scheduler ${AUTHENTICATED}`,
    'PUT /apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-scheduler',
    'system-leader-election',
  ],
  [`system:kube-controller-manager ${AUTHENTICATED}`, 'GET /api/v1/nodes', 'kube-controller-manager'],
  [
    `system:serviceaccount:kube-system:job-controller system:serviceaccounts ${AUTHENTICATED}`,
    'GET /api/v1/pods',
    'kube-system-service-accounts',
  ],
  [`system:serviceaccount:default:ci system:serviceaccounts ${AUTHENTICATED}`, 'GET /api/v1/pods', 'service-accounts'],
  ['nobody at-all', 'GET /api/v1/pods', 'catch-all'],
])('%s: %s', (words, line, name) => {
  const [user = '', ...groups] = words.split(' ');
  const [method = '', path = ''] = line.split(' ');
  const info = readInfo({method: method as 'GET', path});
  expect(schemaFor(FIRST, makeUser({name: user, groups}), info)?.metadata.name).toBe(name);
});

const SCHEMA = 'x-kubernetes-pf-flowschema-uid';
const LEVEL = 'x-kubernetes-pf-prioritylevel-uid';

test('who reads headers is told the flow of his request, whatever comes of it', () => {
  const room = new ServerRoom();
  const uid = (what: string) => (room.get(`${FLOWS}/${what}`).body as AnyObject).metadata.uid;
  const ask = (path: string) => room.ask({method: 'GET', path, readsHeaders: true}).headers ?? {};
  const exempt = {[SCHEMA]: uid('flowschemas/exempt'), [LEVEL]: uid('prioritylevelconfigurations/exempt')};
  expect(ask('/api/v1/namespaces')).toMatchObject(exempt);
  expect(ask('/nowhere')).toMatchObject(exempt);
  expect(room.get('/api/v1/namespaces').headers).not.toHaveProperty(SCHEMA);
  const own = {user: {name: 'nina'}, kind: 'User'};
  const everything = {verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*']};
  room.as = certificate('nina');
  expect(ask('/api/v1/namespaces')).not.toMatchObject(exempt);
  room.as = room.admin;
  room.post(`${FLOWS}/flowschemas`, {
    metadata: {name: 'nina'},
    spec: {
      priorityLevelConfiguration: {name: 'workload-low'},
      matchingPrecedence: 77,
      rules: [{subjects: [own], resourceRules: [everything]}],
    },
  });
  const mine = {[SCHEMA]: uid('flowschemas/nina'), [LEVEL]: uid('prioritylevelconfigurations/workload-low')};
  room.pass(50);
  room.as = certificate('nina');
  // Forbidden, and yet of a flow.
  expect(ask('/api/v1/namespaces')).toMatchObject(mine);
});

test('a flow schema learns whether its priority level is there', () => {
  const room = new ServerRoom();
  const spec = {priorityLevelConfiguration: {name: 'gold'}, matchingPrecedence: 500};
  room.post(`${FLOWS}/flowschemas`, {metadata: {name: 'vip'}, spec});
  room.pass(50);
  const conditions = () => (room.get(`${FLOWS}/flowschemas/vip`).body as FlowSchema).status?.conditions;
  const what = 'This FlowSchema references the PriorityLevelConfiguration object named "gold"';
  expect(conditions()).toMatchObject([
    {type: 'Dangling', status: 'True', reason: 'NotFound', message: `${what} but there is no such object`},
  ]);
  const limited = {nominalConcurrencyShares: 5, limitResponse: {type: 'Reject'}};
  room.post(`${FLOWS}/prioritylevelconfigurations`, {metadata: {name: 'gold'}, spec: {type: 'Limited', limited}});
  room.pass(50);
  expect(conditions()).toMatchObject([{type: 'Dangling', status: 'False', reason: 'Found', message: `${what} and it exists`}]);
  room.delete(`${FLOWS}/prioritylevelconfigurations/gold`);
  room.pass(50);
  expect(conditions()).toMatchObject([{status: 'True', reason: 'NotFound'}]);
});

test('the first objects come back within a minute, as they were', () => {
  const room = new ServerRoom();
  room.pass(90_000);
  const spec = (name: string) => (room.get(`${FLOWS}/flowschemas/${name}`).body as FlowSchema).spec;
  const before = {probes: spec('probes'), exempt: spec('exempt'), nodes: spec('system-nodes')};
  room.delete(`${FLOWS}/flowschemas/probes`);
  room.patch(`${FLOWS}/flowschemas/exempt`, MERGE, {metadata: {annotations: {'apf.kubernetes.io/autoupdate-spec': 'false'}}});
  room.patch(`${FLOWS}/flowschemas/system-nodes`, MERGE, {spec: {matchingPrecedence: 3000}});
  room.patch(`${FLOWS}/flowschemas/service-accounts`, MERGE, {
    metadata: {annotations: {'apf.kubernetes.io/autoupdate-spec': 'false'}},
    spec: {matchingPrecedence: 3001},
  });
  room.pass(1000);
  expect(room.get(`${FLOWS}/flowschemas/probes`).status).toBe(404);
  room.pass(60_000);
  expect(spec('probes')).toEqual(before.probes);
  expect(spec('system-nodes')).toEqual(before.nodes);
  expect(spec('exempt')).toEqual(before.exempt);
  expect(spec('service-accounts').matchingPrecedence).toBe(3001);
  const {metadata} = room.get(`${FLOWS}/flowschemas/probes`).body as FlowSchema;
  expect(metadata.managedFields).toMatchObject([
    {manager: 'api-priority-and-fairness-config-consumer-v1', operation: 'Apply', subresource: 'status'},
    {manager: 'api-priority-and-fairness-config-producer-v1', operation: 'Update'},
  ]);
});
