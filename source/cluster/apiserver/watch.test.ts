import {expect, test} from 'vitest';
import type {AnyObject} from '../../api/meta/object.ts';
import {TABLE_TYPE, type WatchEvent} from '../../api/wire/http.ts';
import {ServerRoom} from './testing/server-room.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const PODS = '/api/v1/namespaces/default/pods';
const map = (name: string, labels: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {name, labels},
});
const seen = (frames: readonly WatchEvent[]) =>
  frames.map(frame => `${frame.type} ${(frame.object as AnyObject).metadata?.name ?? ''}`.trim());

test('from a version on, everything later comes, and what came before does not', () => {
  const room = new ServerRoom();
  room.post(MAPS, map('old'));
  const version = (room.get(MAPS).body as {metadata: {resourceVersion: string}}).metadata.resourceVersion;
  room.post(MAPS, map('between'));
  const watch = room.watch(MAPS, {resourceVersion: version});
  room.post(MAPS, map('later'));
  room.post('/api/v1/namespaces/kube-system/configmaps', map('elsewhere'));
  room.pass(5);
  expect(seen(watch.frames)).toEqual(['ADDED between', 'ADDED later']);
});

test('all watchers get the same frozen object', () => {
  const room = new ServerRoom();
  const one = room.watch(MAPS);
  const two = room.watch('/api/v1/configmaps', {resourceVersion: String(room.server.revision)});
  const created = room.post(MAPS, map('shared')).body;
  room.pass(5);
  expect(one.frames.at(-1)?.object).toBe(created);
  expect(two.frames.at(-1)).toBe(one.frames.at(-1));
  expect(Object.isFrozen(created)).toBe(true);
});

test('what leaves a selection is deleted for its watcher, what enters is added', () => {
  const room = new ServerRoom();
  const watch = room.watch(MAPS, {labelSelector: 'set=x', resourceVersion: String(room.server.revision)});
  const label = (set: string) => room.patch(`${MAPS}/m`, 'application/merge-patch+json', {metadata: {labels: {set}}});
  room.post(MAPS, map('m', {set: 'z'}));
  label('x');
  room.patch(`${MAPS}/m`, 'application/merge-patch+json', {data: {a: 'b'}});
  label('z');
  room.pass(5);
  expect(seen(watch.frames)).toEqual(['ADDED m', 'MODIFIED m', 'DELETED m']);
});

test("a kubelet's watch hears of its node's pods alone", () => {
  const room = new ServerRoom();
  room.post('/api/v1/namespaces/default/serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: {name: 'default'},
  });
  const watch = room.watch('/api/v1/pods', {
    fieldSelector: 'spec.nodeName=node-1',
    resourceVersion: String(room.server.revision),
  });
  for (const name of ['a', 'b'])
    room.post(PODS, {apiVersion: 'v1', kind: 'Pod', metadata: {name}, spec: {containers: [{name: 'c', image: 'x'}]}});
  room.post(`${PODS}/a/binding`, {apiVersion: 'v1', kind: 'Binding', metadata: {name: 'a'}, target: {name: 'node-1'}});
  room.post(`${PODS}/b/binding`, {apiVersion: 'v1', kind: 'Binding', metadata: {name: 'b'}, target: {name: 'node-2'}});
  room.delete(`${PODS}/a`, {gracePeriodSeconds: 0});
  room.pass(5);
  expect(seen(watch.frames)).toEqual(['ADDED a', 'DELETED a']);
  expect(room.get('/api/v1/pods', {fieldSelector: 'spec.nodeName=node-2', resourceVersion: '0'}).body).toMatchObject({
    items: [{metadata: {name: 'b'}}],
  });
});

test('a deleted object comes with the version of its end', () => {
  const room = new ServerRoom();
  room.post(MAPS, map('m'));
  const watch = room.watch(MAPS, {fieldSelector: 'metadata.name=m', resourceVersion: String(room.server.revision)});
  room.delete(`${MAPS}/m`);
  room.pass(5);
  const [frame] = watch.frames;
  expect(frame?.type).toBe('DELETED');
  expect(Number((frame?.object as AnyObject | undefined)?.metadata.resourceVersion)).toBe(room.server.revision);
});

test('without a version, or with the initial events, it begins with what is there', () => {
  const room = new ServerRoom();
  room.post(MAPS, map('a'));
  room.post(MAPS, map('b'));
  expect(seen(room.watch(MAPS).frames)).toEqual(['ADDED a', 'ADDED b']);
  expect(seen(room.watch(MAPS, {resourceVersion: '0', fieldSelector: 'metadata.name=b'}).frames)).toEqual(['ADDED b']);
  const initial = room.watch(MAPS, {
    sendInitialEvents: 'true',
    resourceVersionMatch: 'NotOlderThan',
    allowWatchBookmarks: 'true',
  });
  expect(seen(initial.frames)).toEqual(['ADDED a', 'ADDED b', 'BOOKMARK']);
  expect(initial.frames.at(-1)?.object).toEqual({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: {resourceVersion: expect.any(String), annotations: {'k8s.io/initial-events-end': 'true'}},
  });
});

test('a version that is forgotten is 410, in the stream', () => {
  const room = new ServerRoom();
  room.restart();
  const watch = room.watch(MAPS, {resourceVersion: '1'});
  expect(watch.status).toBe(200);
  expect(watch.frames).toEqual([
    {
      type: 'ERROR',
      object: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: expect.stringMatching(/^too old resource version: 1 \(\d+\)$/) as string,
        reason: 'Expired',
        code: 410,
      },
    },
  ]);
  expect(watch.ended).toBe(true);
});

