// Bodies as bytes: whole or in pieces they are the same.
import {expect, test} from 'vitest';
import {arrangedBody} from './arranged.ts';
import {printYaml} from '../yaml/print.ts';
import {bodyText, frameText, jsonPieces, jsonText, prettyPieces} from './json-text.ts';
import {afterWrite, NO_FIELDS, shapeOfType} from './ownership/index.ts';
import {typeOfKind} from './types.ts';
import {writtenYaml} from './yaml-text.ts';

function map(n: number) {
  return {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: `map-${n}`, labels: {note: 'a<b'}}};
}

test('a long list goes out in pieces, its items without their kind', () => {
  const items = Array.from({length: 3000}, (_, n) => map(n));
  const pieces = [...jsonPieces({kind: 'ConfigMapList', apiVersion: 'v1', metadata: {resourceVersion: '7'}, items})];
  expect(pieces.length).toBeGreaterThan(1);
  const read = JSON.parse(pieces.join('')) as {items: object[]};
  expect(read.items).toHaveLength(3000);
  expect(read.items[2999]).toEqual({metadata: {name: 'map-2999', labels: {note: 'a<b'}}});
});

test('so does a long table, and it says what it would say in one piece', () => {
  const object = (n: number) => ({kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: map(n).metadata});
  const rows = Array.from({length: 3000}, (_, n) => ({cells: [`map-${n}`, '1/1', n], object: object(n)}));
  const table = {kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: {resourceVersion: '7'}, columnDefinitions: null, rows};
  const pieces = [...jsonPieces(table)];
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.join('')).toBe(`${jsonText(table)}\n`);
});

test('signs of HTML are escaped as Go does it', () => {
  expect(jsonText(map(1))).toContain('a\\u003cb');
});

test('an empty table has its rows', () => {
  const table = {kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: {}, columnDefinitions: [], rows: []};
  expect([...jsonPieces(table)].join('')).toBe(`${JSON.stringify(table)}\n`);
});

test.each([0, 1, 3000])('for people and as YAML a list and a table of %s say what they would say in one piece', count => {
  const items = Array.from({length: count}, (_, n) => map(n));
  const metadata = {resourceVersion: '7'};
  const list = {kind: 'ConfigMapList', apiVersion: 'v1', metadata, items};
  const rows = items.map(({metadata: own}) => ({
    cells: [own.name, 1],
    object: {kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: own},
  }));
  const table = {kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata, columnDefinitions: null, rows};
  for (const body of [list, table]) {
    const pieces = [...prettyPieces(body)];
    expect(pieces.length > 1).toBe(count > 1000);
    expect(pieces.join('')).toBe(JSON.stringify(arrangedBody(body), null, 2).replaceAll('<', '\\u003c'));
    const yaml = [...writtenYaml(body)];
    expect(yaml.length > 3).toBe(count > 1000);
    expect(yaml.join('')).toBe(printYaml(arrangedBody(body)));
  }
});

test('one long object goes out as YAML in pieces, and says what it would say in one piece', () => {
  const data = Object.fromEntries(
    Array.from({length: 9000}, (_, n) => [`key-${n}`, `a text: ${'with many words '.repeat(n % 9)}`]),
  );
  const long = {...map(1), data, list: [{deep: {data, ['long'.repeat(40)]: [1, {a: data}]}}, [], {}, [[data]]]};
  const pieces = [...writtenYaml(long)];
  expect(pieces.length).toBeGreaterThan(10);
  expect(pieces.join('')).toBe(printYaml(arrangedBody(long)));
});

test('an event has its object in order, one line, whatever the order in which it was made', () => {
  const {kind, apiVersion, metadata} = map(1);
  const object = {metadata: {name: metadata.name}, kind, apiVersion};
  expect(frameText({type: 'ADDED', object})).toBe(
    '{"type":"ADDED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"map-1"}}}\n',
  );
  expect(frameText('a line of a log\n')).toBe('a line of a log\n');
  expect(bodyText(undefined)).toBe('');
});

/** Objects that are large by themselves, with their fields in no order at all. */
function largeObjects(): Record<string, unknown>[] {
  const many = <T>(count: number, item: (n: number) => T): T[] => Array.from({length: count}, (_, n) => item(n));
  const wide = Object.fromEntries(many(5000, n => [`key<${(n * 7919) % 5000}`, `${n}\u2028`]));
  const status = {lastState: {}, name: 'c', ready: false, restartCount: 0, image: '', imageID: ''};
  const env = [
    {value: 'b', name: 'A'},
    {name: 'B', valueFrom: {fieldRef: {fieldPath: 'metadata.name'}}},
  ];
  const containers = many(900, n => ({ports: [{containerPort: n + 1, protocol: 'TCP'}], image: 'a', name: `c${n}`, env}));
  const pod = {
    status: {conditions: [{type: 'Ready', status: 'True', lastProbeTime: null}], containerStatuses: many(900, () => status)},
    spec: {nodeSelector: {b: '1', a: '2'}, containers},
    metadata: {labels: {b: '1', a: '2'}, name: 'web'},
    kind: 'Pod',
    apiVersion: 'v1',
  };
  const write = {
    writer: {manager: 'kubectl', operation: 'Update', apiVersion: 'v1', subresource: ''},
    time: '2026-01-01T00:00:00Z',
    shape: shapeOfType(typeOfKind('v1', 'Pod') ?? ''),
    before: {metadata: {}},
    after: pod,
    ignored: NO_FIELDS,
  } as const;
  const managedFields = afterWrite(undefined, write);
  return [
    {...map(1), data: wide},
    {...pod, metadata: {...pod.metadata, managedFields}},
    {spec: {z: wide, a: [[wide]]}, kind: 'Own', apiVersion: 'example.com/v1', metadata: {name: 'own'}},
    {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      code: 422,
      details: {causes: many(3000, n => ({field: `f${n}`, reason: 'x'}))},
    },
  ];
}

test.each([0, 1, 2, 3])('a large object goes out part by part, and says what it would say in one piece (%s)', n => {
  const made = () => largeObjects()[n] ?? {};
  const pieces = [...jsonPieces(made())];
  expect(pieces.filter(piece => piece !== '').length).toBeGreaterThan(1);
  expect(pieces.join('')).toBe(`${jsonText(made())}\n`);
  const signs = /[<\u2028]/g;
  const code = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  expect([...prettyPieces(made())].join('')).toBe(JSON.stringify(arrangedBody(made()), null, 2).replaceAll(signs, code));
  expect([...writtenYaml(made())].join('')).toBe(printYaml(arrangedBody(made())));
  const list = (item: unknown) => ({
    kind: 'PodList',
    apiVersion: 'v1',
    metadata: {resourceVersion: '1'},
    items: [map(1), item, map(2)],
  });
  const whole = JSON.stringify(arrangedBody(list(made()))).replaceAll(signs, code);
  expect([...jsonPieces(list(made()))].join('')).toBe(`${whole}\n`);
});
