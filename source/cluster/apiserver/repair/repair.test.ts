// What the server does about Services and addresses that do not fit together, and what it tells.
import {expect, test} from 'vitest';
import type {AnyObject} from '../../../api/meta/object.ts';
import {ServerRoom} from '../testing/server-room.ts';

const SERVICES = '/api/v1/namespaces/default/services';
const ADDRESSES = '/apis/networking.k8s.io/v1/ipaddresses';
const LABELS = {'ipaddress.kubernetes.io/ip-family': 'IPv4', 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io'};
const WEB = '10.96.4.4';

const web = (spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {name: 'web'},
  spec: {clusterIP: WEB, ports: [{port: 80}], ...spec},
});
const address = (name: string, parentRef: object, labels: object = LABELS) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IPAddress',
  metadata: {name, labels},
  spec: {parentRef},
});
const ofService = (name: string) => ({resource: 'services', namespace: 'default', name});

function aRoom(): ServerRoom {
  const room = new ServerRoom();
  room.post(SERVICES, web());
  room.pass(1000);
  return room;
}

function told(room: ServerRoom): readonly string[] {
  const {items} = room.get('/apis/events.k8s.io/v1/events').body as {items: readonly AnyObject[]};
  return items.map(event => {
    const {reason, note, series} = event as unknown as {reason: string; note: string; series?: {count: number}};
    return `${reason} ${note}${series ? ` x${series.count}` : ''}`;
  });
}

const parentOf = (room: ServerRoom, name: string) => {
  const {status, body} = room.get(`${ADDRESSES}/${name}`);
  return status === 200 ? (body as AnyObject & {spec: {parentRef: object}}).spec.parentRef : status;
};

test('nothing is told of a cluster in order', () => {
  const room = aRoom();
  room.pass(700_000);
  room.delete(`${SERVICES}/web`);
  room.pass(700_000);
  expect(told(room)).toEqual([]);
});

test('an address that was deleted comes again within three minutes', () => {
  const room = aRoom();
  room.delete(`${ADDRESSES}/${WEB}`);
  expect(parentOf(room, WEB)).toBe(404);
  room.pass(181_000);
  expect(parentOf(room, WEB)).toEqual(ofService('web'));
  expect(told(room)).toEqual([`ClusterIPNotAllocated Cluster IP [IPv4]: ${WEB} is not allocated; repairing`]);
});

test('an address that names something else, or a Service that is not there, is written anew', () => {
  for (const [parent, words] of [
    [{group: 'example.com', resource: 'gateways', name: 'x'}, 'ClusterIPNotAllocated'],
    [ofService('gone'), 'ClusterIPNotAllocated'],
  ] as const) {
    const room = aRoom();
    room.delete(`${ADDRESSES}/${WEB}`);
    room.post(ADDRESSES, address(WEB, parent, {}));
    room.pass(181_000);
    expect(parentOf(room, WEB)).toEqual(ofService('web'));
    const note = `the ClusterIP [IPv4]: ${WEB} for Service default/web has a wrong reference; repairing`;
    expect(told(room)).toEqual([`${words} ${note}`]);
  }
});

test('addresses of nobody go: at once, or after a minute where their Service may still come', () => {
  const room = aRoom();
  room.post(ADDRESSES, address('10.96.9.1', {group: 'example.com', resource: 'gateways', name: 'x'}));
  room.post(ADDRESSES, address('10.96.9.2', ofService('web')));
  room.post(ADDRESSES, address('10.96.9.3', ofService('soon')));
  room.post(ADDRESSES, address('10.96.9.4', ofService('other'), {}));
  room.pass(1000);
  expect(['1', '2', '3', '4'].map(n => typeof parentOf(room, `10.96.9.${n}`))).toEqual(['number', 'number', 'object', 'object']);
  room.pass(61_000);
  expect(parentOf(room, '10.96.9.3')).toBe(404);
  expect(parentOf(room, '10.96.9.4')).toEqual(ofService('other'));
  expect(told(room)).toEqual([
    'IPAddressNotAllocated IPAddress 10.96.9.1 appears to have been modified, not referencing a Service ' +
      '&ParentReference{Group:example.com,Resource:gateways,Namespace:,Name:x,}: cleaning up',
    'IPAddressWrongReference IPAddress: 10.96.9.2 for Service default/web has a wrong reference; cleaning up',
    'IPAddressNotAllocated IPAddress: 10.96.9.3 for Service default/soon appears to have leaked: cleaning up',
  ]);
});

test('a Service out of the ranges is told so, again and again as one series', () => {
  const room = aRoom();
  const key = '/registry/services/specs/default/web';
  const {value} = room.etcd.keys.get(key) as {value: AnyObject};
  room.etcd.put(key, {...value, spec: {...(value.spec as object), clusterIP: '10.7.0.1', clusterIPs: ['10.7.0.1']}});
  room.pass(400_000);
  expect(told(room)).toContain(
    'ClusterIPOutOfRange Cluster IP [IPv4]: 10.7.0.1 is not within any configured Service CIDR; please recreate service x2',
  );
});

test('node ports out of the range, and those of two Services', () => {
  const room = new ServerRoom();
  const ports = (...numbers: readonly number[]) => ({
    type: 'NodePort',
    clusterIP: undefined,
    ports: numbers.map((nodePort, n) => ({name: `p${n}`, port: 80 + n, nodePort})),
  });
  room.post(SERVICES, web(ports(30_001, 32_000)));
  room.post(SERVICES, {...web(ports(30_002)), metadata: {name: 'other'}});
  const key = '/registry/services/specs/default/web';
  const {value} = room.etcd.keys.get(key) as {value: AnyObject};
  const spec = value.spec as {ports: readonly object[]};
  const changed = spec.ports.map((port, n) => ({...port, nodePort: [30_002, 29_000][n]}));
  room.etcd.put(key, {...value, spec: {...spec, ports: changed}});
  room.pass(181_000);
  expect(told(room)).toEqual([
    'PortAlreadyAllocated Port 30002 was assigned to multiple services; please recreate service',
    'PortOutOfRange Port 29000 is not within the port range 30000-32767; please recreate service',
  ]);
});
