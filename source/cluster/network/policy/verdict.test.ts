// NetworkPolicies as tables: who reaches whom.
import {expect, test} from 'vitest';
import type {Namespace, Pod} from '../../../api/kinds/core-v1.ts';
import type {NetworkPolicy, NetworkPolicySpec} from '../../../api/kinds/networking-v1.ts';
import {isRefused, type Direction} from './verdict.ts';

function pod(namespace: string, name: string, address: string, port = 8080): Pod {
  const metadata = {name, namespace, labels: {app: name}};
  const spec = {
    containers: [
      {
        name: 'c',
        image: 'c',
        ports: [
          {name: 'http', containerPort: port},
          {name: 'dns', containerPort: 53, protocol: 'UDP'},
        ],
      },
    ],
  };
  return {apiVersion: 'v1', kind: 'Pod', metadata, spec, status: {podIPs: [{ip: address}]}} as unknown as Pod;
}

const PODS = {
  web: pod('shop', 'web', '10.244.1.2'),
  api: pod('shop', 'api', '10.244.1.3'),
  batch: pod('shop', 'batch', '10.244.1.4'),
  db: pod('data', 'db', '10.244.2.2', 5432),
  toy: pod('shop-dev', 'api', '10.244.2.3'),
};
const OUTSIDE = '203.0.113.7';
type Who = keyof typeof PODS;

const NAMESPACES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  shop: {team: 'shop', 'kubernetes.io/metadata.name': 'shop'},
  'shop-dev': {team: 'shop', 'kubernetes.io/metadata.name': 'shop-dev'},
  data: {team: 'data', 'kubernetes.io/metadata.name': 'data'},
};
const namespaceOf = (name: string) => ({metadata: {name, labels: NAMESPACES[name]}}) as unknown as Namespace;

const policy = (namespace: string, spec: NetworkPolicySpec): NetworkPolicy => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: {name: 'p', namespace} as NetworkPolicy['metadata'],
  spec,
});

/** All that reach a pod, or all that it reaches. */
function passing(
  direction: Direction,
  of: Who,
  policies: readonly NetworkPolicy[],
  to: {port?: number; protocol?: 'TCP' | 'UDP'} = {},
): string[] {
  const judged = PODS[of];
  const {port = 8080, protocol = 'TCP'} = to;
  const ends = [
    ...Object.entries(PODS).map(([name, each]) => ({name, pod: each, address: each.status?.podIPs?.[0]?.ip ?? ''})),
    {name: 'outside', pod: undefined, address: OUTSIDE},
  ];
  return ends
    .filter(({pod: peer, address}) => {
      const server = direction === 'ingress' ? judged : peer;
      return (
        peer !== judged &&
        !isRefused(policies, {direction, pod: judged, peer: {address, pod: peer}, server, port, protocol}, namespaceOf)
      );
    })
    .map(({name}) => name);
}

const ALL_BUT = (name: Who) => [...Object.keys(PODS), 'outside'].filter(each => each !== name);
const DB = {podSelector: {matchLabels: {app: 'db'}}, policyTypes: ['Ingress']} satisfies NetworkPolicySpec;
const SHOP = {namespaceSelector: {matchLabels: {team: 'shop'}}};
const API = {podSelector: {matchLabels: {app: 'api'}}};

const ingress: readonly (readonly [string, NetworkPolicySpec, readonly string[]])[] = [
  ['no rule', DB, []],
  ['an empty rule', {...DB, ingress: [{}]}, ALL_BUT('db')],
  ['a policy that selects others', {...DB, podSelector: {matchLabels: {app: 'other'}}}, ALL_BUT('db')],
  ['a policy of the other direction', {...DB, policyTypes: ['Egress']}, ALL_BUT('db')],
  ['an empty selector selects all pods', {policyTypes: ['Ingress'], podSelector: {}}, []],
  ['a selector that is left out selects all pods', {policyTypes: ['Ingress']}, []],
  [
    'two items are an or; pods alone are of the own namespace',
    {...DB, ingress: [{from: [SHOP, API]}]},
    ['web', 'api', 'batch', 'toy'],
  ],
  ['two fields of one item are an and', {...DB, ingress: [{from: [{...SHOP, ...API}]}]}, ['api', 'toy']],
  [
    'expressions',
    {
      ...DB,
      ingress: [
        {
          from: [
            {
              namespaceSelector: {matchExpressions: [{key: 'kubernetes.io/metadata.name', operator: 'In', values: ['shop']}]},
              ...API,
            },
          ],
        },
      ],
    },
    ['api'],
  ],
  ['an empty namespace selector', {...DB, ingress: [{from: [{namespaceSelector: {}}]}]}, ['web', 'api', 'batch', 'toy']],
  [
    'addresses with an exception',
    {...DB, ingress: [{from: [{ipBlock: {cidr: '10.244.0.0/16', except: ['10.244.1.0/24']}}]}]},
    ['toy'],
  ],
  ['addresses outside', {...DB, ingress: [{from: [{ipBlock: {cidr: '203.0.113.0/24'}}]}]}, ['outside']],
  ['the port', {...DB, ingress: [{ports: [{port: 5432}]}]}, []],
  ['its protocol', {...DB, ingress: [{ports: [{port: 8080, protocol: 'UDP'}]}]}, []],
  ['a range of ports', {...DB, ingress: [{ports: [{port: 8000, endPort: 8080}]}]}, ALL_BUT('db')],
  ['any port of a protocol', {...DB, ingress: [{ports: [{protocol: 'TCP'}]}]}, ALL_BUT('db')],
];

test.each(ingress)('into db on 8080: %s', (_, spec, expected) => {
  expect(passing('ingress', 'db', [policy('data', spec)])).toEqual(expected);
});

test('ports by name are those of whoever is dialled', () => {
  const named = {...DB, ingress: [{ports: [{port: 'http'}]}]};
  expect(passing('ingress', 'db', [policy('data', named)], {port: 5432})).toEqual(ALL_BUT('db'));
  expect(passing('ingress', 'db', [policy('data', named)], {port: 8080})).toEqual([]);
  const out: NetworkPolicySpec = {podSelector: {}, policyTypes: ['Egress'], egress: [{ports: [{port: 'dns', protocol: 'UDP'}]}]};
  expect(passing('egress', 'web', [policy('shop', out)], {port: 53, protocol: 'UDP'})).toEqual(['api', 'batch', 'db', 'toy']);
  expect(passing('egress', 'web', [policy('shop', out)], {port: 53})).toEqual([]);
});

test('policies add up, and one of another namespace says nothing', () => {
  const closed = policy('data', DB);
  const open = policy('data', {...DB, ingress: [{from: [{...SHOP, ...API}]}]});
  expect(passing('ingress', 'db', [closed, open])).toEqual(['api', 'toy']);
  expect(passing('ingress', 'db', [policy('shop', {podSelector: {}, policyTypes: ['Ingress']})])).toEqual(ALL_BUT('db'));
});
