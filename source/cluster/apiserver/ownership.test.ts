// Who owns which fields, as clients see it: managedFields after each kind of write, and server-side apply.
import {beforeEach, describe, expect, test} from 'vitest';
import type {ManagedFieldsEntry} from '../../api/kinds/meta.ts';
import type {AnyObject} from '../../api/meta/object.ts';
import type {Answer, Request} from '../../api/wire/http.ts';
import {ServerRoom} from './testing/server-room.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

let room: ServerRoom;
beforeEach(() => {
  room = new ServerRoom();
});

function ask(request: Request): Answer {
  return room.ask(request);
}

function apply(path: string, manager: string, body: unknown, more: Readonly<Record<string, string>> = {}): Answer {
  return ask({
    method: 'PATCH',
    path,
    query: {fieldManager: manager, ...more},
    headers: {'content-type': 'application/apply-patch+yaml'},
    body,
  });
}

function patch(path: string, manager: string, body: unknown): Answer {
  return ask({
    method: 'PATCH',
    path,
    query: {fieldManager: manager},
    headers: {'content-type': 'application/merge-patch+json'},
    body,
  });
}

function map(name: string, data: Readonly<Record<string, string>>, metadata: object = {}) {
  return {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name, ...metadata}, data};
}

function owners(path: string): Readonly<Record<string, unknown>> {
  const object = ask({method: 'GET', path}).body as AnyObject;
  return Object.fromEntries(
    (object.metadata.managedFields ?? []).map(({manager = '', operation = '', subresource, fieldsV1}: ManagedFieldsEntry) => [
      `${manager} ${operation}${subresource === undefined ? '' : ` ${subresource}`}`,
      fieldsV1,
    ]),
  );
}

function deployment(replicas: number, image = 'nginx:1.27') {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {name: 'web'},
    spec: {
      replicas,
      selector: {matchLabels: {app: 'web'}},
      template: {metadata: {labels: {app: 'web'}}, spec: {containers: [{name: 'nginx', image}]}},
    },
  };
}

