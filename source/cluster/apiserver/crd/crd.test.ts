import {expect, test} from 'vitest';
import {FakeWebhook, HOOK_ADDRESS, HOOK_BUNDLE, patchOf} from '../testing/fake-webhook.ts';
import {ServerRoom} from '../testing/server-room.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const V1 = '/apis/post.example.com/v1/namespaces/default/parcels';
const V2 = '/apis/post.example.com/v2/namespaces/default/parcels';

const spec = {
  type: 'object',
  required: ['to'],
  properties: {
    to: {type: 'string', 'x-kubernetes-validations': [{rule: 'self == oldSelf', message: 'to never changes'}]},
    grams: {type: 'integer', default: 100, maximum: 5000},
    copies: {type: 'integer'},
  },
};
const schema = {
  openAPIV3Schema: {
    type: 'object',
    properties: {spec, status: {type: 'object', properties: {copies: {type: 'integer'}, phase: {type: 'string'}}}},
  },
};
const subresources = {status: {}, scale: {specReplicasPath: '.spec.copies', statusReplicasPath: '.status.copies'}};
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'parcels.post.example.com'},
  spec: {
    group: 'post.example.com',
    scope: 'Namespaced',
    names: {plural: 'parcels', kind: 'Parcel', shortNames: ['pc']},
    versions: [
      {name: 'v1', served: true, storage: true, schema, subresources, selectableFields: [{jsonPath: '.spec.to'}]},
      {name: 'v2', served: true, storage: false, schema, subresources},
    ],
  },
};

function parcel(name: string, more: object = {}, apiVersion = 'post.example.com/v1'): object {
  return {apiVersion, kind: 'Parcel', metadata: {name}, spec: {to: 'Nina', ...more}};
}

function aPostOffice(): ServerRoom {
  const room = new ServerRoom();
  expect(room.post(DEFINITIONS, definition).status).toBe(201);
  room.pass(50);
  return room;
}

test('a definition is established, and its kind served, discovered and described', () => {
  const room = aPostOffice();
  const {body} = room.get(`${DEFINITIONS}/parcels.post.example.com`);
  expect(body).toMatchObject({
    status: {
      conditions: [
        {type: 'NamesAccepted', status: 'True'},
        {type: 'Established', status: 'True'},
      ],
      storedVersions: ['v1'],
    },
  });
  expect(room.get('/apis/post.example.com/v2').body).toMatchObject({
    resources: [{name: 'parcels', shortNames: ['pc']}, {name: 'parcels/status'}, {name: 'parcels/scale', kind: 'Scale'}],
  });
  expect(room.get('/openapi/v3/apis/post.example.com/v1').body).toMatchObject({
    components: {schemas: {'com.example.post.v1.Parcel': {properties: {spec: {required: ['to']}}}}},
  });
});

test('objects are pruned, get defaults, are judged, and shown in each version', () => {
  const room = aPostOffice();
  expect(room.post(V1, parcel('a', {colour: 'red'})).body).toMatchObject({
    metadata: {generation: 1},
    spec: {to: 'Nina', grams: 100},
  });
  expect(room.post(V1, parcel('b', {colour: 'red'}), {fieldValidation: 'Strict'})).toMatchObject({status: 400});
  expect(room.post(V1, parcel('b', {grams: 9000})).body).toMatchObject({
    reason: 'Invalid',
    details: {causes: [{field: 'spec.grams'}]},
  });
  expect(room.post(V2, parcel('c', {}, 'post.example.com/v2')).status).toBe(201);
  expect(room.get(`${V1}/c`).body).toMatchObject({apiVersion: 'post.example.com/v1'});
  expect(room.get(`${V2}/a`).body).toMatchObject({apiVersion: 'post.example.com/v2'});
  expect(room.get(V1, {fieldSelector: 'spec.to=Nina'}).body).toMatchObject({items: [{}, {}]});
  expect(room.get(V2, {fieldSelector: 'spec.to=Nina'}).status).toBe(400);
});

test('changes: transitions, the status apart, the scale', () => {
  const room = aPostOffice();
  room.post(V1, parcel('a', {copies: 2}));
  const patch = (path: string, body: unknown) =>
    room.ask({method: 'PATCH', path, body, headers: {'content-type': 'application/merge-patch+json'}});
  expect(patch(`${V1}/a`, {spec: {to: 'Otto'}}).body).toMatchObject({
    message: 'Parcel.post.example.com "a" is invalid: spec.to: Invalid value: "Otto": to never changes',
  });
  expect(patch(`${V1}/a`, {status: {phase: 'Sent'}}).body).toMatchObject({metadata: {generation: 1}});
  expect(patch(`${V1}/a/status`, {status: {phase: 'Sent'}, spec: {grams: 7}}).body).toMatchObject({
    spec: {grams: 100},
    status: {phase: 'Sent'},
  });
  expect(room.get(`${V1}/a/scale`).body).toMatchObject({kind: 'Scale', spec: {replicas: 2}, status: {replicas: 0}});
  expect(patch(`${V1}/a/scale`, {spec: {replicas: 5}}).body).toMatchObject({spec: {replicas: 5}});
  expect(room.get(`${V1}/a`).body).toMatchObject({metadata: {generation: 2}, spec: {copies: 5}});
});

