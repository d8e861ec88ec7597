import {expect, test} from 'vitest';
import {candidates, parseHosts, parseResolvConf} from './names.ts';

const pod = parseResolvConf(
  'search shop.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n',
);

test('a pod tries every search domain before the name itself', () => {
  expect(pod).toEqual({
    servers: ['10.96.0.10'],
    search: ['shop.svc.cluster.local', 'svc.cluster.local', 'cluster.local'],
    ndots: 5,
    timeoutMs: 5000,
    attempts: 2,
  });
  expect(candidates('web', pod)).toEqual(['web.shop.svc.cluster.local', 'web.svc.cluster.local', 'web.cluster.local', 'web']);
});

test.each([
  [
    'five dots are enough to be tried first',
    'a.b.c.d.e.f',
    ['a.b.c.d.e.f', 'a.b.c.d.e.f.shop.svc.cluster.local', 'a.b.c.d.e.f.svc.cluster.local', 'a.b.c.d.e.f.cluster.local'],
  ],
  ['a last dot allows one try', 'Example.ORG.', ['example.org']],
])('%s', (_name, name, expected) => {
  expect(candidates(name, pod)).toEqual(expected);
});

test('a machine with ndots 1 tries a dotted name as it is', () => {
  const machine = parseResolvConf('# site\nnameserver 10.0.0.2\nnameserver 10.0.0.3\ndomain lan\noptions timeout:2 attempts:1\n');
  expect(machine).toEqual({servers: ['10.0.0.2', '10.0.0.3'], search: ['lan'], ndots: 1, timeoutMs: 2000, attempts: 1});
  expect(candidates('registry.local', machine)[0]).toBe('registry.local');
});

test('the first line of /etc/hosts that has a name counts', () => {
  const hosts = parseHosts('127.0.0.1 localhost\n10.0.0.21  node-1 Node-1.lan # rack 4\n10.0.0.22 node-1\n::1 ip6\n');
  expect(hosts.get('node-1')).toBe('10.0.0.21');
  expect(hosts.get('node-1.lan')).toBe('10.0.0.21');
  expect(hosts.has('ip6')).toBe(false);
});
