// Whatever arrives at the port, the server answers with a status that fits or ends the connection, keeps its memory, and goes on serving.
import {readFileSync} from 'node:fs';
import {connect as connectTwo} from 'node:http2';
import {Agent, request} from 'node:https';
import {connect, type TLSSocket} from 'node:tls';
import fc from 'fast-check';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {WebSocket} from 'ws';
import {Server} from './server.ts';

const server = new Server();
const MAPS = '/api/v1/namespaces/default/configmaps';
const MIB = 1024 * 1024;
const map = (name: string, data: Record<string, string> = {}) =>
  JSON.stringify({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name}, data});

beforeAll(() => server.start());

afterAll(async () => {
  expect(await server.stop()).toBe(0);
});

const port = () => Number(new URL(server.url).port);

function open(): TLSSocket {
  const socket = connect({port: port(), host: '127.0.0.1', ...server.credentials, ALPNProtocols: ['http/1.1']});
  return socket.on('error', () => undefined);
}

/** What comes back for bytes, until the server ends the connection or says nothing more for a while. */
function raw(bytes: string | Buffer): Promise<string> {
  return new Promise(done => {
    const socket = open();
    let text = '';
    const end = (): void => {
      socket.destroy();
      done(text);
    };
    const timer = setTimeout(end, 3000);
    socket.on('data', part => {
      text += String(part);
      timer.refresh();
    });
    socket.on('close', end);
    socket.on('secureConnect', () => socket.write(bytes));
  });
}

/** Resident memory of the server, in bytes. */
function memory(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) * 1024;
}

async function lives(): Promise<void> {
  expect((await server.ask('/livez')).text).toBe('ok');
}

const line = (text: string, ...headers: readonly string[]) =>
  `${text} HTTP/1.1\r\n${['Host: x', ...headers].join('\r\n')}\r\n\r\n`;
const UPGRADE = ['Connection: Upgrade', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];

test.each([
  ['a method that is none', 'FROB /api HTTP/1.1\r\nHost: x\r\n\r\n', /^HTTP\/1\.1 400 /],
  [
    'a method that nobody serves',
    line(`PROPFIND ${MAPS}`),
    /^HTTP\/1\.1 405 [\s\S]*"reason":"MethodNotAllowed","details":\{\},"code":405/,
  ],
  ['a whole URL', line('GET https://127.0.0.1/livez'), /200 OK[\s\S]*ok$/],
  ['a badly encoded path', line('GET /api/%zz'), /^HTTP\/1\.1 400 [\s\S]*400 Bad Request$/],
  [
    'two requests at once',
    line('GET /livez') + line('GET /version', 'Connection: close'),
    /200 OK[\s\S]*ok[\s\S]*200 OK[\s\S]*v1\.35\.4/,
  ],
  [
    'lengths that contradict',
    `POST ${MAPS} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}`,
    /^HTTP\/1\.1 400 /,
  ],
  [
    'a length and chunks',
    `POST ${MAPS} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`,
    /^HTTP\/1\.1 400 /,
  ],
  ['chunks that are none', `POST ${MAPS} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`, /^$/],
  [
    'chunks and a trailer',
    `${line(`POST ${MAPS}`, 'Transfer-Encoding: chunked', 'Trailer: X')}2\r\n{}\r\n0\r\nX: y\r\n\r\n`,
    /^HTTP\/1\.1 4\d\d /,
  ],
  ['a wish to go on', line(`POST ${MAPS}`, 'Expect: 100-continue', 'Content-Length: 2'), /^HTTP\/1\.1 100 Continue/],
  ['an upgrade that nobody speaks', line('GET /livez', 'Connection: Upgrade', 'Upgrade: rubbish'), /200 OK[\s\S]*ok$/],
  ['a WebSocket where there is none', line('GET /version', 'Upgrade: websocket', ...UPGRADE), /200 OK[\s\S]*v1\.35\.4/],
  [
    'a port-forward to no port',
    line('GET /api/v1/namespaces/default/pods/x/portforward?ports=a', 'Upgrade: websocket', ...UPGRADE),
    /^HTTP\/1\.1 4\d\d /,
  ],
  ['rubbish', Buffer.alloc(2000, 0xff), /^HTTP\/1\.1 400 /],
  ['HTTP/2 without being asked', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', /^HTTP\/1\.1 400 /],
] as const)('%s', async (_name, bytes, answer) => {
  expect(await raw(bytes)).toMatch(answer);
  await lives();
});

const word = fc.constantFrom(
  '',
  'a',
  '..',
  '%2e%2e',
  '%2f',
  '%00',
  '%zz',
  'default',
  '%c3%a4',
  '*',
  'x'.repeat(300),
  'configmaps',
  'pods',
  'log',
);
const path = fc.array(word, {maxLength: 7}).map(words => `/${['api', 'v1', 'namespaces', ...words].join('/')}`);
const query = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        'limit',
        'continue',
        'resourceVersion',
        'resourceVersionMatch',
        'labelSelector',
        'fieldSelector',
        'dryRun',
        'pretty',
      ),
      fc.oneof(
        fc.constantFrom('-1', '0', 'abc', 'All', '99999999999999999999', 'a=b,', '%', '%00'),
        fc.string({maxLength: 20}).map(encodeURIComponent),
      ),
    ),
    {maxLength: 4},
  )
  .map(pairs => pairs.map(pair => pair.join('=')).join('&'));
