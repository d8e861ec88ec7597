import {beforeAll, expect, test} from 'vitest';
import type {Request} from '../../api/wire/http.ts';
import {ServerRoom} from './testing/server-room.ts';

// What a real server answered to the same requests (facts/wire.md).
let room: ServerRoom;
const MAPS = '/api/v1/namespaces/default/configmaps';
const JSON_BODY = {'content-type': 'application/json'};

beforeAll(() => {
  room = new ServerRoom();
  room.post(MAPS, {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'wire'}, data: {a: '1'}});
});

const failure = (code: number, message: string, rest: object = {}) => ({
  status: code,
  body: {kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, ...rest, code},
});

const text = (name: string, body: string, query?: Record<string, string>): [string, Request] => [
  name,
  {method: 'POST', path: MAPS, headers: JSON_BODY, body, ...(query ? {query} : {})},
];

const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

type Case = readonly [string, Request, unknown];

const CASES: readonly Case[] = [
  [
    'not found',
    {method: 'GET', path: '/api/v1/namespaces/default/pods/nope'},
    failure(404, 'pods "nope" not found', {reason: 'NotFound', details: {name: 'nope', kind: 'pods'}}),
  ],
  ['unknown path', {method: 'GET', path: '/apis/nope'}, {status: 404, body: '404 page not found\n'}],
  ...['//api/v1/pods', '/apis//v1/pods', '/apis/nope/v1/things', '/nope'].map((path): Case => [
    `nothing at ${path}`,
    {method: 'GET', path},
    {status: 404, body: '404 page not found\n'},
  ]),
  ...[
    '/api//v1/pods',
    '/api/v1//pods',
    '/api/v2',
    '/api/v2/pods',
    '/apis/apps/v9',
    '/apis/apps/v9/deployments',
    '/apis/apps//v1',
  ].map((path): Case => [
    `nothing below a group at ${path}`,
    {method: 'GET', path},
    failure(404, 'the server could not find the requested resource', {reason: 'NotFound', details: {}}),
  ]),
  ['a namespace without a name is all of them', {method: 'GET', path: '/api/v1/namespaces//configmaps/'}, {status: 200}],
  [
    'unknown resource in a known group',
    {method: 'GET', path: '/apis/apps/v1/nopes'},
    failure(404, 'the server could not find the requested resource', {reason: 'NotFound', details: {}}),
  ],
  [
    'a method that is not allowed',
    {method: 'PUT', path: '/api/v1/namespaces', body: {}},
    failure(405, 'the server does not allow this method on the requested resource', {reason: 'MethodNotAllowed', details: {}}),
  ],
  [
    'accept nothing we have',
    {method: 'GET', path: '/api/v1/namespaces', headers: {accept: 'text/html'}},
    failure(
      406,
      '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
      {reason: 'NotAcceptable', details: {}},
    ),
  ],
  [
    'create again',
    {method: 'POST', path: MAPS, body: {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'wire'}}},
    failure(409, 'configmaps "wire" already exists', {reason: 'AlreadyExists', details: {name: 'wire', kind: 'configmaps'}}),
  ],
  [
    ...text(
      'unknown field, strict',
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"wire2"},"dota":{"a":"1"},"data":{"a":"1","a":"2"}}',
      {dryRun: 'All', fieldValidation: 'Strict'},
    ),
    failure(
      400,
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "dota", duplicate field "data.a"',
      {reason: 'BadRequest'},
    ),
  ],
  [
    ...text('body that is not JSON', '{"apiVersion":"v1",'),
    failure(
      400,
      'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: unexpected end of JSON input ({"apiVersion":"v1",)',
      {reason: 'BadRequest'},
    ),
  ],
  [
    ...text('wrong type', '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":5}}'),
    failure(
      400,
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string',
      {reason: 'BadRequest'},
    ),
  ],
  [
    ...text('wrong kind for the path', '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"}}'),
    failure(
      400,
      'Pod in version "v1" cannot be handled as a ConfigMap: converting (v1.Pod) to (core.ConfigMap): unknown conversion',
      {reason: 'BadRequest'},
    ),
  ],
  [
    'name in path and body differ',
    {method: 'PUT', path: `${MAPS}/wire`, body: {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'other'}}},
    failure(400, 'the name of the object (other) does not match the name on the URL (wire)', {reason: 'BadRequest'}),
  ],
  [
    'namespace in path and body differ',
    {method: 'POST', path: MAPS, body: {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'x', namespace: 'kube-system'}}},
    failure(400, 'the namespace of the provided object does not match the namespace sent on the request', {reason: 'BadRequest'}),
  ],
  [
    ...text('empty body', ''),
    failure(
      400,
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)",
      {reason: 'BadRequest'},
    ),
  ],
  [
    'unsupported content type',
    {method: 'POST', path: MAPS, headers: {'content-type': 'text/plain'}, body: 'x'},
    failure(
      415,
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
      {reason: 'UnsupportedMediaType'},
    ),
  ],
  [
    'stale update',
    {
      method: 'PUT',
      path: `${MAPS}/wire`,
      body: {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'wire', resourceVersion: '1'}},
    },
    failure(
      409,
      'Operation cannot be fulfilled on configmaps "wire": the object has been modified; please apply your changes to the latest version and try again',
      {reason: 'Conflict', details: {name: 'wire', kind: 'configmaps'}},
    ),
  ],
  [
    'JSON patch whose test fails',
    {
      method: 'PATCH',
      path: `${MAPS}/wire`,
      headers: {'content-type': 'application/json-patch+json'},
      body: [{op: 'test', path: '/data/a', value: '9'}],
    },
    failure(422, 'the server rejected our request due to an error in our request', {reason: 'Invalid', details: {}}),
  ],
  [
    'sendInitialEvents without bookmarks',
    {method: 'GET', path: MAPS, query: {watch: '1', sendInitialEvents: 'true'}},
    failure(
      422,
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
      {
        reason: 'Invalid',
        details: {
          group: 'meta.k8s.io',
          kind: 'ListOptions',
          causes: [
            {
              reason: 'FieldValueForbidden',
              message: 'Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
              field: 'resourceVersionMatch',
            },
          ],
        },
      },
    ),
  ],
  [
    'resourceVersion that is no number',
    {method: 'GET', path: MAPS, query: {resourceVersion: 'abc'}},
    failure(
      400,
      'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
      {reason: 'BadRequest'},
    ),
  ],
  [
    'bad continue',
    {method: 'GET', path: MAPS, query: {limit: '1', continue: 'abc'}},
    failure(400, "invalid continue token: continue key is not valid: invalid character 'i' looking for beginning of value", {
      reason: 'BadRequest',
    }),
  ],
  [
    'bad field selector',
    {method: 'GET', path: '/api/v1/pods', query: {fieldSelector: 'spec.nope=x'}},
    failure(400, 'field label not supported: spec.nope', {reason: 'BadRequest'}),
  ],
  [
    'bad label selector',
    {method: 'GET', path: '/api/v1/pods', query: {labelSelector: 'a===b'}},
    failure(400, "unable to parse requirement: found '=', expected: identifier", {reason: 'BadRequest'}),
  ],
  [
    'a limit that is no number',
    {method: 'GET', path: MAPS, query: {limit: 'x'}},
    failure(400, 'strconv.ParseInt: parsing "x": invalid syntax', {reason: 'BadRequest'}),
  ],
  ['resourceVersionMatch without version', {method: 'GET', path: MAPS, query: {resourceVersionMatch: 'Exact'}}, {status: 422}],
  [
    'a get in a namespace that is not there',
    {method: 'GET', path: '/api/v1/namespaces/nowhere/pods/x'},
    failure(404, 'namespaces "nowhere" not found', {reason: 'NotFound', details: {name: 'nowhere', kind: 'namespaces'}}),
  ],
  [
    'a create in a namespace that is not there',
    {
      method: 'POST',
      path: '/api/v1/namespaces/nowhere/configmaps',
      body: {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'x'}},
    },
    failure(404, 'namespaces "nowhere" not found', {reason: 'NotFound', details: {name: 'nowhere', kind: 'namespaces'}}),
  ],
  [
    'a resourceVersion on create',
    {method: 'POST', path: MAPS, body: {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'x', resourceVersion: '5'}}},
    failure(500, 'resourceVersion should not be set on objects to be created'),
  ],
  [
    'a status that the kind has not',
    {method: 'GET', path: `${MAPS}/wire/status`},
    failure(404, 'the server could not find the requested resource', {reason: 'NotFound', details: {}}),
  ],
  [
    'apply without a manager',
    {method: 'PATCH', path: `${MAPS}/wire`, headers: {'content-type': 'application/apply-patch+yaml'}, body: {}},
    {
      status: 422,
      body: {
        message: 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
        details: {causes: [{reason: 'FieldValueRequired', field: 'fieldManager'}]},
      },
    },
  ],
  [
    'a wrong uid precondition',
    {
      method: 'DELETE',
      path: `${MAPS}/wire`,
      body: {kind: 'DeleteOptions', apiVersion: 'v1', preconditions: {uid: '00000000-0000-0000-0000-000000000000'}},
    },
    {
      status: 409,
      body: expect.objectContaining({
        message: expect.stringMatching(
          /^Operation cannot be fulfilled on ConfigMap "wire": the UID in the precondition \(0{8}-0{4}-0{4}-0{4}-0{12}\) does not match the UID in record \(.*\)\. The object might have been deleted and then recreated$/,
        ),
        details: {name: 'wire', kind: 'ConfigMap'},
      }),
    },
  ],
  ['unknown path of health', {method: 'GET', path: '/livez/nothing'}, {status: 404, body: '404 page not found\n'}],
  ['health of etcd', {method: 'GET', path: '/livez/etcd'}, {status: 200, body: 'ok'}],
  ['livez', {method: 'GET', path: '/livez'}, {status: 200, body: 'ok'}],
];

