import {expect, test} from 'vitest';
import type {AnyObject} from '../../api/meta/object.ts';
import {ServerRoom} from './testing/server-room.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, data: Record<string, string> = {a: '1'}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {name},
  data,
});

test('a config map is created, read, listed, watched, changed and deleted', () => {
  const room = new ServerRoom();
  const watch = room.watch(CONFIG_MAPS);
  const created = room.post(CONFIG_MAPS, configMap('wire'));
  expect(created.status).toBe(201);
  const object = created.body as AnyObject;
  expect(object).toMatchObject({
    metadata: {name: 'wire', namespace: 'default', creationTimestamp: '2026-11-30T04:20:20Z'},
    data: {a: '1'},
  });
  expect(room.get(`${CONFIG_MAPS}/wire`).body).toBe(object);
  const list = room.get(CONFIG_MAPS).body as {kind: string; items: AnyObject[]};
  expect(list.kind).toBe('ConfigMapList');
  expect(list.items.map(item => item.metadata.name)).toContain('wire');
  expect(room.post(CONFIG_MAPS, configMap('wire')).body).toMatchObject({
    code: 409,
    reason: 'AlreadyExists',
    message: 'configmaps "wire" already exists',
  });
  const changed = room.put(`${CONFIG_MAPS}/wire`, {...object, data: {a: '2'}});
  expect(changed.status).toBe(200);
  expect(room.put(`${CONFIG_MAPS}/wire`, {...object, data: {a: '3'}}).body).toMatchObject({
    code: 409,
    message:
      'Operation cannot be fulfilled on configmaps "wire": the object has been modified; please apply your changes to the latest version and try again',
  });
  expect(room.patch(`${CONFIG_MAPS}/wire`, 'application/merge-patch+json', {data: {a: null, b: '3'}}).body).toMatchObject({
    data: {b: '3'},
  });
  expect(room.delete(`${CONFIG_MAPS}/wire`).body).toMatchObject({
    status: 'Success',
    details: {name: 'wire', kind: 'configmaps', uid: object.metadata.uid},
  });
  expect(room.get(`${CONFIG_MAPS}/wire`).body).toMatchObject({code: 404, message: 'configmaps "wire" not found'});
  room.pass(5);
  expect(watch.frames.filter(frame => (frame.object as AnyObject).metadata.name === 'wire').map(frame => frame.type)).toEqual([
    'ADDED',
    'MODIFIED',
    'MODIFIED',
    'DELETED',
  ]);
});

test('who shows nothing is anonymous and may read little', () => {
  const room = new ServerRoom();
  room.as = undefined;
  expect(room.get('/api/v1/namespaces').body).toMatchObject({
    code: 403,
    message:
      'namespaces is forbidden: User "system:anonymous" cannot list resource "namespaces" in API group "" at the cluster scope',
    details: {kind: 'namespaces'},
  });
});
