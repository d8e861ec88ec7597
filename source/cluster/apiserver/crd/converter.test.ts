// A kind whose versions become each other by a webhook: v1, which is stored, has `to`, v2 `receiver`.
import {beforeEach, describe, expect, test} from 'vitest';
import type {AnyObject} from '../../../api/meta/object.ts';
import type {Answer} from '../../../api/wire/http.ts';
import {FakeWebhook, HOOK_BUNDLE} from '../testing/fake-webhook.ts';
import {ServerRoom} from '../testing/server-room.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const pathOf = (version: string) => `/apis/post.example.com/${version}/namespaces/default/letters`;
const V1 = pathOf('v1');
const V2 = pathOf('v2');
const APPLY = 'application/apply-patch+yaml';
const MERGE = 'application/merge-patch+json';

const text = {type: 'string'};
const schemaWith = (properties: object) => ({
  openAPIV3Schema: {
    type: 'object',
    properties: {spec: {type: 'object', properties: {...properties, size: {...text, default: 'small'}}}},
  },
});
const version = (name: string, storage: boolean, properties: object) => ({
  name,
  served: true,
  storage,
  schema: schemaWith(properties),
});
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'letters.post.example.com'},
  spec: {
    group: 'post.example.com',
    scope: 'Namespaced',
    names: {plural: 'letters', kind: 'Letter'},
    versions: [version('v1', true, {to: text}), version('v2', false, {receiver: text})],
    conversion: {
      strategy: 'Webhook',
      webhook: {conversionReviewVersions: ['v2', 'v1'], clientConfig: {url: 'https://10.0.0.50/convert', caBundle: HOOK_BUNDLE}},
    },
  },
};

interface Review {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly (AnyObject & {readonly spec: Readonly<Record<string, unknown>>})[];
}

function converted({desiredAPIVersion, objects}: Review): readonly object[] {
  return objects.map(object => {
    const {to, receiver, ...rest} = object.spec;
    const spec = desiredAPIVersion.endsWith('v2') ? {receiver: to ?? receiver, ...rest} : {to: receiver ?? to, ...rest};
    return {...object, apiVersion: desiredAPIVersion, spec};
  });
}

const success = (review: Review) => ({uid: review.uid, result: {status: 'Success'}, convertedObjects: converted(review)});
const reviewOf = (response: object | undefined): Answer => ({
  status: 200,
  body: {kind: 'ConversionReview', apiVersion: 'apiextensions.k8s.io/v1', ...(response ? {response} : {})},
});

let room: ServerRoom;
let hook: FakeWebhook;
const answers = (answer: (review: Review) => Answer) => hook.at('/convert', asked => answer(asked as unknown as Review));
const asked = () => hook.asked.map(each => (each as unknown as Review).desiredAPIVersion.replace('post.example.com/', ''));

beforeEach(() => {
  room = new ServerRoom();
  hook = new FakeWebhook(room);
  answers(review => reviewOf(success(review)));
  expect(room.post(DEFINITIONS, definition).status).toBe(201);
  room.pass(50);
});

function letter(name: string, spec: object, apiVersion = 'post.example.com/v2'): object {
  return {apiVersion, kind: 'Letter', metadata: {name}, spec};
}

describe('an object', () => {
  test('is stored in one version and shown in each', () => {
    const made = room.post(V2, letter('a', {receiver: 'Nina'}));
    expect(made).toMatchObject({status: 201, body: {apiVersion: 'post.example.com/v2', spec: {receiver: 'Nina', size: 'small'}}});
    expect(asked()).toEqual(['v1', 'v2']);
    expect(room.get(`${V1}/a`).body).toMatchObject({apiVersion: 'post.example.com/v1', spec: {to: 'Nina', size: 'small'}});
    expect(room.get(`${V2}/a`).body).toMatchObject({apiVersion: 'post.example.com/v2', spec: {receiver: 'Nina'}});
    expect((room.get(`${V2}/a`).body as AnyObject).spec).not.toHaveProperty('to');
    // What is known is not asked again.
    expect(asked()).toEqual(['v1', 'v2']);
    expect((room.get(V2).body as {items: AnyObject[]}).items).toMatchObject([
      {apiVersion: 'post.example.com/v2', spec: {receiver: 'Nina'}},
    ]);
  });

  test('is changed in the version of the request', () => {
    room.post(V1, letter('a', {to: 'Nina'}, 'post.example.com/v1'));
    expect(room.patch(`${V2}/a`, MERGE, {spec: {receiver: 'Otto'}}).body).toMatchObject({spec: {receiver: 'Otto'}});
    expect(room.get(`${V1}/a`).body).toMatchObject({spec: {to: 'Otto'}});
    const {body} = room.get(`${V2}/a`);
    expect(room.put(`${V2}/a`, {...(body as object), spec: {receiver: 'Paul', size: 'large'}}).status).toBe(200);
    expect(room.get(`${V1}/a`).body).toMatchObject({metadata: {generation: 3}, spec: {to: 'Paul', size: 'large'}});
    const before = (room.get(`${V1}/a`).body as AnyObject).metadata.resourceVersion;
    expect(room.patch(`${V2}/a`, MERGE, {spec: {receiver: 'Paul'}}).body).toMatchObject({metadata: {resourceVersion: before}});
  });

  test('is applied in the version of the request', () => {
    const apply = (receiver: string) =>
      room.ask({
        method: 'PATCH',
        path: `${V2}/a`,
        query: {fieldManager: 'me', force: 'true'},
        headers: {'content-type': APPLY},
        body: letter('a', {receiver}),
      });
    expect(apply('Nina')).toMatchObject({status: 201, body: {spec: {receiver: 'Nina'}}});
    expect(apply('Otto')).toMatchObject({status: 200, body: {spec: {receiver: 'Otto'}}});
    expect(room.get(`${V1}/a`).body).toMatchObject({
      spec: {to: 'Otto'},
      metadata: {managedFields: [{manager: 'me', operation: 'Apply', fieldsV1: {'f:spec': {'f:receiver': {}}}}]},
    });
  });

  test('is watched in order, in the version of the watch', () => {
    room.post(V1, letter('a', {to: 'Nina'}, 'post.example.com/v1'));
    const watch = room.watch(V2);
    hook.delayMs = 20;
    room.patch(`${V1}/a`, MERGE, {spec: {to: 'Otto'}});
    room.post(V1, letter('b', {to: 'Paul'}, 'post.example.com/v1'));
    room.delete(`${V1}/a`);
    room.pass(200);
    expect(watch.frames.map(({type, object}) => [type, ((object as AnyObject).spec as {receiver: string}).receiver])).toEqual([
      ['ADDED', 'Nina'],
      ['MODIFIED', 'Otto'],
      ['ADDED', 'Paul'],
      ['DELETED', 'Otto'],
    ]);
  });
});

