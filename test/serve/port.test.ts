// What the port does with clients that are not kubectl: curl, the rude and the slow.
import {spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {connect as connectTwo} from 'node:http2';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {connect} from 'node:tls';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {Server} from './server.ts';

const server = new Server();
const NODES = `apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Node
  metadata: {name: node-1}
  status: {capacity: {cpu: "4", memory: 8Gi, pods: "110"}}
`;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crashloop-nodes-'));
  writeFileSync(join(folder, 'nodes.yaml'), NODES);
  await server.start('--nodes', join(folder, 'nodes.yaml'));
});

afterAll(async () => {
  expect(await server.stop('SIGINT')).toBe(0);
});

test('the port is on loopback and the kubeconfig is private', () => {
  expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expect(statSync(server.kubeconfig).mode.toString(8)).toBe('100600');
});

test('the cluster begins at the time of the host', async () => {
  const {text} = await server.ask('/api/v1/namespaces/default');
  const {metadata} = JSON.parse(text) as {metadata: {creationTimestamp: string}};
  const age = Date.now() - Date.parse(metadata.creationTimestamp);
  expect(age).toBeGreaterThan(-1000);
  expect(age).toBeLessThan(120_000);
});

test('an object has its fields in the order of the struct, and a line break at its end', async () => {
  const {text, headers} = await server.ask('/api/v1/namespaces/default');
  expect(text).toMatch(
    /^\{"kind":"Namespace","apiVersion":"v1","metadata":\{"name":"default","uid":"[-0-9a-f]+","resourceVersion":/,
  );
  expect(text.endsWith('}\n')).toBe(true);
  expect(headers).toMatchObject({'content-type': 'application/json', 'cache-control': 'no-cache, private'});
});

test('an answer says of which flow its request was, unless nobody knows from whom it is', async () => {
  const uid = expect.stringMatching(/^[0-9a-f-]{36}$/);
  const flow = {'x-kubernetes-pf-flowschema-uid': uid, 'x-kubernetes-pf-prioritylevel-uid': uid};
  for (const path of ['/api/v1/pods', '/version', '/nowhere', '/api/v1/pods?watch=1&timeoutSeconds=1'])
    expect((await server.ask(path)).headers).toMatchObject(flow);
  const stranger = await server.ask('/api/v1/pods', {headers: {authorization: 'Bearer nonsense'}});
  expect(stranger.status === 401 ? stranger.headers : {}).not.toHaveProperty('x-kubernetes-pf-flowschema-uid');
});

test('curl gets lines to read', async () => {
  const {text} = await server.ask('/api/v1/namespaces/default', {headers: {'user-agent': 'curl/8.5.0'}});
  expect(text).toMatch(/^\{\n {2}"kind": "Namespace",\n {2}"apiVersion": "v1",\n {2}"metadata": \{\n {4}"name": "default",/);
});

test('HTTP/2 and HTTP/1.1 live on one port', async () => {
  const session = connectTwo(server.url, server.credentials);
  const status = await new Promise(done =>
    session
      .request({':path': '/version'})
      .on('response', head => done(head[':status']))
      .resume(),
  );
  session.close();
  expect(status).toBe(200);
  expect((await server.ask('/version')).status).toBe(200);
});

test('discovery is not sent again to one who has it', async () => {
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const first = await server.ask('/apis', {headers: {accept}});
  expect(first.headers['etag']).toMatch(/^"[0-9A-F]{128}"$/);
  const second = await server.ask('/apis', {headers: {accept, 'if-none-match': String(first.headers['etag'])}});
  expect(second).toMatchObject({status: 304, text: ''});
});

test.each([
  [
    'nobody may see the namespaces',
    {cert: false, headers: {}, path: '/api/v1/namespaces'},
    403,
    'User \\"system:anonymous\\" cannot list',
  ],
  ['nobody may see the version', {cert: false, headers: {}, path: '/version'}, 200, 'v1.35.4'],
  [
    'a bad token is refused',
    {cert: false, headers: {authorization: 'Bearer nonsense'}, path: '/api/v1/namespaces'},
    401,
    'Unauthorized',
  ],
  [
    'a certificate wins over a bad token',
    {cert: true, headers: {authorization: 'Bearer nonsense'}, path: '/api/v1/namespaces'},
    200,
    'NamespaceList',
  ],
  ['a path leads nowhere', {cert: true, headers: {}, path: '/api/v1/../../etc/passwd'}, 404, ''],
  ['a path is badly encoded', {cert: true, headers: {}, path: '/api/%zz'}, 400, '400 Bad Request'],
])('%s', async (_name, {cert, headers, path}, status, words) => {
  const {ca, ...own} = server.credentials;
  const answer = await server.askAs(cert ? {ca, ...own} : {ca}, path, {
    method: 'GET',
    headers: headers as Record<string, string>,
    body: '',
  });
  expect(answer.status).toBe(status);
  expect(answer.text).toContain(words);
});

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const JSON_BODY = {'content-type': 'application/json'};

test('a body over three mebibytes is refused, and the connection of others lives', async () => {
  const body = JSON.stringify({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: {name: 'big'},
    data: {a: 'x'.repeat(3 * 1024 * 1024)},
  });
  const {status, text} = await server.ask(CONFIG_MAPS, {method: 'POST', headers: JSON_BODY, body});
  expect(status).toBe(413);
  expect(JSON.parse(text)).toMatchObject({
    reason: 'RequestEntityTooLarge',
    message: 'Request entity too large: limit is 3145728',
  });
  expect((await server.ask('/livez')).text).toBe('ok');
});

test('a broken body is a bad request', async () => {
  const {status, text} = await server.ask(CONFIG_MAPS, {method: 'POST', headers: JSON_BODY, body: '{"apiVersion":"v1",'});
  expect(status).toBe(400);
  expect(JSON.parse(text)).toMatchObject({reason: 'BadRequest'});
  const binary = await server.ask(CONFIG_MAPS, {
    method: 'POST',
    headers: {'content-type': 'application/vnd.kubernetes.protobuf'},
    body: 'k8s\0\u0001',
  });
  expect([400, 415]).toContain(binary.status);
});

test('a deep body does not topple the server', async () => {
  const body = `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"deep"},"x":${'['.repeat(9000)}${']'.repeat(9000)}}`;
  expect((await server.ask(CONFIG_MAPS, {method: 'POST', headers: JSON_BODY, body})).status).toBeLessThan(500);
  expect((await server.ask('/livez')).text).toBe('ok');
});

test('a flood of headers ends the connection, not the server', async () => {
  const headers = Object.fromEntries(Array.from({length: 400}, (_each, n) => [`x-${n}`, 'y'.repeat(500)]));
  const outcome = await server.ask('/version', {headers}).then(
    answer => answer.status,
    () => 'closed',
  );
  expect([431, 'closed']).toContain(outcome);
  expect((await server.ask('/livez')).text).toBe('ok');
});

test('one who says nothing harms nobody', async () => {
  const {port} = new URL(server.url);
  const silent = Array.from({length: 50}, () =>
    connect({port: Number(port), host: '127.0.0.1', rejectUnauthorized: false}).on('error', () => undefined),
  );
  expect((await server.ask('/livez')).text).toBe('ok');
  for (const each of silent) each.destroy();
});

test('a thousand watches are opened and left', async () => {
  const session = connectTwo(server.url, server.credentials);
  session.on('error', () => undefined);
  const watches = Array.from({length: 900}, () =>
    session.request({':path': `${CONFIG_MAPS}?watch=1`}).on('error', () => undefined),
  );
  await Promise.all(watches.map(each => new Promise(done => each.on('response', done))));
  session.destroy();
  expect((await server.ask('/livez')).text).toBe('ok');
});

test('wrong words are told in one sentence', () => {
  const bundle = resolve(import.meta.dirname, '../../dist/crashloop.js');
  const type = (...words: string[]) => spawnSync(process.execPath, [bundle, 'serve', ...words], {encoding: 'utf8'});
  expect(type()).toMatchObject({
    status: 2,
    stderr: 'crashloop serve: --kubeconfig FILE is missing: the file to write for kubectl\n',
  });
  expect(type('--kubeconfig', '/nowhere/at/all')).toMatchObject({status: 2});
  expect(type('--kubeconfig', 'x', '--speed', 'fast').stderr).toContain('--speed takes a number');
  expect(existsSync('x')).toBe(false);
  expect(readFileSync(server.kubeconfig, 'utf8')).toContain('current-context: kubernetes-admin@kubernetes');
});
