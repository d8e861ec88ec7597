import {expect, test} from 'vitest';
import type {Lease} from '../../api/kinds/coordination-v1.ts';
import type {Secret} from '../../api/kinds/core-v1.ts';
import {serviceUnavailable} from '../../api/meta/status.ts';
import {isEnabled} from './start.ts';
import {CONTROLLERS} from './list.ts';
import {aCluster} from './testing/cluster.ts';

test('the list of --controllers lets all, some or none run', () => {
  const names = (list: readonly string[]) => CONTROLLERS.filter(each => isEnabled(each, list)).map(each => each.name);
  const byName = CONTROLLERS.filter(each => each.onlyByName).map(each => each.name);
  expect(byName).toEqual(['bootstrap-signer-controller', 'token-cleaner-controller']);
  expect(names(['*'])).toHaveLength(CONTROLLERS.length - byName.length);
  expect(names(['*', 'bootstrapsigner', 'tokencleaner'])).toHaveLength(CONTROLLERS.length);
  expect(names(['*', '-tokencleaner', 'token-cleaner-controller'])).not.toContain('token-cleaner-controller');
  expect(names(['*', '-replicaset-controller'])).not.toContain('replicaset-controller');
  expect(names(['replicaset-controller'])).toEqual(['replicaset-controller']);
  expect(names([])).toEqual([]);
});

test('no two controllers have one name', () => {
  expect(new Set(CONTROLLERS.map(each => each.name)).size).toBe(CONTROLLERS.length);
});

test('the leader holds the lease, and each controller has an account of its own', () => {
  const api = aCluster();
  expect(api.get<Lease>('leases', 'kube-system/kube-controller-manager')?.spec).toMatchObject({
    holderIdentity: 'cp-1_1',
    leaseDurationSeconds: 15,
    leaseTransitions: 0,
  });
  const accounts = api.all('serviceaccounts').filter(each => each.metadata.namespace === 'kube-system');
  const names = accounts.map(each => each.metadata.name);
  for (const {account, onlyByName} of CONTROLLERS) if (account !== '' && !onlyByName) expect(names).toContain(account);
});

test('each request carries the token of its controller', () => {
  const api = aCluster();
  const bearers = new Set<string>();
  api.intercept = ({method, path, headers = {}}) => {
    if (method === 'POST' && path.endsWith('/configmaps')) bearers.add(`${headers['authorization']} ${headers['user-agent']}`);
    return undefined;
  };
  api.create({apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'shop'}});
  api.run(500);
  expect([...bearers]).toEqual([
    expect.stringMatching(/^Bearer token kube-controller-manager\/v1\.35\.4 .*:root-ca-cert-publisher$/),
  ]);
});

test('who cannot renew the lease for ten seconds ends', () => {
  const api = aCluster();
  api.intercept = () => ({status: 503, body: serviceUnavailable('no')});
  api.run(9000);
  expect(api.daemon.exitCode).toBeUndefined();
  api.run(8000);
  expect(api.daemon.exitCode).toBe(1);
});

test('a Secret for a token is filled, and goes with its account', () => {
  const api = aCluster();
  const metadata = {name: 'robot-token', namespace: 'default', annotations: {'kubernetes.io/service-account.name': 'robot'}};
  api.create({apiVersion: 'v1', kind: 'ServiceAccount', metadata: {name: 'robot', namespace: 'default'}});
  api.create({apiVersion: 'v1', kind: 'Secret', metadata, type: 'kubernetes.io/service-account-token'});
  api.run(500);
  const data = api.get<Secret>('secrets', 'default/robot-token')?.data ?? {};
  const read = (name: string) => Buffer.from(data[name] ?? '', 'base64').toString();
  expect([read('namespace'), read('ca.crt'), read('token')]).toEqual(['default', 'PEM', 'token']);
  api.remove('serviceaccounts', 'default/robot');
  api.run(500);
  expect(api.get('secrets', 'default/robot-token')).toBeUndefined();
});
