import {expect, test} from 'vitest';
import type {DeviceClass, ResourceClaim} from '../../../api/kinds/resource-v1.ts';
import {allocate, type Allocation, type PlacedDevice} from './allocate.ts';
import {selects} from './selectors.ts';

const DRIVER = 'gpu.example.com';

function aDevice(name: string, model: string, memory: string): PlacedDevice {
  const attributes = {model: {string: model}, 'vendor.example.com/numa': {int: name === 'a' ? 0 : 1}};
  return {device: {name, attributes, capacity: {memory: {value: memory}}}, driver: DRIVER, pool: 'n', id: `${DRIVER}/n/${name}`};
}

const devices = [
  aDevice('a', 'small', '16Gi'),
  aDevice('b', 'large', '80Gi'),
  aDevice('c', 'small', '16Gi'),
  aDevice('d', 'large', '40Gi'),
];
const classes: Record<string, string> = {
  any: `device.driver == '${DRIVER}'`,
  large: `device.attributes['${DRIVER}'].model == 'large'`,
  odd: 'device.driver',
  coloured: `device.attributes['${DRIVER}'].colour == 'red'`,
};
const classOf = (name: string) =>
  classes[name] === undefined ? undefined : ({spec: {selectors: [{cel: {expression: classes[name]}}]}} as unknown as DeviceClass);

function aClaim(...requests: readonly object[]): ResourceClaim {
  return {metadata: {namespace: 'default', name: 'c'}, spec: {devices: {requests}}} as unknown as ResourceClaim;
}

const exactly = (more: object = {}, name = 'r') => ({name, exactly: {deviceClassName: 'any', ...more}});
const cel = (expression: string) => ({selectors: [{cel: {expression}}]});
const memory = (text: string) => cel(`device.capacity['${DRIVER}'].memory.compareTo(quantity('${text}')) >= 0`);

/** What was got, request by request, or what is wrong. */
function told(found: Allocation): string | undefined {
  if (!found || 'error' in found) return found?.error;
  const results = [...found.values()].flat();
  return results.map(({request, device}) => `${request}=${device}`).join(' ');
}

const cases: readonly (readonly [what: string, claims: readonly ResourceClaim[], taken: string, got: string | undefined])[] = [
  ['the first one', [aClaim(exactly())], '', 'r=a'],
  ['the first one that is free', [aClaim(exactly())], 'a', 'r=b'],
  ['enough memory', [aClaim(exactly(memory('40Gi')))], '', 'r=b'],
  ['an attribute of another domain', [aClaim(exactly(cel("device.attributes['vendor.example.com'].numa == 1")))], '', 'r=b'],
  ['a class that narrows', [aClaim(exactly({deviceClassName: 'large', count: 2}))], '', 'r=b r=d'],
  ['more than there are', [aClaim(exactly({deviceClassName: 'large', count: 3}))], '', undefined],
  ['all of a kind', [aClaim(exactly({deviceClassName: 'large', allocationMode: 'All'}))], '', 'r=b r=d'],
  ['all of a kind, one of which is taken', [aClaim(exactly({deviceClassName: 'large', allocationMode: 'All'}))], 'd', undefined],
  ['two claims never share', [aClaim(exactly()), aClaim(exactly())], '', 'r=a r=b'],
  ['who only looks does not take', [aClaim(exactly({adminAccess: true})), aClaim(exactly())], '', 'r=a r=a'],
  [
    'an earlier request gives way to a later one',
    [aClaim(exactly({}, 'any'), exactly(cel("device.attributes['vendor.example.com'].numa == 0"), 'near'))],
    '',
    'any=b near=a',
  ],
  [
    'the second choice',
    [
      aClaim({
        name: 'r',
        firstAvailable: [
          {name: 'huge', deviceClassName: 'any', ...memory('1Ti')},
          {name: 'big', deviceClassName: 'large'},
        ],
      }),
    ],
    '',
    'r/big=b',
  ],
  ['a selector that is no condition', [aClaim(exactly({deviceClassName: 'odd'}))], '', undefined],
  [
    'an attribute that nobody has',
    [aClaim(exactly(cel(`device.attributes['${DRIVER}'].colour == 'red'`)))],
    '',
    'claim default/c: selector #0: CEL runtime error: no such key: colour',
  ],
  [
    'an attribute that the class asks for',
    [aClaim(exactly({deviceClassName: 'coloured'}))],
    '',
    'class coloured: selector #0: CEL runtime error: no such key: colour',
  ],
  [
    'a selector that goes wrong over a device that is taken',
    [aClaim(exactly(cel(`device.attributes['${DRIVER}'].model == 'small' || device.attributes['${DRIVER}'].colour == 'red'`)))],
    'b,d',
    'r=a',
  ],
  [
    'a selector that would go wrong over a later device',
    [aClaim(exactly(cel(`device.attributes['${DRIVER}'].model == 'small' || device.attributes['${DRIVER}'].colour == 'red'`)))],
    '',
    'r=a',
  ],
  [
    'more than one claim may have',
    [aClaim(exactly({count: 33}))],
    '',
    'claim default/c: number of requested devices 33 exceeds the claim limit of 32',
  ],
];
for (const [what, claims, taken, got] of cases) {
  test(`devices of a node: ${what}`, () => {
    const isTaken = (id: string) => taken.split(',').includes(id.slice(id.lastIndexOf('/') + 1));
    expect(told(allocate(claims, {devices, isTaken, classOf, selects}))).toBe(got);
  });
}

test('devices that must be alike in an attribute', () => {
  const alike = {...aClaim(exactly({count: 2}))} as {spec: {devices: object}};
  const claim = {...alike, spec: {devices: {...alike.spec.devices, constraints: [{matchAttribute: `${DRIVER}/model`}]}}};
  const found = allocate([claim as unknown as ResourceClaim], {devices, isTaken: () => false, classOf, selects});
  expect(told(found)).toBe('r=a r=c');
});

test('nobody has all of a pool that is still being told of', () => {
  const claim = aClaim(exactly({allocationMode: 'All'}));
  const found = allocate([claim], {devices, unfinished: `${DRIVER}/m`, isTaken: () => false, classOf, selects});
  expect(told(found)).toBe(
    `claim default/c, request r: asks for all devices, but resource pool ${DRIVER}/m is currently being updated`,
  );
});

test('a search without end is given up', () => {
  const many = Array.from({length: 60}, (_, n) => aDevice(`x${n}`, `m${n}`, '1Gi'));
  const claim = {
    metadata: {name: 'c'},
    spec: {
      devices: {
        requests: [exactly({count: 5}), exactly({count: 26}, 's')],
        constraints: [{matchAttribute: `${DRIVER}/model`, requests: ['s']}],
      },
    },
  } as unknown as ResourceClaim;
  let looks = 0;
  const found = allocate([claim], {devices: many, isTaken: () => (looks++, false), classOf, selects: () => true});
  expect(found).toBeUndefined();
  expect(looks).toBeLessThan(50_000);
});