test.each(CASES)('%s', (_name, request, expected) => {
  expect(room.ask(request)).toMatchObject(expected as object);
});

test('an invalid object', () => {
  const answer = room.post(MAPS, {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'UPPER'}});
  expect(answer).toMatchObject({
    status: 422,
    body: {message: expect.stringContaining(SUBDOMAIN) as string, reason: 'Invalid', details: {name: 'UPPER', kind: 'ConfigMap'}},
  });
});

test('unknown fields warn by default', () => {
  const answer = room.ask({
    method: 'POST',
    path: MAPS,
    query: {dryRun: 'All'},
    headers: JSON_BODY,
    body: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"wire2"},"dota":{"a":"1"},"data":{"a":"1","a":"2"}}',
  });
  expect(answer.status).toBe(201);
  expect(answer.headers?.['warning']).toBe('299 - "unknown field \\"dota\\""\n299 - "duplicate field \\"data.a\\""');
  expect(answer.body).toMatchObject({data: {a: '2'}});
  expect((answer.body as {metadata: object}).metadata).not.toHaveProperty('resourceVersion');
  expect(room.get(`${MAPS}/wire2`).status).toBe(404);
});

test('a deprecated kind warns', () => {
  expect(room.get('/api/v1/namespaces/default/endpoints').headers?.['warning']).toBe(
    '299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"',
  );
});

