// Large requests come to what small ones come to, and others are served between their pieces.
import {expect, test} from 'vitest';
import type {AnyObject} from '../../api/meta/object.ts';
import {PATCH_TYPES, type Request} from '../../api/wire/http.ts';
import {printYaml} from '../../api/yaml/print.ts';
import {ServerRoom} from './testing/server-room.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const KEYS = 6000;

function wide(value: string): AnyObject {
  const data = Object.fromEntries(Array.from({length: KEYS}, (_, n) => [`key-${n}`, value]));
  return {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'wide'}, data} as unknown as AnyObject;
}

/** A request as it comes over a port: its body is text, and has a size. */
function asText(method: Request['method'], type: string, body: string): Request {
  const query = type === PATCH_TYPES.apply ? {fieldManager: 'me', force: 'true'} : {};
  const path = method === 'POST' ? MAPS : `${MAPS}/wide`;
  return {method, path, query, headers: {'content-type': type}, body, bytes: body.length};
}

const WAYS: readonly (readonly [string, Request])[] = [
  ['JSON', asText('POST', 'application/json', JSON.stringify(wide('a')))],
  ['YAML', asText('POST', 'application/yaml', printYaml(wide('a')))],
  ['YAML that is not plain', asText('POST', 'application/yaml', `${printYaml(wide('a'))}# \u2028\n`)],
  ['put', asText('PUT', 'application/json', JSON.stringify(wide('b')))],
  ['merge', asText('PATCH', PATCH_TYPES.merge, JSON.stringify({data: (wide('c') as unknown as {data: object}).data}))],
  ['applied', asText('PATCH', PATCH_TYPES.apply, printYaml(wide('d')))],
];

test.each(WAYS)('%s', (_name, request) => {
  const answerOf = (asked: Request): {status: number; body: unknown} => {
    const room = new ServerRoom();
    if (asked.method !== 'POST') room.post(MAPS, wide('z'));
    const {status, body} = room.ask(asked);
    const {data, metadata} = body as unknown as {data: unknown; metadata: {managedFields: readonly {time: string}[]}};
    return {status, body: {data, owners: metadata.managedFields.map(entry => ({...entry, time: ''}))}};
  };
  const {bytes: _bytes, ...small} = request;
  expect(answerOf(request)).toEqual(answerOf(small));
});

test('others are answered before a large request is through, and each of its pieces says that it was long', () => {
  const room = new ServerRoom();
  const order: string[] = [];
  let pieces = 0;
  const send = (name: string, request: Request) =>
    room.network.call('192.168.0.2', '10.0.0.10', 6443, {certificate: room.admin, ...request}, {answer: () => order.push(name)});
  send('large', asText('POST', 'application/json', JSON.stringify(wide('a'))));
  send('small', {method: 'GET', path: '/api/v1/namespaces/default'});
  while (order.length < 2 && room.clock.step()) {
    if (room.clock.laboured) pieces++;
    room.clock.laboured = false;
  }
  expect(order).toEqual(['small', 'large']);
  expect(pieces).toBeGreaterThan(4);
});

test('a body that is wrong is refused in the words for small ones', () => {
  const room = new ServerRoom();
  for (const body of [`${JSON.stringify(wide('a'))},`, JSON.stringify(wide('a')).replace(/}$/, '')]) {
    const large = room.ask(asText('POST', 'application/json', body));
    const {bytes: _bytes, ...small} = asText('POST', 'application/json', body);
    expect(large.status).toBe(400);
    expect(large.body).toEqual(room.ask(small).body);
  }
});
