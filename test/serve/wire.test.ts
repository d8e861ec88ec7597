// Each request of facts/wire.md, typed as it stands there: status, headers and body must be those that a real server sent, but for what
// differs from run to run. The facts lie outside of the checkout: where they are absent the tests are skipped, and say so.
import {existsSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import {connect, type ClientHttp2Session, type IncomingHttpHeaders} from 'node:http2';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {Server} from './server.ts';

const facts = resolve(import.meta.dirname, '../../../shared/facts/wire.md');
const isThere = existsSync(facts);
if (!isThere) console.log('the facts in ../shared/facts are absent: their tests are skipped');

const server = new Server();
let known: ClientHttp2Session;
let nobody: ClientHttp2Session;
const BARE = `{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Node, metadata: {name: node-1}}]}`;

/** Not on our wire; or of each connection its own. */
const OTHERS = /^(audit-id|date|content-length|x-kubernetes-pf-.*)$/;
/** These documents are far larger there; only their beginnings are recorded. */
const SHORT: Readonly<Record<string, string>> = {
  'OpenAPI v3 index': '{"paths":{".well-known/openid-configuration":{"serverRelativeURL":"/openapi/v3/.well-known/',
  'OpenAPI v3 of one version': '{"openapi":"3.0.0","info":{"title":"Kubernetes","version":"1.35"},"paths":{"/apis/',
  'OpenAPI v2 (protobuf or JSON)': '{"swagger":"2.0",',
};

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly status: number;
  readonly answered: ReadonlyMap<string, string>;
  readonly lines: readonly string[];
}

function words(line: string): readonly string[] {
  return Array.from(line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g), ([, one, two, plain]) => one ?? two ?? plain ?? '');
}

/** A command of curl, and what it printed. */
function readExchange(block: string): Exchange {
  const [command = '', first = '', ...rest] = block.split('\n');
  const asked = {
    method: 'GET',
    path: '',
    headers: {'user-agent': 'curl/8.5.0', accept: '*/*'} as Record<string, string>,
    body: '',
  };
  const argv = words(command.slice(2)).slice(1);
  for (let word = argv[0], i = 0; word !== undefined; word = argv[++i]) {
    if (word === '-X') asked.method = argv[++i] ?? '';
    else if (word === '-d') asked.body = argv[++i] ?? '';
    else if (word === '-H') {
      const [name = '', ...value] = (argv[++i] ?? '').split(': ');
      asked.headers[name.toLowerCase()] = value.join(': ');
    } else asked.path = word.replace('$SERVER', '');
  }
  const end = rest.includes('') ? rest.indexOf('') : rest.length;
  const answered = new Map<string, string>();
  for (const line of rest.slice(0, end)) {
    const [, name = '', value = ''] = /^(\S+): (.*)$/.exec(line) ?? [];
    answered.set(name, answered.has(name) ? `${answered.get(name)}, ${value}` : value);
  }
  return {
    ...asked,
    status: Number(/HTTP\/2 (\d+)/.exec(first)?.[1]),
    answered,
    lines: plain(rest.slice(end + 1).join('\n')).split('\n'),
  };
}

/** What differs from run to run, made the same. */
function plain(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uid>')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>')
    .replaceAll(/("?resourceVersion"?: ?\\?"?|current: )\d+/g, '$1<revision>')
    .replaceAll(/"continue": "[^"]*"/g, '"continue": "<token>"')
    .replaceAll(/"\d+[smh]"/g, '"<age>"')
    .replaceAll(/[0-9A-F]{128}/g, '<hash>')
    .replaceAll(/\w{3}, \d\d \w{3} \d{4} [\d:]+ GMT/g, '<date>')
    .replaceAll(/"description": ".*"/g, '"description": "<words>"');
}

function ask(session: ClientHttp2Session, {method, path, headers, body}: Exchange) {
  return new Promise<{head: IncomingHttpHeaders; text: string}>((done, failed) => {
    const stream = session.request({':method': method, ':path': path, ...headers}, {endStream: body === ''});
    let head: IncomingHttpHeaders = {};
    let text = '';
    stream.on('response', found => (head = found));
    stream.on('data', part => (text += String(part)));
    stream.on('end', () => done({head, text}));
    stream.on('error', failed);
    if (body !== '') stream.end(body);
  });
}

function exchanges(): readonly (readonly [string, string])[] {
  const text = isThere ? readFileSync(facts, 'utf8') : '';
  return Array.from(text.matchAll(/^## (.*)\n\n```http\n([\s\S]*?)\n```$/gm), ([, title = '', block = '']) => [title, block]);
}

describe.skipIf(!isThere)('the wire', () => {
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'crashloop-wire-'));
    writeFileSync(join(folder, 'nodes.yaml'), BARE);
    await server.start('--nodes', join(folder, 'nodes.yaml'));
    known = connect(server.url, server.credentials);
    nobody = connect(server.url, {ca: server.credentials.ca});
  });

  afterAll(async () => {
    known.destroy();
    nobody.destroy();
    expect(await server.stop()).toBe(0);
  });

  test('there are as many requests as are recorded', () => {
    expect(exchanges().length).toBeGreaterThan(50);
  });

  test.each(exchanges())('%s', async (title, block) => {
    const recorded = readExchange(block);
    const {head, text} = await ask(/^(anonymous|bad token)/.test(title) ? nobody : known, recorded);
    expect(head[':status']).toBe(recorded.status);
    for (const [name, value] of recorded.answered)
      if (!OTHERS.test(name)) expect(`${name}: ${plain(String(head[name]))}`).toBe(`${name}: ${plain(value)}`);
    for (const name of Object.keys(head))
      if (!name.startsWith(':') && !OTHERS.test(name)) expect([...recorded.answered.keys()]).toContain(name);
    const beginning = SHORT[title];
    if (beginning !== undefined) expect(text.slice(0, beginning.length)).toBe(beginning);
    else expect(plain(text).split('\n').slice(0, recorded.lines.length)).toEqual(recorded.lines);
  });
});