test('a version of the future waits three seconds and is refused', () => {
  const before = room.clock.now;
  expect(room.get(MAPS, {resourceVersion: '99999999'})).toMatchObject({
    status: 504,
    headers: {'retry-after': '1'},
    body: {
      message: expect.stringMatching(/^Timeout: Too large resource version: 99999999, current: \d+$/) as string,
      details: {causes: [{reason: 'ResourceVersionTooLarge', message: 'Too large resource version'}], retryAfterSeconds: 1},
    },
  });
  expect(room.clock.now - before).toBeGreaterThan(2900);
});

test('an object in other forms', () => {
  const list = room.get('/api/v1/namespaces', {}, {accept: 'application/yaml'});
  expect(list.body).toMatch(/^apiVersion: v1\nitems:\n- metadata:\n/);
  expect(list.body).not.toContain('kind: Namespace\n');
  const yaml = room.get('/api/v1/namespaces/default', {}, {accept: 'application/yaml'});
  expect(yaml.headers?.['content-type']).toBe('application/yaml');
  expect(yaml.body).toMatch(
    /^apiVersion: v1\nkind: Namespace\nmetadata:\n {2}creationTimestamp: "2026-11-30T04:20:20Z"\n {2}labels:\n {4}kubernetes.io\/metadata.name: default\n/,
  );
  const table = room.get(
    '/api/v1/namespaces/default',
    {},
    {accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'},
  ).body;
  expect(table).toMatchObject({
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    rows: [
      {
        cells: ['default', 'Active', expect.any(String)],
        object: {kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: {name: 'default'}},
      },
    ],
  });
  const partial = room.get(
    '/api/v1/namespaces',
    {limit: '1'},
    {accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'},
  ).body;
  expect(partial).toMatchObject({
    kind: 'PartialObjectMetadataList',
    metadata: {remainingItemCount: 3},
    items: [{kind: 'PartialObjectMetadata', metadata: {name: 'default'}}],
  });
});

test('a list in pages is of one revision', () => {
  const first = room.get('/api/v1/namespaces', {limit: '2'}).body as {
    metadata: {resourceVersion: string; continue: string; remainingItemCount: number};
    items: {metadata: {name: string}}[];
  };
  expect(first).toMatchObject({kind: 'NamespaceList', metadata: {remainingItemCount: 2}});
  expect(Buffer.from(first.metadata.continue, 'base64url').toString()).toBe(
    `{"v":"meta.k8s.io/v1","rv":${first.metadata.resourceVersion},"start":"/kube-node-lease\\u0000"}`,
  );
  room.post('/api/v1/namespaces', {apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'later'}});
  const rest = room.get('/api/v1/namespaces', {limit: '5', continue: first.metadata.continue}).body as typeof first;
  expect(rest.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
  expect([...first.items, ...rest.items].map(item => item.metadata.name).slice(0, 4)).toEqual([
    'default',
    'kube-node-lease',
    'kube-public',
    'kube-system',
  ]);
  expect(room.get('/api/v1/namespaces', {resourceVersion: '5', continue: first.metadata.continue}).body).toMatchObject({
    message: 'specifying resource version is not allowed when using continue',
  });
});

test('discovery says what there is', () => {
  expect(room.get('/api').body).toEqual({
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{clientCIDR: '0.0.0.0/0', serverAddress: '10.0.0.10:6443'}],
  });
  expect(room.get('/apis/autoscaling').body).toEqual({
    kind: 'APIGroup',
    apiVersion: 'v1',
    name: 'autoscaling',
    versions: [
      {groupVersion: 'autoscaling/v2', version: 'v2'},
      {groupVersion: 'autoscaling/v1', version: 'v1'},
    ],
    preferredVersion: {groupVersion: 'autoscaling/v2', version: 'v2'},
  });
  const core = room.get('/api/v1').body as {resources: {name: string}[]};
  expect(core.resources.map(each => each.name).slice(9, 13)).toEqual([
    'nodes',
    'nodes/proxy',
    'nodes/status',
    'persistentvolumeclaims',
  ]);
  const groups = room.get('/apis').body as {groups: {name: string}[]};
  expect(groups.groups.map(each => each.name).slice(0, 3)).toEqual(['apiregistration.k8s.io', 'apps', 'events.k8s.io']);
  const all = room.get('/apis', {}, {accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'}).body;
  expect(all).toMatchObject({kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2'});
  expect(JSON.stringify(all)).toContain(
    '{"subresource":"scale","responseKind":{"group":"autoscaling","version":"v1","kind":"Scale"},"verbs":["get","patch","update"]}',
  );
  expect(room.get('/version').body).toMatchObject({gitVersion: 'v1.35.4'});
  expect(room.get('/readyz', {verbose: '', exclude: 'etcd'}).body).toMatch(
    /^\[\+\]ping ok\n\[\+\]log ok\n\[\+\]etcd excluded: ok\n\[\+\]etcd-readiness ok\n[^]*\nreadyz check passed\n$/,
  );
});