const types = [
  'json',
  'yaml',
  'vnd.kubernetes.protobuf',
  'json-patch+json',
  'merge-patch+json',
  'strategic-merge-patch+json',
  'apply-patch+yaml',
  'cbor',
  ';',
  'x',
];
const body = fc.oneof(
  fc.uint8Array({maxLength: 200}).map(bytes => Buffer.from(bytes)),
  fc.uint8Array({maxLength: 60}).map(bytes => Buffer.concat([Buffer.from('k8s\0', 'latin1'), bytes])),
  fc.json({maxDepth: 3}).map(text => Buffer.from(text)),
  fc.constant(Buffer.from(map('fuzz'))),
);

test('any request has an answer', async () => {
  const agent = new Agent({keepAlive: true, maxSockets: 4});
  const ask = (method: string, target: string, headers: Record<string, string>, content: Buffer) =>
    new Promise<{status: number; type: string; text: string}>((done, failed) => {
      const sent = {...headers, 'content-length': String(content.length)};
      const options = {host: '127.0.0.1', port: port(), method, path: target, headers: sent, agent, ...server.credentials};
      const asked = request(options, answer => {
        let text = '';
        answer.on('data', part => (text += String(part)));
        answer.on('end', () => done({status: answer.statusCode ?? 0, type: answer.headers['content-type'] ?? '', text}));
      });
      asked.on('error', failed);
      asked.end(content);
    });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'LOCK'),
      path,
      query,
      fc.constantFrom(...types),
      fc.constantFrom('*/*', 'text/html', 'application/json;as=Table;v=v1;g=meta.k8s.io', ',;q', ''),
      body,
      async (method, target, search, type, accept, content) => {
        const headers = {'content-type': `application/${type}`, accept};
        const {status, type: answered, text} = await ask(method, `${target}?${search}`, headers, content);
        expect(status).toBeGreaterThanOrEqual(200);
        expect([500, 501, 502]).not.toContain(status);
        if (status >= 400 && method !== 'HEAD' && answered === 'application/json')
          expect(JSON.parse(text)).toMatchObject({kind: 'Status', status: 'Failure', code: status});
      },
    ),
    {numRuns: 400, seed: 7},
  );
  agent.destroy();
  await lives();
});

test('large bodies go there and back on one connection, one after the other', async () => {
  const agent = new Agent({keepAlive: true, maxSockets: 1});
  const put = (n: number) =>
    new Promise<number>((done, failed) => {
      const options = {
        agent,
        method: n === 0 ? 'POST' : 'PUT',
        headers: {'content-type': 'application/json'},
        ...server.credentials,
      };
      const asked = request(`${server.url}${n === 0 ? MAPS : `${MAPS}/large`}`, options, answer => {
        answer.resume();
        answer.on('end', () => done(answer.statusCode ?? 0));
      });
      asked.on('error', failed);
      asked.end(map('large', {a: `${n} ${'x'.repeat(400_000)}`}));
    });
  for (let n = 0; n < 80; n++) expect([200, 201]).toContain(await put(n));
  agent.destroy();
});

test('a watch goes over a WebSocket', async () => {
  const socket = new WebSocket(
    `${server.url.replace('https', 'wss')}${MAPS}?watch=1&fieldSelector=metadata.name%3Dsocket`,
    server.credentials,
  );
  const events: string[] = [];
  socket.on('message', part => events.push((part as Buffer).toString('utf8')));
  await new Promise(done => socket.on('open', done));
  await server.ask(MAPS, {method: 'POST', headers: {'content-type': 'application/json'}, body: map('socket')});
  for (let tries = 0; events.length === 0 && tries < 200; tries++) await new Promise(done => setTimeout(done, 20));
  expect(JSON.parse(events[0] ?? '{}')).toMatchObject({type: 'ADDED', object: {kind: 'ConfigMap', metadata: {name: 'socket'}}});
  socket.close();
});

test('streams that are opened and dropped at once cost nothing', async () => {
  const before = memory();
  const session = connectTwo(server.url, server.credentials).on('error', () => undefined);
  session.setMaxListeners(0);
  for (let n = 0; n < 5000 && !session.closed; n++) {
    session
      .request({':path': `${MAPS}?watch=1`})
      .on('error', () => undefined)
      .close(8);
    if (n % 250 === 0) await new Promise(done => setImmediate(done));
  }
  session.destroy();
  await lives();
  expect(memory() - before).toBeLessThan(150 * MIB);
});

describe('who does not read', () => {
  test('fills no memory with what is watched', async () => {
    const before = memory();
    const sockets = Array.from({length: 40}, open);
    for (const socket of sockets) socket.on('secureConnect', () => socket.write(line(`GET ${MAPS}?watch=1`))).pause();
    await lives();
    for (let n = 0; n < 60; n++)
      await server.ask(`${MAPS}/large`, {
        method: 'PUT',
        headers: {'content-type': 'application/json'},
        body: map('large', {a: `${n} ${'y'.repeat(900_000)}`}),
      });
    // 54 MB for each of them: 2 GB.
    expect(memory() - before).toBeLessThan(1200 * MIB);
    for (const socket of sockets) socket.destroy();
    await lives();
  });

  test('fills no memory with answers to what he asks', async () => {
    const before = memory();
    const sockets = Array.from({length: 40}, open);
    for (const socket of sockets) socket.on('secureConnect', () => socket.write(line(`GET ${MAPS}`).repeat(50))).pause();
    await new Promise(done => setTimeout(done, 2000));
    expect(memory() - before).toBeLessThan(400 * MIB);
    for (const socket of sockets) socket.destroy();
    await lives();
  });
});