const sick = (change: (object: AnyObject) => object) => (review: Review) =>
  reviewOf({...success(review), convertedObjects: converted(review).map(each => change(each as AnyObject))});

test.each<[string, (review: Review) => Answer, string]>([
  ['a failure', ({uid}) => reviewOf({uid, result: {status: 'Failure', message: 'no stamps left'}}), 'failed: no stamps left'],
  [
    'a failure without a word',
    ({uid}) => reviewOf({uid, result: {status: ''}}),
    "failed: response.result.status was '', not 'Success'",
  ],
  ['nothing', () => reviewOf(undefined), 'failed: no response provided'],
  ['another uid', review => reviewOf({...success(review), uid: 'other'}), 'failed: expected response.uid="UID", got "other"'],
  ['no objects', review => reviewOf({...success(review), convertedObjects: []}), 'returned 0 objects, expected 1'],
  [
    'something else',
    () => ({status: 200, body: {kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1'}}),
    'failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got admission.k8s.io/v1, Kind=AdmissionReview',
  ],
  [
    'an error',
    () => ({status: 500, body: 'boom'}),
    'failed: an error on the server ("boom") has prevented the request from succeeding',
  ],
  [
    'another version',
    sick(object => ({...object, apiVersion: 'post.example.com/v3'})),
    'returned invalid object at index 0: invalid groupVersion (expected post.example.com/v2, received post.example.com/v3)',
  ],
  [
    'another name',
    sick(object => ({...object, metadata: {...object.metadata, name: 'z'}})),
    'returned invalid object: must have the same name: z != a',
  ],
  [
    'a wrong label',
    sick(object => ({...object, metadata: {...object.metadata, labels: {'-': 'x'}}})),
    "returned invalid metadata: metadata.labels: Invalid value: \"-\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
  ],
])('the webhook answers with %s', (_what, answer, words) => {
  room.post(V1, letter('a', {to: 'Nina'}, 'post.example.com/v1'));
  answers(answer);
  const message = (given: Answer) =>
    (given.body as {message: string}).message.replace(/response.uid="[^"]*"/, 'response.uid="UID"');
  const said = `conversion webhook for post.example.com/v1, Kind=Letter ${words}`;
  for (const path of [`${V2}/a`, V2]) {
    const given = room.get(path);
    expect(given.status).toBe(500);
    expect(message(given)).toBe(said);
  }
  expect(room.patch(`${V2}/a`, MERGE, {spec: {receiver: 'Otto'}}).status).toBe(500);
  const watch = room.watch(V2);
  room.pass(50);
  expect(watch.frames).toMatchObject([{type: 'ERROR', object: {code: 500}}]);
  expect(watch.ended).toBe(true);
  // In its own version nobody is asked.
  expect(room.get(`${V1}/a`).body).toMatchObject({spec: {to: 'Nina'}});
});

test('a webhook that is not there is told by its address', () => {
  room.post(V1, letter('a', {to: 'Nina'}, 'post.example.com/v1'));
  const service = {namespace: 'default', name: 'sorter', path: '/x'};
  const {conversion} = definition.spec;
  room.patch(`${DEFINITIONS}/letters.post.example.com`, MERGE, {
    spec: {conversion: {...conversion, webhook: {...conversion.webhook, clientConfig: {url: null, service}}}},
  });
  room.pass(50);
  expect(room.get(`${V2}/a`).body).toMatchObject({
    code: 500,
    message:
      'conversion webhook for post.example.com/v1, Kind=Letter failed: Post "https://sorter.default.svc:443/x?timeout=30s": service "sorter" not found',
  });
});
