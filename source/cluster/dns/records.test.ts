import {expect, test} from 'vitest';
import type {Service} from '../../api/kinds/core-v1.ts';
import type {EndpointSlice} from '../../api/kinds/discovery-v1.ts';
import type {RecordType} from '../../api/wire/dns.ts';
import {findRecords, type ClusterNames} from './records.ts';

function aService(name: string, spec: NonNullable<Service['spec']>): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {name, namespace: 'shop', uid: name, resourceVersion: '1', creationTimestamp: ''},
    spec,
  };
}

const services = new Map([
  ['web', aService('web', {clusterIP: '10.96.0.80', ports: [{name: 'http', port: 80}]})],
  ['db', aService('db', {clusterIP: 'None', ports: [{name: 'sql', port: 5432}]})],
  ['hollow', aService('hollow', {clusterIP: 'None'})],
  ['partner', aService('partner', {type: 'ExternalName', externalName: 'api.partner.example'})],
]);
const slice = {
  metadata: {namespace: 'shop', labels: {'kubernetes.io/service-name': 'db'}},
  addressType: 'IPv4',
  ports: [{name: 'sql', port: 5432, protocol: 'TCP'}],
  endpoints: [
    {addresses: ['10.244.1.5'], hostname: 'db-0', conditions: {ready: true}},
    {addresses: ['10.244.2.6'], conditions: {ready: true}},
    {addresses: ['10.244.2.7'], hostname: 'db-2', conditions: {ready: false}},
  ],
} as unknown as EndpointSlice;
const names: ClusterNames = {
  service: (namespace, name) => (namespace === 'shop' ? services.get(name) : undefined),
  slices: (_namespace, service) => (service === 'db' ? [slice] : []),
  hasNamespace: name => name === 'shop',
  serviceAt: address => (address === '10.96.0.80' ? services.get('web') : undefined),
  slicesAt: address => (address.startsWith('10.244.') ? [slice] : []),
};
const options = {zone: 'cluster.local', ttl: 30, pods: 'insecure'} as const;

test.each<[string, string, RecordType, readonly string[] | undefined]>([
  ['a Service', 'web.shop.svc', 'A', ['10.96.0.80']],
  ['it has no IPv6 address, but it is there', 'web.shop.svc', 'AAAA', []],
  ['a Service of another namespace', 'web.other.svc', 'A', undefined],
  ['a headless Service: its ready pods', 'db.shop.svc', 'A', ['10.244.1.5', '10.244.2.6']],
  ['a headless Service without pods', 'hollow.shop.svc', 'A', undefined],
  ['a pod by its hostname', 'db-0.db.shop.svc', 'A', ['10.244.1.5']],
  ['a pod by its address', '10-244-2-6.db.shop.svc', 'A', ['10.244.2.6']],
  ['a pod that is not ready', 'db-2.db.shop.svc', 'A', undefined],
  ['an external name', 'partner.shop.svc', 'A', ['api.partner.example']],
  ['a named port', '_http._tcp.web.shop.svc', 'SRV', ['0 100 80 web.shop.svc.cluster.local']],
  ['a port that is not there', '_https._tcp.web.shop.svc', 'SRV', undefined],
  [
    'the ports of pods',
    '_sql._tcp.db.shop.svc',
    'SRV',
    ['0 100 5432 db-0.db.shop.svc.cluster.local', '0 100 5432 10-244-2-6.db.shop.svc.cluster.local'],
  ],
  ['any address of a pod', '10-1-2-3.shop.pod', 'A', ['10.1.2.3']],
  ['no address of a pod', 'web.shop.pod', 'A', undefined],
  ['a namespace', 'shop.svc', 'A', []],
  ['the zone of Services', 'svc', 'A', []],
  ['nonsense', 'a.b.c.d', 'A', undefined],
])('%s: %s %s', (_what, name, type, expected) => {
  expect(findRecords(`${name}.cluster.local`, type, {names, options})?.map(record => record.data)).toEqual(expected);
});

test.each<[string, RecordType, readonly string[] | undefined]>([
  ['80.0.96.10', 'PTR', ['web.shop.svc.cluster.local']],
  ['80.0.96.10', 'A', []],
  ['5.1.244.10', 'PTR', ['db-0.db.shop.svc.cluster.local']],
  ['6.2.244.10', 'PTR', ['10-244-2-6.db.shop.svc.cluster.local']],
  ['9.9.244.10', 'PTR', undefined],
  ['1.2.3.4', 'PTR', undefined],
  ['96.10', 'PTR', undefined],
])('backwards: %s %s', (name, type, expected) => {
  const reverse = {...options, zone: 'in-addr.arpa', primary: 'cluster.local'};
  expect(findRecords(`${name}.in-addr.arpa`, type, {names, options: reverse})?.map(record => record.data)).toEqual(expected);
});
