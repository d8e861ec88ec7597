// Stories with webhooks: who is asked, what comes of the answers, and the words when there is none.
import {beforeEach, expect, test} from 'vitest';
import type {Answer} from '../../api/wire/http.ts';
import {FakeWebhook, HOOK_BUNDLE, patchOf, type Asked} from './testing/fake-webhook.ts';
import {ServerRoom} from './testing/server-room.ts';

const PATHS = {configmaps: '/api/v1/namespaces/default/configmaps', pods: '/api/v1/namespaces/default/pods'};
const RULE = {apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE', 'DELETE'], resources: ['configmaps']};

let room: ServerRoom;
let hook: FakeWebhook;

beforeEach(() => {
  room = new ServerRoom();
  room.post('/api/v1/namespaces', {metadata: {name: 'default'}});
  hook = new FakeWebhook(room);
});

interface Hook {
  readonly name: string;
  readonly [field: string]: unknown;
}

/** Registers webhooks, each at the path of its name. */
function register(kind: 'Mutating' | 'Validating', name: string, hooks: readonly Hook[]): Answer {
  const webhooks = hooks.map(each => ({
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig: {url: `https://10.0.0.50/${each.name.split('.')[0]}`, caBundle: HOOK_BUNDLE},
    rules: [RULE],
    ...each,
  }));
  const path = `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}webhookconfigurations`;
  const answer = room.post(path, {metadata: {name}, webhooks});
  room.pass(50);
  return answer;
}

function create(name: string, more: object = {}, query?: Record<string, string>): Answer {
  return room.post(PATHS.configmaps, {metadata: {name, ...more}}, query);
}

function said(answer: Answer): string {
  const {message = ''} = answer.body as {message?: string};
  return answer.status < 300 ? String(answer.status) : message;
}

const paths = (): string[] => hook.asked.map(({path}) => path);

test.for<[string, object, string]>([
  [
    'with a reason',
    {allowed: false, status: {message: 'not today'}},
    'admission webhook "a.x.example.com" denied the request: not today',
  ],
  ['without', {allowed: false}, 'admission webhook "a.x.example.com" denied the request without explanation'],
  ['another uid', {allowed: true, uid: 'other'}, 'received invalid webhook response: expected response.uid="UID", got "other"'],
  [
    'a patch from one that may not',
    patchOf({op: 'remove', path: '/data'}),
    'received invalid webhook response: validating webhook may not return response.patch',
  ],
  ['404', {status: 404, body: 'no'}, 'failed to call webhook: the server could not find the requested resource'],
  [
    '500',
    {status: 500, body: 'boom'},
    'failed to call webhook: an error on the server ("boom") has prevented the request from succeeding',
  ],
  ['an empty review', {status: 200, body: {}}, 'received invalid webhook response: webhook response was absent'],
])('a validating webhook says no: %s', ([, response, words]) => {
  hook.at('/a', () => response as never);
  register('Validating', 'v', [{name: 'a.x.example.com'}]);
  const expected = words.startsWith('admission')
    ? words
    : `Internal error occurred: failed calling webhook "a.x.example.com": ${words}`;
  expect(said(create('one'))).toBe(expected.replace('UID', hook.asked[0]?.uid ?? '?'));
});

test('failurePolicy Ignore lets pass what could not be asked, not what was denied', () => {
  hook.at('/a', () => ({status: 500, body: 'boom'}));
  register('Validating', 'v', [{name: 'a.x.example.com', failurePolicy: 'Ignore'}]);
  expect(said(create('one'))).toBe('201');
  hook.at('/a', () => ({allowed: false, status: {message: 'no', code: 418, reason: 'Teapot'}}));
  const denied = create('two');
  expect([denied.status, said(denied)]).toEqual([418, 'admission webhook "a.x.example.com" denied the request: no']);
});

test('one that is slow costs its timeout, and learns that nobody waits any more', () => {
  hook.delayMs = 60_000;
  register('Validating', 'v', [{name: 'a.x.example.com', timeoutSeconds: 3}]);
  const began = room.clock.now;
  expect(said(create('one'))).toBe(
    'Internal error occurred: failed calling webhook "a.x.example.com": failed to call webhook: Post "https://10.0.0.50/a?timeout=3s": context deadline exceeded',
  );
  expect(Math.round((room.clock.now - began) / 100)).toBe(30);
  room.pass(10);
  expect(hook.hungUp).toEqual(['/a']);
});

test('a request ends after 34 seconds, however many webhooks are left', () => {
  hook.delayMs = 9000;
  register(
    'Mutating',
    'm',
    ['a', 'b', 'c', 'd', 'e'].map(each => ({name: `${each}.x.example.com`})),
  );
  const began = room.clock.now;
  const answer = create('one');
  expect([answer.status, said(answer)]).toEqual([
    504,
    'Timeout: request did not complete within requested timeout - context deadline exceeded',
  ]);
  expect(Math.round((room.clock.now - began) / 1000)).toBe(34);
});

test('validating webhooks are asked together, mutating ones one after the other, by name of their configuration', () => {
  hook.delayMs = 1000;
  register('Validating', 'v', [{name: 'a.x.example.com'}, {name: 'b.x.example.com'}]);
  register('Mutating', 'z', [{name: 'c.x.example.com'}]);
  register('Mutating', 'm', [{name: 'e.x.example.com'}, {name: 'd.x.example.com'}]);
  const began = room.clock.now;
  expect(said(create('one'))).toBe('201');
  expect(paths()).toEqual(['/e', '/d', '/c', '/a', '/b']);
  expect(Math.round((room.clock.now - began) / 100)).toBe(40);
});

test('patches are applied in order, and the next webhook sees them', () => {
  hook.at('/a', () => patchOf({op: 'add', path: '/metadata/labels', value: {one: '1'}}));
  hook.at('/b', () =>
    patchOf({op: 'add', path: '/metadata/labels/two', value: '2'}, {op: 'add', path: '/data', value: {k: 'v'}}),
  );
  register('Mutating', 'm', [{name: 'a.x.example.com'}, {name: 'b.x.example.com'}]);
  const {metadata, data} = create('one').body as {metadata: {labels: object}; data: object};
  expect([metadata.labels, data]).toEqual([{one: '1', two: '2'}, {k: 'v'}]);
  expect(hook.asked[1]?.object?.metadata.labels).toEqual({one: '1'});
});

test.for<[string, object, string]>([
  [
    'a path that is not there',
    patchOf({op: 'replace', path: '/nowhere/x', value: 1}),
    'Internal error occurred: replace operation does not apply: doc is missing path: /nowhere/x: missing value',
  ],
  [
    'a key that is not there',
    patchOf({op: 'add', path: '/data', value: {}}, {op: 'remove', path: '/data/nope'}),
    "Internal error occurred: error in remove for path: '/data/nope': Unable to remove nonexistent key: nope: missing value",
  ],
  [
    'a type that nobody knows',
    {...patchOf({op: 'add', path: '/data', value: {}}), patchType: 'Merge'},
    'Internal error occurred: failed calling webhook "a.x.example.com": unsupported patch type "Merge"',
  ],
  [
    'no type',
    {allowed: true, patch: 'W10='},
    'Internal error occurred: failed calling webhook "a.x.example.com": received invalid webhook response: webhook returned response.patch but not response.patchType',
  ],
  ['no operation, whatever the type is', {...patchOf(), patchType: 'Merge'}, '201'],
  ['an unknown field is dropped', patchOf({op: 'add', path: '/colour', value: 'red'}), '201'],
])('a patch: %s', ([, response, words]) => {
  hook.at('/a', () => response as never);
  register('Mutating', 'm', [{name: 'a.x.example.com'}]);
  expect(said(create('one'))).toBe(words);
});

test('of a deletion nothing is left that a patch could change', () => {
  create('one');
  hook.at('/a', () => patchOf({op: 'add', path: '/metadata/labels', value: {}}));
  register('Mutating', 'm', [{name: 'a.x.example.com'}]);
  expect(said(room.delete(`${PATHS.configmaps}/one`))).toBe(
    'Internal error occurred: admission webhook "a.x.example.com" attempted to modify the object, which is not supported for this operation',
  );
});

test('who asked for it is called once more after a later change', () => {
  hook.at('/b', ({object}: Asked) =>
    object?.metadata.labels ? {allowed: true} : patchOf({op: 'add', path: '/metadata/labels', value: {two: '2'}}),
  );
  register('Mutating', 'm', [
    {name: 'a.x.example.com', reinvocationPolicy: 'IfNeeded'},
    {name: 'b.x.example.com'},
    {name: 'c.x.example.com', reinvocationPolicy: 'IfNeeded'},
  ]);
  expect(said(create('one'))).toBe('201');
  expect(paths()).toEqual(['/a', '/b', '/c', '/a']);
});

test('warnings reach the client, dry runs reach webhooks, and a deletion has only an old object', () => {
  hook.at('/a', () => ({allowed: true, warnings: ['mind the gap']}));
  register('Validating', 'v', [{name: 'a.x.example.com'}]);
  const dry = create('one', {}, {dryRun: 'All'});
  expect(dry.headers?.['warning']).toContain('mind the gap');
  create('one');
  room.delete(`${PATHS.configmaps}/one`);
  expect(
    hook.asked.map(({operation, dryRun, object, oldObject}) => [operation, dryRun, object !== null, oldObject !== null]),
  ).toEqual([
    ['CREATE', true, true, false],
    ['CREATE', false, true, false],
    ['DELETE', false, false, true],
  ]);
});

test.for<[string, object, string, number]>([
  ['labels of the object', {objectSelector: {matchLabels: {guard: 'on'}}}, 'labelled', 1],
  ['labels of the object that it lacks', {objectSelector: {matchLabels: {guard: 'off'}}}, 'labelled', 0],
  ['the namespace is named', {namespaceSelector: {matchLabels: {'kubernetes.io/metadata.name': 'default'}}}, 'labelled', 1],
  [
    'the namespace is spared',
    {namespaceSelector: {matchExpressions: [{key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['default']}]}},
    'labelled',
    0,
  ],
  ['a condition that holds', {matchConditions: [{name: 'c', expression: "object.metadata.name == 'labelled'"}]}, 'labelled', 1],
  ['a condition that does not', {matchConditions: [{name: 'c', expression: "request.operation == 'DELETE'"}]}, 'labelled', 0],
])('who is asked: %s', ([, more, name, times]) => {
  register('Validating', 'v', [{name: 'a.x.example.com', ...more}]);
  expect(said(create(name, {labels: {guard: 'on'}}))).toBe('201');
  expect(hook.asked.length).toBe(times);
});

test('a condition that cannot be evaluated refuses by itself', () => {
  register('Validating', 'v', [
    {name: 'a.x.example.com', matchConditions: [{name: 'c', expression: "object.metadata.labels.team == 'shop'"}]},
  ]);
  expect(said(create('a'))).toBe(
    `configmaps "a" is forbidden: expression 'object.metadata.labels.team == 'shop'' resulted in error: no such key: labels`,
  );
});

test('an equivalent version is shown in the version of the rule; matchPolicy Exact hears nothing of it', () => {
  const rules = [{...RULE, apiGroups: ['events.k8s.io'], resources: ['events']}];
  register('Validating', 'v', [
    {name: 'a.x.example.com', rules},
    {name: 'b.x.example.com', rules, matchPolicy: 'Exact'},
  ]);
  const involvedObject = {kind: 'Pod', namespace: 'default', name: 'p'};
  room.post('/api/v1/namespaces/default/events', {metadata: {name: 'e'}, involvedObject, message: 'm', type: 'Normal'});
  expect(hook.asked.map(({path, object, resource}) => [path, object?.apiVersion, resource.group])).toEqual([
    ['/a', 'events.k8s.io/v1', 'events.k8s.io'],
  ]);
});

test('everything under a rule for everything but the configurations themselves', () => {
  const rules = [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*']}];
  hook.at('/a', () => ({allowed: false}));
  register('Validating', 'v', [{name: 'a.x.example.com', rules}]);
  const review = {spec: {resourceAttributes: {verb: 'get', resource: 'pods'}}};
  expect(room.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', review).status).toBe(400);
  expect(room.post('/apis/coordination.k8s.io/v1/namespaces/default/leases', {metadata: {name: 'l'}}).status).toBe(400);
  expect(room.delete('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/v').status).toBe(200);
});

test('subresources are heard of as what they are', () => {
  const rules = [
    {...RULE, operations: ['*'], apiGroups: ['*'], resources: ['deployments/scale', 'pods/binding', 'pods/eviction']},
  ];
  const labels = {app: 'w'};
  const template = {metadata: {labels}, spec: {containers: [{name: 'c', image: 'i'}]}};
  room.post('/api/v1/namespaces/default/serviceaccounts', {metadata: {name: 'default'}});
  room.post('/apis/apps/v1/namespaces/default/deployments', {
    metadata: {name: 'w'},
    spec: {selector: {matchLabels: labels}, template},
  });
  room.post(PATHS.pods, {metadata: {name: 'p'}, spec: template.spec});
  register('Validating', 'v', [{name: 'a.x.example.com', rules}]);
  room.patch('/apis/apps/v1/namespaces/default/deployments/w/scale', 'application/merge-patch+json', {spec: {replicas: 3}});
  room.post(`${PATHS.pods}/p/binding`, {metadata: {name: 'p'}, target: {kind: 'Node', name: 'n'}});
  room.post(`${PATHS.pods}/p/eviction`, {metadata: {name: 'p'}});
  expect(
    hook.asked.map(({operation, subResource, object}) => [operation, subResource, object?.kind, object?.apiVersion]),
  ).toEqual([
    ['UPDATE', 'scale', 'Scale', 'autoscaling/v1'],
    ['CREATE', 'binding', 'Binding', 'v1'],
    ['CREATE', 'eviction', 'Eviction', 'policy/v1'],
  ]);
});

test.for<[string, object, string]>([
  [
    'nobody listens',
    {url: 'https://10.0.0.50:9/v'},
    'failed to call webhook: Post "https://10.0.0.50:9/v?timeout=10s": dial tcp 10.0.0.50:9: connect: connection refused',
  ],
  [
    'no bundle',
    {url: 'https://10.0.0.50/a'},
    'failed to call webhook: Post "https://10.0.0.50/a?timeout=10s": tls: failed to verify certificate: x509: certificate signed by unknown authority',
  ],
  [
    'a bundle that is none',
    {url: 'https://10.0.0.50/a', caBundle: 'aGVsbG8='},
    'could not get REST client: unable to load root certificates: unable to parse bytes as PEM block',
  ],
  [
    'no Service',
    {service: {namespace: 'default', name: 'gone', path: '/v'}},
    'failed to call webhook: Post "https://gone.default.svc:443/v?timeout=10s": service "gone" not found',
  ],
])('it cannot be called: %s', ([, clientConfig, words]) => {
  register('Validating', 'v', [{name: 'a.x.example.com', clientConfig}]);
  expect(said(create('one'))).toBe(`Internal error occurred: failed calling webhook "a.x.example.com": ${words}`);
});
