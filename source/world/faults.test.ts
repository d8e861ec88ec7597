// What machines do: they lose power, are paused, run full, and have wrong clocks. Seen with the tools of an operator.
import {beforeAll, expect, test} from 'vitest';
import {bareWorld} from './testing/bare-world.ts';
import type {World} from './world.ts';

const ENV =
  'export ETCDCTL_ENDPOINTS=https://127.0.0.1:2379 ETCDCTL_CACERT=/etc/kubernetes/pki/etcd/ca.crt ' +
  'ETCDCTL_CERT=/etc/kubernetes/pki/etcd/server.crt ETCDCTL_KEY=/etc/kubernetes/pki/etcd/server.key; ';

let world: World;

beforeAll(async () => {
  world = await bareWorld('ha', 10_000);
});

async function on(host: string, command: string): Promise<string> {
  const {out, err} = await world.player.run(ENV + command, host);
  return (out + err).trim();
}

test('power: what was acknowledged is there when the machine is back', async () => {
  expect(await on('cp-2', 'etcdctl put /receipt 1042')).toBe('OK');
  expect(await world.fault('power off cp-2')).toEqual({});
  expect(await world.fault('alive etcd cp-2')).toEqual({out: 'no\n'});
  expect(await on('cp-1', 'ssh -o ConnectTimeout=5 cp-2 true')).toBe('ssh: connect to host cp-2 port 22: Connection timed out');
  expect(await on('cp-1', 'etcdctl get /receipt --print-value-only')).toBe('1042');
  expect(await world.fault('start etcd cp-2')).toEqual({error: 'cp-2 has no power'});
  expect(await world.fault('power on cp-2')).toEqual({});
  await world.until(() => world.machines.members().every(member => member.healthy), 30_000);
  expect(await on('cp-2', 'etcdctl get /receipt --print-value-only')).toBe('1042');
});

test('pause: the others go on without it, and it follows again', async () => {
  const leader = world.machines.members().find(member => member.leads)?.node ?? '';
  const other = leader === 'cp-1' ? 'cp-2' : 'cp-1';
  await world.fault(`pause etcd ${leader}`);
  await world.advance(8000);
  expect(await on(other, 'etcdctl put /receipt 1043')).toBe('OK');
  await world.fault(`resume etcd ${leader}`);
  await world.advance(3000);
  expect(await on(leader, 'etcdctl get /receipt --print-value-only')).toBe('1043');
});

test('fill-disk: a snapshot does not fit any more', async () => {
  expect(await world.fault('fill-disk cp-3 99.999Gi')).toEqual({});
  expect(await on('cp-3', 'etcdctl snapshot save /opt/a.db 2>&1 | tail -1')).toContain('no space left on device');
});

test('clock: to a machine that is a year ahead all certificates are expired', async () => {
  expect(await world.fault('clock cp-1 +63072000')).toEqual({});
  expect(await on('cp-1', 'date +%Y')).toBe('2028');
  expect(await on('cp-1', 'etcdctl endpoint health 2>&1 | grep -c "certificate has expired"')).toBe('1');
  await world.fault('clock cp-1 -63072000');
  expect(await on('cp-1', 'etcdctl endpoint health | cut -c1-45')).toBe('https://127.0.0.1:2379 is healthy: successful');
});

test.for([
  ['explode cp-1', 'there is no fault "explode"; there are '],
  ['power off cp-77', 'there is no machine "cp-77"'],
  ['stop etcd nowhere', 'there is no machine "nowhere"'],
  ['stop coffee cp-1', 'stop takes a component and a machine'],
  ['fill-disk cp-1 much', 'fill-disk takes a machine and a size such as 90Gi, not "much"'],
  ['clock cp-1 soon', 'clock takes a machine and +SECONDS or -SECONDS'],
])('%s is refused', async ([words = '', why = '']) => {
  const answer = await world.fault(words);
  expect('error' in answer ? answer.error : '').toContain(why);
});