test('a watch ends when its time is up, and sends bookmarks until then', () => {
  const room = new ServerRoom();
  const watch = room.watch(MAPS, {
    timeoutSeconds: '150',
    allowWatchBookmarks: 'true',
    resourceVersion: String(room.server.revision),
  });
  room.post('/api/v1/namespaces/kube-system/configmaps', map('elsewhere'));
  room.pass(149_000);
  expect(watch.ended).toBe(false);
  expect(seen(watch.frames)).toEqual(['BOOKMARK', 'BOOKMARK']);
  room.pass(2000);
  expect(watch.ended).toBe(true);
});

test('a watch whose time is up before it begins is opened and ends', () => {
  const room = new ServerRoom();
  room.post(MAPS, map('there'));
  const watch = room.watch(MAPS, {timeoutSeconds: '-5'});
  room.pass(5);
  expect(watch.status).toBe(200);
  expect(watch.frames).toEqual([]);
  expect(watch.ended).toBe(true);
});

test('a watch of one object by its path, and as a table', () => {
  const room = new ServerRoom();
  room.post(MAPS, map('m'));
  expect(seen(room.watch(`/api/v1/watch/namespaces/default/configmaps/m`, {}).frames)).toEqual(['ADDED m']);
  const table = room.watch(MAPS, {}, {accept: 'application/json;as=Table;v=v1;g=meta.k8s.io'});
  room.patch(`${MAPS}/m`, 'application/merge-patch+json', {data: {a: 'b'}});
  room.pass(5);
  expect(table.frames.map(frame => frame.type)).toEqual(['ADDED', 'MODIFIED']);
  expect(table.frames[0]?.object).toMatchObject({
    kind: 'Table',
    columnDefinitions: [{name: 'Name'}, {name: 'Data'}, {name: 'Age'}],
    rows: [{cells: ['m', 0, expect.any(String)]}],
  });
  expect(table.frames[1]?.object).toMatchObject({kind: 'Table', columnDefinitions: null});
});

test('thousands of rows come some at a time, and in order with what happens meanwhile', () => {
  const room = new ServerRoom();
  const names = Array.from({length: 1200}, (_, n) => `m-${String(n).padStart(4, '0')}`);
  for (const name of names) room.post(MAPS, map(name));
  const heard: {readonly at: number; readonly row: string}[] = [];
  const query = {watch: 'true'};
  const headers = {accept: TABLE_TYPE};
  const frame = (each: unknown) => {
    const {rows} = (each as WatchEvent).object as {rows: readonly {object: AnyObject}[]};
    for (const {object} of rows) heard.push({at: room.clock.now, row: object.metadata.name});
  };
  const request = {method: 'GET' as const, path: MAPS, query, headers, ...(room.as ? {certificate: room.as} : {})};
  room.network.call('192.168.0.2', '10.0.0.10', 6443, request, {answer: () => undefined, frame, end: () => undefined});
  while (heard.length === 0) room.clock.step();
  room.post(MAPS, map('later'));
  room.pass(100);
  expect(heard.map(each => each.row)).toEqual([...names, 'later']);
  const turns = Map.groupBy(heard, each => each.at);
  expect(Math.max(...[...turns.values()].map(rows => rows.length))).toBeLessThanOrEqual(250);
});

test('a client that goes is forgotten', () => {
  const room = new ServerRoom();
  const watch = room.watch(MAPS, {resourceVersion: String(room.server.revision)});
  watch.caller.cancel();
  room.pass(5);
  room.post(MAPS, map('unseen'));
  room.pass(5);
  expect(watch.frames).toEqual([]);
});

test('a server that starts anew has everything, and the same objects', () => {
  const room = new ServerRoom();
  const created = room.post(MAPS, map('kept')).body;
  const writes = room.etcd.writes;
  room.restart();
  expect(room.get(`${MAPS}/kept`).body).toEqual(created);
  // The key and the lease that tell of it, and nothing else.
  expect(room.etcd.writes).toBe(writes + 2);
});

test('watches live on when etcd is away for a while', () => {
  const room = new ServerRoom();
  const watch = room.watch(MAPS, {resourceVersion: String(room.server.revision)});
  const stored = room.etcd.keys.get('/registry/namespaces/default')?.value as AnyObject;
  room.etcd.stop();
  room.pass(100);
  room.etcd.put('/registry/configmaps/default/missed', {
    ...map('missed'),
    metadata: {...stored.metadata, name: 'missed', namespace: 'default'},
  });
  room.etcd.start();
  room.pass(3000);
  room.post(MAPS, map('later'));
  room.pass(5);
  expect(watch.ended).toBe(false);
  expect(seen(watch.frames)).toEqual(['ADDED missed', 'ADDED later']);
});

test('when etcd has forgotten what happened meanwhile, everybody lists again', () => {
  const room = new ServerRoom();
  room.post(MAPS, map('gone'));
  const watch = room.watch(MAPS, {resourceVersion: String(room.server.revision)});
  room.etcd.stop();
  room.etcd.keys.delete('/registry/configmaps/default/gone');
  room.etcd.put('/elsewhere', {});
  room.etcd.compact();
  room.etcd.start();
  room.pass(5000);
  expect(watch.ended).toBe(true);
  expect(room.get(MAPS, {resourceVersion: '0'}).body).toMatchObject({items: []});
  expect(room.post(MAPS, map('gone')).status).toBe(201);
});