test('definitions and objects outlive the server, and a second server serves them', () => {
  const room = aPostOffice();
  room.post(V1, parcel('a'));
  room.restart();
  expect(room.get(V1).body).toMatchObject({items: [{metadata: {name: 'a'}}]});
});

test('a definition that goes takes its objects along, and waits for them', () => {
  const room = aPostOffice();
  room.post(V1, {...parcel('a'), metadata: {name: 'a', finalizers: ['example.com/wait']}});
  room.ask({method: 'DELETE', path: `${DEFINITIONS}/parcels.post.example.com`});
  room.pass(1000);
  expect(room.get(`${V1}/a`).body).toMatchObject({metadata: {finalizers: ['example.com/wait']}});
  expect(room.post(V1, parcel('late')).body).toMatchObject({reason: 'Forbidden'});
  room.ask({
    method: 'PATCH',
    path: `${V1}/a`,
    body: {metadata: {finalizers: null}},
    headers: {'content-type': 'application/merge-patch+json'},
  });
  room.pass(10_000);
  expect(room.get(`${DEFINITIONS}/parcels.post.example.com`).status).toBe(404);
  expect(room.get(V1).status).toBe(404);
});

test('another version for storage: the old one is remembered, objects are shown as before', () => {
  const room = aPostOffice();
  room.post(V1, parcel('a'));
  const versions = definition.spec.versions.map(version => ({...version, storage: version.name === 'v2'}));
  const patch = (path: string, body: unknown) =>
    room.ask({method: 'PATCH', path, body, headers: {'content-type': 'application/merge-patch+json'}});
  expect(patch(`${DEFINITIONS}/parcels.post.example.com`, {spec: {versions}}).body).toMatchObject({
    status: {storedVersions: ['v1', 'v2']},
  });
  room.pass(50);
  expect(patch(`${V1}/a`, {metadata: {labels: {x: 'y'}}}).body).toMatchObject({
    apiVersion: 'post.example.com/v1',
    metadata: {generation: 1, labels: {x: 'y'}},
  });
});

test('a mutating webhook changes a custom object, which is pruned again', () => {
  const room = aPostOffice();
  new FakeWebhook(room).at('/weigh', () =>
    patchOf({op: 'add', path: '/spec/grams', value: 7}, {op: 'add', path: '/spec/colour', value: 'red'}),
  );
  room.post('/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: {name: 'scales'},
    webhooks: [
      {
        name: 'weigh.post.example.com',
        rules: [{apiGroups: ['post.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['parcels']}],
        clientConfig: {url: `https://${HOOK_ADDRESS}/weigh`, caBundle: HOOK_BUNDLE},
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
  room.pass(5);
  expect(room.post(V1, parcel('a')).body).toMatchObject({spec: {to: 'Nina', grams: 7}});
  expect(room.get(`${V1}/a`).body).not.toHaveProperty('spec.colour');
});

test('the second edition of OpenAPI says nothing of what may be anything', () => {
  const room = new ServerRoom();
  const open = {'x-kubernetes-preserve-unknown-fields': true};
  const versions = (rootSchema: object) => [
    {name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object', ...rootSchema}}},
  ];
  const define = (plural: string, kind: string, rootSchema: object) =>
    room.post(DEFINITIONS, {
      ...definition,
      metadata: {name: `${plural}.post.example.com`},
      spec: {...definition.spec, names: {plural, kind}, versions: versions(rootSchema)},
    });
  const text = {type: 'string'};
  define('boxes', 'Box', {...open, properties: {spec: {type: 'object', ...open, properties: {size: text}}}});
  const either = {anyOf: [{required: ['a']}, {required: ['b']}]};
  const inside = {type: 'object', required: ['a', 'b'], properties: {a: text, b: {...text, nullable: true}}, ...either};
  define('bags', 'Bag', {properties: {spec: inside, any: {type: 'object', ...open, properties: {a: text}}}});
  room.pass(50);
  const {definitions} = room.get('/openapi/v2').body as {definitions: Record<string, object>};
  expect(definitions['com.example.post.v1.Box']).toEqual({
    type: 'object',
    'x-kubernetes-group-version-kind': [{group: 'post.example.com', version: 'v1', kind: 'Box'}],
  });
  expect(definitions['com.example.post.v1.Bag']).toMatchObject({
    properties: {
      metadata: {$ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'},
      spec: {type: 'object', required: ['a'], properties: {a: text, b: {}}},
      any: {type: 'object', ...open},
    },
  });
  expect(definitions['com.example.post.v1.Bag']).not.toHaveProperty(['properties', 'any', 'properties']);
  expect(definitions['com.example.post.v1.Bag']).not.toHaveProperty(['properties', 'spec', 'anyOf']);
  expect(room.get('/openapi/v3/apis/post.example.com/v1').body).toMatchObject({
    components: {schemas: {'com.example.post.v1.Box': {properties: {spec: {properties: {size: text}}}}}},
  });
});