describe('updates', () => {
  test('a create owns maps and their keys, and of structs only the fields', () => {
    ask({method: 'POST', path: MAPS, query: {fieldManager: 'curl'}, body: map('conf', {a: '1'}, {labels: {x: 'y'}})});
    expect(owners(`${MAPS}/conf`)).toEqual({
      'curl Update': {'f:data': {'.': {}, 'f:a': {}}, 'f:metadata': {'f:labels': {'.': {}, 'f:x': {}}}},
    });
  });

  test('who changes a field takes it, who removes it leaves nobody with it', () => {
    ask({method: 'POST', path: MAPS, query: {fieldManager: 'one'}, body: map('conf', {a: '1', b: '1', c: '1'})});
    patch(`${MAPS}/conf`, 'two', {data: {a: '2', b: null}});
    expect(owners(`${MAPS}/conf`)).toEqual({
      'one Update': {'f:data': {'.': {}, 'f:c': {}}},
      'two Update': {'f:data': {'f:a': {}}},
    });
  });

  test('a patch that changes nothing writes nothing', () => {
    ask({method: 'POST', path: MAPS, query: {fieldManager: 'one'}, body: map('conf', {a: '1'})});
    const before = ask({method: 'GET', path: `${MAPS}/conf`}).body as AnyObject;
    const after = patch(`${MAPS}/conf`, 'two', {data: {a: '1'}}).body as AnyObject;
    expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  test('containers are told apart by their names, and defaults belong to who wrote the container', () => {
    ask({method: 'POST', path: DEPLOYMENTS, query: {fieldManager: 'one'}, body: deployment(2)});
    const fields = owners(`${DEPLOYMENTS}/web`)['one Update'];
    expect(fields).toHaveProperty(['f:spec', 'f:template', 'f:spec', 'f:containers'], {
      'k:{"name":"nginx"}': {
        '.': {},
        'f:image': {},
        'f:imagePullPolicy': {},
        'f:name': {},
        'f:resources': {},
        'f:terminationMessagePath': {},
        'f:terminationMessagePolicy': {},
      },
    });
    expect(fields).toHaveProperty(['f:spec', 'f:strategy'], {
      'f:rollingUpdate': {'.': {}, 'f:maxSurge': {}, 'f:maxUnavailable': {}},
      'f:type': {},
    });
    expect(fields).not.toHaveProperty('f:status');
  });

  test('status and scale have owners of their own', () => {
    ask({method: 'POST', path: DEPLOYMENTS, query: {fieldManager: 'one'}, body: deployment(2)});
    patch(`${DEPLOYMENTS}/web/scale`, 'two', {spec: {replicas: 5}});
    patch(`${DEPLOYMENTS}/web/status`, 'three', {status: {replicas: 1}, spec: {replicas: 9}});
    expect(owners(`${DEPLOYMENTS}/web`)).toMatchObject({
      'two Update scale': {'f:spec': {'f:replicas': {}}},
      'three Update status': {'f:status': {'f:replicas': {}}},
    });
  });

  test('the scale is applied too: its replicas are owned, and are in conflict, as those of the object', () => {
    ask({method: 'POST', path: DEPLOYMENTS, query: {fieldManager: 'one'}, body: deployment(2)});
    const path = `${DEPLOYMENTS}/web/scale`;
    const scale = (replicas: number, more: object = {}) => ({
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: {name: 'web'},
      spec: {replicas},
      ...more,
    });
    expect(apply(path, 'two', scale(5)).body).toMatchObject({
      code: 409,
      message: 'Apply failed with 1 conflict: conflict with "one" using apps/v1: .spec.replicas',
    });
    expect(apply(path, 'two', scale(5), {force: 'true'}).body).toMatchObject({kind: 'Scale', spec: {replicas: 5}});
    expect(owners(`${DEPLOYMENTS}/web`)).toMatchObject({'two Apply scale': {'f:spec': {'f:replicas': {}}}});
    expect(owners(`${DEPLOYMENTS}/web`)['one Update']).not.toHaveProperty(['f:spec', 'f:replicas']);
    expect(apply(path, 'two', scale(5, {apiVersion: 'apps/v1'})).body).toMatchObject({code: 400});
    expect(apply(path, 'two', {...scale(-1)}).body).toMatchObject({code: 422});
    expect(apply(path, 'two', scale(1, {metadata: {resourceVersion: '1'}})).body).toMatchObject({code: 409});
    expect(apply(`${DEPLOYMENTS}/none/scale`, 'two', scale(1)).body).toMatchObject({code: 404});
    expect(ask({method: 'GET', path: `${DEPLOYMENTS}/web`}).body).toMatchObject({spec: {replicas: 5}});
  });

  test.each([
    {sent: {}, left: ['curl Update']},
    {sent: {operation: 'Delete'}, left: ['curl Update']},
    {sent: {apiVersion: ''}, left: ['curl Update']},
    {sent: {fieldsType: ''}, left: ['curl Update']},
    {sent: {fieldsType: 'FieldsV2'}, left: ['curl Update']},
    {sent: {fieldsV1: {nonsense: {}}}, left: ['curl Update']},
    {sent: {manager: 'x'.repeat(129)}, error: 'metadata.managedFields[0].manager: Too long: may not be more than 128 bytes'},
    {
      sent: {manager: 'bé\u0007ll\n'},
      error:
        '[metadata.managedFields[0].manager: Invalid value: "bé\\all\\n": invalid character U+0007 (at position 3), metadata.managedFields[0].manager: Invalid value: "bé\\all\\n": invalid character U+000A (at position 6)]',
    },
    {
      sent: {subresource: 's'.repeat(257)},
      error: 'metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes',
    },
    {sent: {manager: 'other'}, left: ['other Update']},
  ])('owners that a client sends: $sent', ({sent, error, left}) => {
    const fieldsV1 = {'f:data': {'f:a': {}}};
    const entry =
      Object.keys(sent).length === 0
        ? sent
        : {manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1};
    const managedFields = [{...entry, ...sent}];
    const write = (method: 'POST' | 'PUT') => {
      const path = method === 'POST' ? MAPS : `${MAPS}/conf`;
      return ask({method, path, query: {fieldManager: 'curl'}, body: map('conf', {a: '1'}, {managedFields})});
    };
    for (const method of ['POST', 'PUT'] as const) {
      if (error !== undefined && method === 'PUT') ask({method: 'POST', path: MAPS, body: map('conf', {a: '1'})});
      const answer = write(method);
      if (error === undefined) expect(answer.status).toBeLessThan(300);
      else expect(answer.body).toMatchObject({code: 422, message: `ConfigMap "conf" is invalid: ${error}`});
    }
    if (left && Object.keys(sent).length > 0) expect(Object.keys(owners(`${MAPS}/conf`))).toContain(left[0]);
  });

  test('of many updaters the oldest are kept together', () => {
    ask({method: 'POST', path: MAPS, query: {fieldManager: 'm00'}, body: map('conf', {k0: 'v'})});
    for (let n = 1; n < 15; n++) patch(`${MAPS}/conf`, `m${String(n).padStart(2, '0')}`, {data: {[`k${n}`]: 'v'}});
    const left = owners(`${MAPS}/conf`);
    expect(Object.keys(left)).toHaveLength(10);
    expect(left['ancient-changes Update']).toMatchObject({'f:data': {'.': {}, 'f:k0': {}, 'f:k5': {}}});
    expect(left['m06 Update']).toEqual({'f:data': {'f:k6': {}}});
  });

  test('a change that the kind takes back moves owners, once', () => {
    const path = '/api/v1/namespaces/default/services';
    const spec = {clusterIP: '10.96.7.7', ports: [{port: 80}]};
    ask({
      method: 'POST',
      path,
      query: {fieldManager: 'one'},
      body: {apiVersion: 'v1', kind: 'Service', metadata: {name: 'web'}, spec},
    });
    const without = () => patch(`${path}/web`, 'two', {spec: {clusterIP: null}}).body as AnyObject;
    const before = ask({method: 'GET', path: `${path}/web`}).body as AnyObject;
    expect(owners(`${path}/web`)['one Update']).toMatchObject({'f:spec': {'f:clusterIP': {}}});
    const first = without();
    expect(first).toMatchObject({spec: {clusterIP: '10.96.7.7'}});
    expect(first.metadata.resourceVersion).not.toBe(before.metadata.resourceVersion);
    expect(owners(`${path}/web`)['one Update']).not.toMatchObject({'f:spec': {'f:clusterIP': {}}});
    expect(without().metadata.resourceVersion).toBe(first.metadata.resourceVersion);
  });

  test('one empty entry takes all owners away, and then updates own nothing', () => {
    ask({method: 'POST', path: MAPS, query: {fieldManager: 'one'}, body: map('conf', {a: '1'})});
    patch(`${MAPS}/conf`, 'one', {metadata: {managedFields: [{}]}});
    expect(owners(`${MAPS}/conf`)).toEqual({});
    patch(`${MAPS}/conf`, 'two', {data: {a: '2'}});
    expect(owners(`${MAPS}/conf`)).toEqual({});
    apply(`${MAPS}/conf`, 'three', map('conf', {b: '1'}));
    expect(owners(`${MAPS}/conf`)).toEqual({
      'before-first-apply Update': {'f:data': {'.': {}, 'f:a': {}}},
      'three Apply': {'f:data': {'f:b': {}}},
    });
  });
});

describe('apply', () => {
  test('makes what is not there', () => {
    expect(apply(`${MAPS}/conf`, 'alpha', map('conf', {a: '1'}))).toMatchObject({status: 201, body: {data: {a: '1'}}});
    expect(apply(`${MAPS}/conf`, 'alpha', map('conf', {a: '1'})).status).toBe(200);
  });

  test('nothing new is written when nothing is new', () => {
    const first = apply(`${MAPS}/conf`, 'alpha', map('conf', {a: '1'})).body as AnyObject;
    room.clock.step();
    const second = apply(`${MAPS}/conf`, 'alpha', map('conf', {a: '1'})).body as AnyObject;
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
  });

  test('a conflict names field, owner and cause', () => {
    ask({method: 'POST', path: MAPS, query: {fieldManager: 'curl'}, body: map('conf', {b: '3'})});
    expect(apply(`${MAPS}/conf`, 'other', map('conf', {b: '4'}))).toMatchObject({
      status: 409,
      body: {
        message: 'Apply failed with 1 conflict: conflict with "curl" using v1: .data.b',
        reason: 'Conflict',
        details: {causes: [{reason: 'FieldManagerConflict', message: 'conflict with "curl" using v1', field: '.data.b'}]},
      },
    });
    expect(apply(`${MAPS}/conf`, 'other', map('conf', {b: '4'}), {force: 'true'}).status).toBe(200);
    expect(owners(`${MAPS}/conf`)).toEqual({'other Apply': {'f:data': {'f:b': {}}}, 'curl Update': {'f:data': {}}});
  });

  test('what is dropped goes, unless another holds it', () => {
    apply(`${MAPS}/conf`, 'alpha', map('conf', {a: '1', b: '1', c: '1'}));
    apply(`${MAPS}/conf`, 'beta', map('conf', {b: '1'}));
    expect(apply(`${MAPS}/conf`, 'alpha', map('conf', {c: '1'}))).toMatchObject({body: {data: {b: '1', c: '1'}}});
    expect((apply(`${MAPS}/conf`, 'alpha', map('conf', {c: '1'})).body as {data: object}).data).not.toHaveProperty('a');
  });

  test('a container that is dropped goes with what others set in it; one that others made stays', () => {
    const two = deployment(1);
    const [first] = two.spec.template.spec.containers;
    const with2 = {
      ...two,
      spec: {...two.spec, template: {...two.spec.template, spec: {containers: [{...first, name: 'log'}, first]}}},
    };
    apply(`${DEPLOYMENTS}/web`, 'alpha', with2);
    const set = {spec: {template: {spec: {containers: [{name: 'log', image: 'other'}]}}}};
    ask({
      method: 'PATCH',
      path: `${DEPLOYMENTS}/web`,
      query: {fieldManager: 'setter'},
      headers: {'content-type': 'application/strategic-merge-patch+json'},
      body: set,
    });
    const left = apply(`${DEPLOYMENTS}/web`, 'alpha', two).body as unknown as typeof two;
    expect(left.spec.template.spec.containers.map(each => each.name)).toEqual(['nginx']);
  });

  test.each([
    [{...map('conf', {}), date: {a: 'b'}}, '(default/conf; /v1, Kind=ConfigMap): .date: field not declared in schema'],
    [
      {...map('conf', {a: 1 as unknown as string})},
      '(default/conf; /v1, Kind=ConfigMap): .data.a: expected string, got &value.valueUnstructured{Value:1}',
    ],
  ])('%j is no configuration', (config, why) => {
    expect(apply(`${MAPS}/conf`, 'alpha', config)).toMatchObject({
      status: 500,
      body: {message: `failed to create typed patch object ${why}`},
    });
  });

  test('a uid means an object that is there', () => {
    const uid = '11111111-2222-3333-4444-555555555555';
    expect(apply(`${MAPS}/conf`, 'alpha', map('conf', {}, {uid}))).toMatchObject({
      status: 409,
      body: {message: expect.stringContaining(`the provided object specified uid ${uid}, and no existing object was found`)},
    });
  });

  test('a dry run leaves no trace', () => {
    expect(apply(`${MAPS}/conf`, 'alpha', map('conf', {a: '1'}), {dryRun: 'All'}).status).toBe(201);
    expect(ask({method: 'GET', path: `${MAPS}/conf`}).status).toBe(404);
  });
});
