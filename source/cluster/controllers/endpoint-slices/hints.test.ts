import {expect, test} from 'vitest';
import type {Node, Service} from '../../../api/kinds/core-v1.ts';
import type {Endpoint} from '../../../api/kinds/discovery-v1.ts';
import {shareOut, sharesOf, withHints} from './hints.ts';

function aNode(zone: string, cpu = '4', more: {readonly ready?: string; readonly labels?: object} = {}): Node {
  const labels = {...(zone ? {'topology.kubernetes.io/zone': zone} : {}), ...more.labels};
  const status = {allocatable: {cpu}, conditions: [{type: 'Ready', status: more.ready ?? 'True'}]};
  return {metadata: {name: `n-${zone}`, labels}, status} as unknown as Node;
}

let count = 0;
const anEndpoint = (zone: string, ready = true): Endpoint => ({
  addresses: [`10.0.0.${++count}`],
  conditions: {ready},
  nodeName: `n-${zone}`,
  ...(zone ? {zone} : {}),
});
const many = (zones: Readonly<Record<string, number>>) =>
  Object.entries(zones).flatMap(([zone, n]) => Array.from({length: n}, () => anEndpoint(zone)));

test.each([
  ['zones alike', [aNode('a'), aNode('b')], {a: 0.5, b: 0.5}],
  ['a zone with more CPU', [aNode('a', '6'), aNode('b', '2')], {a: 0.75, b: 0.25}],
  [
    'nodes that do not count',
    [
      aNode('a'),
      aNode('b'),
      aNode('c', '4', {ready: 'False'}),
      aNode('c', '4', {labels: {'node-role.kubernetes.io/control-plane': ''}}),
    ],
    {a: 0.5, b: 0.5},
  ],
  [
    'a node without a zone',
    [aNode('a'), aNode('')],
    'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes',
  ],
  ['one zone', [aNode('a')], 'Nodes only ready in one zone'],
] as const)('shares of CPU: %s', (_what, nodes, shares) => {
  const found = sharesOf(nodes as readonly Node[]);
  expect(typeof found === 'string' ? found : Object.fromEntries(found)).toEqual(shares);
});

test.each([
  ['as many everywhere', {a: 2, b: 2, c: 2}, 'a>a a>a b>b b>b c>c c>c'],
  ['two of a go to b', {a: 4, b: 0, c: 2}, 'a>a a>a a>b a>b c>c c>c'],
  ['fewer endpoints than zones', {a: 2}, 'Insufficient number of endpoints (2 endpoints, 3 zones)'],
  [
    'a share that cannot be met',
    {a: 2, b: 2, c: 1},
    'Unable to allocate minimum required endpoints to each zone without exceeding overload threshold (5 endpoints, 3 zones)',
  ],
])('three zones alike: %s', (_what, zones, wanted) => {
  const endpoints = many(zones);
  const given = shareOut(endpoints, sharesOf([aNode('a'), aNode('b'), aNode('c')]));
  const words =
    typeof given === 'string'
      ? given
      : endpoints
          .map(each => `${each.zone}>${given.get(each)}`)
          .sort()
          .join(' ');
  expect(words).toBe(wanted);
});

test('an endpoint without a zone ends all sharing', () => {
  const endpoints = [...many({a: 3, b: 3}), anEndpoint('')];
  expect(shareOut(endpoints, sharesOf([aNode('a'), aNode('b')]))).toBe('One or more Endpoints do not have a zone specified');
});

test.each([
  [undefined, undefined],
  ['PreferClose', {forZones: [{name: 'a'}]}],
  ['PreferSameZone', {forZones: [{name: 'a'}]}],
  ['PreferSameNode', {forNodes: [{name: 'n-a'}], forZones: [{name: 'a'}]}],
])('a traffic distribution of %s', (trafficDistribution, hints) => {
  const service = {spec: {trafficDistribution}} as Service;
  const endpoint = anEndpoint('a');
  expect(withHints(endpoint, service, undefined).hints).toEqual(hints);
  expect(withHints(endpoint, service, undefined)).toBe(withHints(endpoint, service, undefined));
  expect(withHints(anEndpoint('a', false), service, undefined).hints).toBeUndefined();
});
