import {expect, test} from 'vitest';
import type {AnyObject} from '../../../api/meta/object.ts';
import {ServerRoom} from '../testing/server-room.ts';

const KEYS = '/registry/masterleases/';

function addresses(room: ServerRoom): string[] {
  const {body} = room.get('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes');
  const {endpoints} = body as AnyObject & {endpoints: readonly {readonly addresses: readonly string[]}[]};
  return endpoints.flatMap(each => each.addresses);
}

test('the endpoints follow the keys: a server that is gone goes, one that comes comes', () => {
  const room = new ServerRoom();
  expect(addresses(room)).toEqual(['10.0.0.10']);
  room.etcd.put(`${KEYS}10.0.0.11`, {});
  room.pass(11_000);
  expect(addresses(room)).toEqual(['10.0.0.10', '10.0.0.11']);
  room.etcd.keys.delete(`${KEYS}10.0.0.11`);
  room.pass(11_000);
  expect(addresses(room)).toEqual(['10.0.0.10']);
  expect(room.daemon.log.findLast(line => line.includes('Resetting'))).toBe(
    'W lease.go:265] Resetting endpoints for master service "kubernetes" to [10.0.0.10]',
  );
});

test('a server that ends in order takes its key, its address and its lease along', () => {
  const room = new ServerRoom();
  const leases = () => [...room.etcd.keys.keys()].filter(key => key.startsWith('/registry/leases/kube-system/apiserver-'));
  room.pass(5);
  expect(leases()).toHaveLength(1);
  room.daemon.terminate();
  room.pass(1000);
  expect(room.daemon.exitCode).toBe(0);
  expect(leases()).toEqual([]);
  expect([...room.etcd.keys.keys()].filter(key => key.startsWith(KEYS))).toEqual([]);
  expect(room.daemon.log.at(-1)).toBe('I secure_serving.go:259] Stopped listening on [::]:6443');
});

test('with etcd there but silent a server listens, knows no rules, and gives up after a minute', () => {
  const room = new ServerRoom();
  room.daemon.exit(137);
  room.etcd.silentFor = ['range', 'txn', 'lease-grant'];
  const daemon = room.restartAlone();
  room.pass(5000);
  room.as = {...room.admin, organizations: [], commonName: 'otto-admin'};
  expect(room.get('/api/v1/namespaces/pay/pods')).toMatchObject({
    status: 403,
    body: {message: 'pods is forbidden: User "otto-admin" cannot list resource "pods" in API group "" in the namespace "pay"'},
  });
  room.pass(60_000);
  expect(daemon.exitCode).toBe(255);
  expect(daemon.log.at(-1)).toContain('PostStartHook "start-service-ip-repair-controllers" failed');
});

test('without etcd it gives up after twenty seconds and says what it met', () => {
  const room = new ServerRoom();
  room.daemon.exit(137);
  room.etcd.stop();
  const daemon = room.restartAlone();
  room.pass(19_000);
  expect(daemon.exitCode).toBeUndefined();
  room.pass(1500);
  expect(daemon.exitCode).toBe(255);
  expect(daemon.log.at(-1)).toBe(
    'F instance.go:233] Error creating leases: error creating storage factory: context deadline exceeded',
  );
  expect(daemon.log.find(line => line.includes('addrConn.createTransport'))).toContain(
    'Err: connection error: desc = "transport: Error while dialing: dial tcp 10.0.0.10:2379: connect: connection refused"',
  );
});

test('the lease of a server that ended without a word is taken away when its hour is over', () => {
  const room = new ServerRoom();
  const key = '/registry/leases/kube-system/apiserver-gone';
  const labels = {'apiserver.kubernetes.io/identity': 'kube-apiserver'};
  const spec = {holderIdentity: 'gone', leaseDurationSeconds: 3600, renewTime: '2020-01-01T00:00:00.000000Z'};
  const lease = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {name: 'apiserver-gone', namespace: 'kube-system', labels},
    spec,
  };
  room.etcd.put(key, lease);
  room.pass(1000);
  expect(room.etcd.keys.has(key)).toBe(true);
  room.pass(3_700_000);
  expect(room.etcd.keys.has(key)).toBe(false);
  const left = [...room.etcd.keys.keys()].filter(each => each.startsWith('/registry/leases/kube-system/apiserver-'));
  expect(left).toHaveLength(1);
});

test.each([
  ['/api/v1/namespaces/default', ['kube-apiserver Update']],
  ['/api/v1/namespaces/default/services/kubernetes', ['kube-apiserver Update']],
  ['/apis/rbac.authorization.k8s.io/v1/clusterroles/system:basic-user', ['kube-apiserver Update']],
  ['/apis/rbac.authorization.k8s.io/v1/clusterroles/view', ['clusterrole-aggregation-controller Apply', 'kube-apiserver Update']],
  ['/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical', ['kube-apiserver Update']],
  [
    '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/probes',
    ['api-priority-and-fairness-config-consumer-v1 Apply status', 'api-priority-and-fairness-config-producer-v1 Update'],
  ],
  [
    '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations/exempt',
    ['api-priority-and-fairness-config-producer-v1 Update'],
  ],
])('what a cluster begins with has owners: %s', (path, owners) => {
  const {metadata} = new ServerRoom().get(path).body as AnyObject;
  const named = (metadata.managedFields ?? []).map(({manager, operation, subresource = ''}) =>
    `${manager} ${operation} ${subresource}`.trim(),
  );
  expect(named).toEqual(owners);
  if (path.endsWith('/default'))
    expect(metadata.managedFields?.[0]?.fieldsV1).toEqual({
      'f:metadata': {'f:labels': {'.': {}, 'f:kubernetes.io/metadata.name': {}}},
    });
});
