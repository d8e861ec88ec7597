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

test.each([
  {version: undefined, code: 200},
  {version: '', code: 200},
  {version: '0', code: 200},
  {version: '00', code: 200},
  {version: '7', code: 409},
  {version: 'seven', code: 500, message: 'strconv.ParseUint: parsing "seven": invalid syntax'},
])('an update that means the version $version', ({version, code, message}) => {
  const room = new ServerRoom();
  const {body} = room.post(CONFIG_MAPS, configMap('wire'));
  const object = body as AnyObject;
  const metadata = {...object.metadata, resourceVersion: version};
  const answer = room.put(`${CONFIG_MAPS}/wire`, {...object, metadata, data: {a: '2'}});
  expect(answer).toMatchObject({status: code, body: message === undefined ? {} : {message}});
  const merge = {metadata: {resourceVersion: version}, data: {a: '3'}};
  expect(room.patch(`${CONFIG_MAPS}/wire`, 'application/merge-patch+json', merge).status).toBe(code);
});

test.each([
  {version: '', code: 201},
  {version: '0', code: 201},
  {version: 'seven', code: 201},
  {version: '7', code: 500, message: 'resourceVersion should not be set on objects to be created'},
])('a create with the version $version', ({version, code, message}) => {
  const room = new ServerRoom();
  const object = {...configMap('wire'), metadata: {name: 'wire', resourceVersion: version}};
  expect(room.post(CONFIG_MAPS, object, {dryRun: 'All'}).status).toBe(201);
  expect(room.post(CONFIG_MAPS, object)).toMatchObject({status: code, body: message === undefined ? {} : {message}});
  const wrong = {...object, metadata: {...object.metadata, name: 'WRONG'}};
  expect(room.post(CONFIG_MAPS, wrong).status).toBe(422);
});

test('a scale is shown in every form that objects have', () => {
  const room = new ServerRoom();
  const path = '/apis/apps/v1/namespaces/default/deployments';
  const template = {metadata: {labels: {a: 'b'}}, spec: {containers: [{name: 'c', image: 'i'}]}};
  const spec = {replicas: 3, selector: {matchLabels: {a: 'b'}}, template};
  room.post(path, {apiVersion: 'apps/v1', kind: 'Deployment', metadata: {name: 'web'}, spec});
  room.pass(4000);
  const as = (accept: string) => room.get(`${path}/web/scale`, {}, {accept}).body;
  expect(as('application/json;as=Table;v=v1;g=meta.k8s.io,application/json')).toMatchObject({
    kind: 'Table',
    columnDefinitions: [{name: 'Name'}, {name: 'Desired'}, {name: 'Available'}, {name: 'Age'}],
    rows: [{cells: ['web', 3, 0, '4s']}],
  });
  expect(as('application/yaml')).toContain('kind: Scale\n');
  expect(as('application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io')).toMatchObject({metadata: {name: 'web'}});
  expect(as('application/json')).toMatchObject({kind: 'Scale', spec: {replicas: 3}});
});
