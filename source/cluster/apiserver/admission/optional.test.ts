// Plugins that run only where `--enable-admission-plugins` names them.
import {expect, test} from 'vitest';
import type {AnyObject} from '../../../api/meta/object.ts';
import {ServerRoom} from '../testing/server-room.ts';

function room(...on: string[]): ServerRoom {
  return new ServerRoom({plugins: {on: ['NodeRestriction', ...on], off: ['ServiceAccount']}});
}

const CORE = '/api/v1/namespaces';
const pod = (spec: object = {}, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {name: 'web', ...metadata},
  spec: {containers: [{name: 'web', image: 'nginx'}], ...spec},
});
const said = ({status, body}: {status: number; body?: unknown}) =>
  `${status} ${(body as {message?: string}).message ?? ''}`.trim();
const namespace = (name: string, annotations: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {name, annotations},
});

test('NamespaceAutoProvision makes the namespace that is written into; without it there is none', () => {
  const configMap = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'a'}};
  expect(said(room().post(`${CORE}/blue/configmaps`, configMap))).toBe('404 namespaces "blue" not found');
  const at = room('NamespaceAutoProvision');
  expect(at.post(`${CORE}/blue/configmaps`, configMap).status).toBe(201);
  expect((at.get(`${CORE}/blue`).body as AnyObject).metadata.name).toBe('blue');
  expect(at.get(`${CORE}/green`).status).toBe(404);
});

test('NamespaceExists and AlwaysDeny', () => {
  expect(said(room('NamespaceExists').delete(`${CORE}/nowhere/pods/web`))).toBe('404 pods "web" not found');
  expect(said(room('AlwaysDeny').post(`${CORE}/default/pods`, pod()))).toBe(
    '403 pods "web" is forbidden: admission control is denying all modifications',
  );
});

test('DenyServiceExternalIPs: addresses may be kept and lost, none may come', () => {
  const service = (externalIPs: string[]) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {name: 'web'},
    spec: {ports: [{port: 80}], externalIPs},
  });
  expect(said(room('DenyServiceExternalIPs').post(`${CORE}/default/services`, service(['1.2.3.4'])))).toBe(
    '403 services "web" is forbidden: Use of external IPs is denied by admission control',
  );
  expect(room().post(`${CORE}/default/services`, service(['1.2.3.4'])).status).toBe(201);
});

test('ExtendedResourceToleration tolerates the taint of the device', () => {
  const requests = {'example.com/gpu': '1', cpu: '1'};
  const asking = pod({containers: [{name: 'web', image: 'nginx', resources: {requests, limits: {'example.com/gpu': '1'}}}]});
  const made = room('ExtendedResourceToleration').post(`${CORE}/default/pods`, asking).body as AnyObject;
  expect((made.spec as {tolerations: object[]}).tolerations).toContainEqual({
    key: 'example.com/gpu',
    operator: 'Exists',
    effect: 'NoSchedule',
  });
});

test('LimitPodHardAntiAffinityTopology allows the node alone', () => {
  const apart = (topologyKey: string) =>
    pod({affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey, labelSelector: {}}]}}});
  const at = room('LimitPodHardAntiAffinityTopology');
  expect(said(at.post(`${CORE}/default/pods`, apart('topology.kubernetes.io/zone')))).toBe(
    '403 pods "web" is forbidden: affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey topology.kubernetes.io/zone but only key kubernetes.io/hostname is allowed',
  );
  expect(at.post(`${CORE}/default/pods`, apart('kubernetes.io/hostname')).status).toBe(201);
});

test('PodNodeSelector: the pods of a namespace get its selector, and may not contradict it', () => {
  const at = room('PodNodeSelector');
  at.post(CORE, namespace('edge', {'scheduler.alpha.kubernetes.io/node-selector': 'zone=edge, disk=ssd'}));
  const made = at.post(`${CORE}/edge/pods`, pod({nodeSelector: {disk: 'ssd', gpu: 'no'}})).body as AnyObject;
  expect((made.spec as {nodeSelector: object}).nodeSelector).toEqual({disk: 'ssd', gpu: 'no', zone: 'edge'});
  expect(said(at.post(`${CORE}/edge/pods`, pod({nodeSelector: {zone: 'a'}}, {name: 'b'})))).toBe(
    '403 pods "b" is forbidden: pod node label selector conflicts with its namespace node label selector',
  );
});

test('PodTolerationRestriction: tolerations by default, and a list of those that may be', () => {
  const at = room('PodTolerationRestriction');
  const ours = {key: 'team', operator: 'Equal', value: 'blue', effect: 'NoSchedule'};
  const prefix = 'scheduler.alpha.kubernetes.io';
  const system = ['not-ready', 'unreachable'].map(key => ({key: `node.kubernetes.io/${key}`, operator: 'Exists'}));
  at.post(
    CORE,
    namespace('blue', {
      [`${prefix}/defaultTolerations`]: JSON.stringify([ours]),
      [`${prefix}/tolerationsWhitelist`]: JSON.stringify([{key: 'team', operator: 'Exists'}, ...system]),
    }),
  );
  const made = at.post(`${CORE}/blue/pods`, pod()).body as AnyObject;
  expect((made.spec as {tolerations: object[]}).tolerations).toContainEqual(ours);
  expect(said(at.post(`${CORE}/blue/pods`, pod({tolerations: [{operator: 'Exists'}]}, {name: 'b'})))).toBe(
    '403 pods "b" is forbidden: pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist',
  );
});

test('the seconds of DefaultTolerationSeconds are those of the flags', () => {
  const at = new ServerRoom({tolerationSeconds: {notReady: 15, unreachable: 30}, plugins: {on: [], off: ['ServiceAccount']}});
  const made = at.post(`${CORE}/default/pods`, pod()).body as AnyObject;
  const seconds = (made.spec as {tolerations: {tolerationSeconds: number}[]}).tolerations.map(each => each.tolerationSeconds);
  expect(seconds).toEqual([15, 30]);
});
