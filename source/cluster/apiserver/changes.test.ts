import {expect, test} from 'vitest';
import type {AnyObject} from '../../api/meta/object.ts';
import {ServerRoom} from './testing/server-room.ts';

// What a change may touch, by the object and by its subresources.
const CORE = '/api/v1/namespaces/default';
const MERGE = 'application/merge-patch+json';
const message = (answer: {body?: unknown}) => (answer.body as {message?: string}).message;
const metadataOf = (answer: {body?: unknown}) => (answer.body as AnyObject).metadata;

function withPod(): ServerRoom {
  const room = new ServerRoom();
  room.post(`${CORE}/serviceaccounts`, {apiVersion: 'v1', kind: 'ServiceAccount', metadata: {name: 'default'}});
  const container = {name: 'app', image: 'nginx', resources: {requests: {cpu: '100m'}}};
  room.post(`${CORE}/pods`, {apiVersion: 'v1', kind: 'Pod', metadata: {name: 'web'}, spec: {containers: [container]}});
  return room;
}

test('nobody sets the time of an end that is not asked for', () => {
  const room = new ServerRoom();
  room.post(`${CORE}/configmaps`, {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'a'}});
  const change = (metadata: object) => room.patch(`${CORE}/configmaps/a`, MERGE, {metadata});
  expect(message(change({deletionTimestamp: '2020-01-01T00:00:00Z'}))).toBe(
    'ConfigMap "a" is invalid: metadata.deletionTimestamp: Invalid value: "2020-01-01T00:00:00Z": field is immutable',
  );
  expect(message(change({deletionGracePeriodSeconds: 5}))).toBe(
    'ConfigMap "a" is invalid: metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable',
  );
  change({finalizers: ['example.com/hold']});
  room.delete(`${CORE}/configmaps/a`);
  const later = change({deletionTimestamp: '2020-01-01T00:00:00Z', deletionGracePeriodSeconds: null, labels: {a: 'b'}});
  expect(metadataOf(later)).toMatchObject({deletionTimestamp: '2026-11-30T04:20:20Z', deletionGracePeriodSeconds: 0});
});

test('an object of another kind is no patch of this one', () => {
  const room = new ServerRoom();
  room.post(`${CORE}/configmaps`, {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'a'}});
  expect(message(room.patch(`${CORE}/configmaps/a`, MERGE, {kind: 'Secret'}))).toMatch(
    /^ "" is invalid: patch: Invalid value: "\{.*\}": converting \(v1\.Secret\) to \(core\.ConfigMap\): unknown conversion$/,
  );
});

test('an object that says nothing has no owners, and gets none', () => {
  const room = new ServerRoom();
  const made = room.post(`${CORE}/serviceaccounts`, {apiVersion: 'v1', kind: 'ServiceAccount', metadata: {name: 'bot'}});
  expect(metadataOf(made).managedFields).toBeUndefined();
  const changed = room.patch(`${CORE}/serviceaccounts/bot`, MERGE, {metadata: {labels: {a: 'b'}}});
  expect(metadataOf(changed).managedFields).toBeUndefined();
  const full = room.post(`${CORE}/configmaps`, {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'a'}, data: {a: 'b'}});
  expect(metadataOf(full).managedFields).toHaveLength(1);
});

test('a resize leaves all but resources alone, though who names more owns it', () => {
  const room = withPod();
  const before = room.get(`${CORE}/pods/web`).body as AnyObject;
  const containers = [{...(before as unknown as {spec: {containers: object[]}}).spec.containers[0], image: 'redis'}];
  const after = room.patch(`${CORE}/pods/web/resize`, MERGE, {spec: {containers}});
  expect((after.body as {spec?: unknown}).spec).toEqual((before as {spec?: unknown}).spec);
  expect(metadataOf(after).resourceVersion).not.toBe(before.metadata.resourceVersion);
});

test('a container that looks into a pod stays', () => {
  const room = withPod();
  const path = `${CORE}/pods/web/ephemeralcontainers`;
  room.patch(path, MERGE, {spec: {ephemeralContainers: [{name: 'debug', image: 'busybox'}]}});
  expect(message(room.patch(path, MERGE, {spec: {ephemeralContainers: null}}))).toBe(
    'Pod "web" is invalid: spec.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be removed\n',
  );
});

test('a pod is bound to a node that has a name', () => {
  const room = withPod();
  const binding = {apiVersion: 'v1', kind: 'Binding', metadata: {name: 'web'}, target: {kind: 'Pod', name: ''}};
  expect(message(room.post(`${CORE}/pods/web/binding`, binding))).toBe(
    '[target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>", target.name: Required value]',
  );
});

test('what is switched off is dropped, in pods and in templates', () => {
  const room = withPod();
  const container = {name: 'app', image: 'nginx', lifecycle: {stopSignal: 'SIGTERM', preStop: {sleep: {seconds: 1}}}};
  const volumes = [{name: 'v', projected: {sources: [{clusterTrustBundle: {name: 'a', path: 'b'}}, {secret: {name: 's'}}]}}];
  const spec = {containers: [container], volumes};
  const lifecycle = {preStop: {sleep: {seconds: 1}}};
  const sources = [{}, {secret: {name: 's'}}];
  const good = {containers: [{name: 'app', lifecycle}], volumes: [{name: 'v', projected: {sources}}]};
  const specIn = (answer: {body?: unknown}) => (answer.body as {spec: Record<string, unknown>}).spec;
  const pod = room.post(`${CORE}/pods`, {apiVersion: 'v1', kind: 'Pod', metadata: {name: 'a'}, spec});
  expect(specIn(pod)).toMatchObject({...good, volumes: [good.volumes[0], {}]});
  const template = {metadata: {labels: {a: 'b'}}, spec};
  const set = {apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: {name: 'a'}};
  const made = room.post('/apis/apps/v1/namespaces/default/replicasets', {
    ...set,
    spec: {selector: {matchLabels: {a: 'b'}}, template},
  });
  expect(specIn(made)['template']).toMatchObject({spec: good});
  const job = {spec: {template: {spec: {...spec, restartPolicy: 'Never'}}}};
  const cron = {apiVersion: 'batch/v1', kind: 'CronJob', metadata: {name: 'a'}, spec: {schedule: '@daily', jobTemplate: job}};
  const tick = room.post('/apis/batch/v1/namespaces/default/cronjobs', cron);
  expect(specIn(tick)['jobTemplate']).toMatchObject({spec: {template: {spec: good}}});
  for (const answer of [pod, made, tick]) {
    const {managedFields: _owners, ...metadata} = metadataOf(answer);
    expect(JSON.stringify({...(answer.body as object), metadata})).not.toMatch(/SIGTERM|clusterTrustBundle/);
  }
});
