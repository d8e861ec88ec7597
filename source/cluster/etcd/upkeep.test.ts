// Leases, compaction, the quota and its alarm, hashes: what keeps a member in order.
import {expect, test} from 'vitest';
import {Lab} from './lab.ts';

const errorOf = (answer: {error?: {message: string}} | undefined) => answer?.error?.message;
const leaderOf = (lab: Lab): string => {
  lab.until(() => lab.leader !== undefined);
  return lab.leader?.name ?? '';
};

test('a lease takes its keys along when its time is over, at every member, unless it is renewed', () => {
  const lab = Lab.running(3);
  const id = lab.ask('cp-2', {kind: 'lease-grant', ttlSeconds: 5})?.['id'] as number;
  expect(id.toString(16)).toMatch(/^[0-9a-f]{15,16}$/);
  lab.ask('cp-1', {kind: 'put', key: '/session', value: 'alice', lease: id});
  const frames = lab.watch('cp-3', {key: '/session', previous: true});
  expect(lab.ask('cp-3', {kind: 'lease-time-to-live', id, keys: true})).toMatchObject({
    grantedSeconds: 5,
    ttlSeconds: 5,
    keys: ['/session'],
  });
  for (let i = 0; i < 4; i++) {
    lab.run(3000);
    expect(lab.ask('cp-1', {kind: 'lease-keep-alive', id})).toMatchObject({ttlSeconds: 5});
  }
  expect(lab.get('cp-1', '/session')).toBe('alice');
  lab.run(6000);
  for (const {name} of lab.hosts) expect(lab.get(name, '/session', true)).toBeUndefined();
  expect(frames.at(-1)?.events).toMatchObject([{type: 'delete', previous: {value: 'alice'}}]);
  expect(errorOf(lab.ask('cp-1', {kind: 'lease-keep-alive', id}))).toBe('etcdserver: requested lease not found');
  expect(lab.ask('cp-1', {kind: 'lease-time-to-live', id})).toMatchObject({ttlSeconds: -1, grantedSeconds: 0});
});

test('a new leader gives every lease its whole time again', () => {
  const lab = Lab.running(3);
  const id = lab.ask('cp-1', {kind: 'lease-grant', ttlSeconds: 10})?.['id'] as number;
  lab.ask('cp-1', {kind: 'put', key: 'a', value: 1, lease: id});
  lab.run(8000);
  const first = leaderOf(lab);
  lab.kill(first);
  const second = leaderOf(lab);
  lab.run(6000);
  expect(lab.get(second, 'a')).toBe(1);
  lab.run(8000);
  expect(lab.get(second, 'a')).toBeUndefined();
});

test('a lease is revoked with its keys, and unknown leases are refused', () => {
  const lab = Lab.running(1);
  const id = lab.ask('cp-1', {kind: 'lease-grant', ttlSeconds: 300, id: 77})?.['id'] as number;
  expect(id).toBe(77);
  expect(errorOf(lab.ask('cp-1', {kind: 'lease-grant', ttlSeconds: 300, id}))).toBe('etcdserver: lease already exists');
  lab.ask('cp-1', {kind: 'put', key: 'a', value: 1, lease: id});
  lab.ask('cp-1', {kind: 'put', key: 'b', value: 1, lease: id});
  lab.ask('cp-1', {kind: 'put', key: 'b', value: 2});
  expect(lab.ask('cp-1', {kind: 'leases'})).toMatchObject({ids: [77]});
  expect(errorOf(lab.ask('cp-1', {kind: 'lease-revoke', id}))).toBeUndefined();
  expect(lab.get('cp-1', 'a')).toBeUndefined();
  expect(lab.get('cp-1', 'b')).toBe(2);
  expect(errorOf(lab.ask('cp-1', {kind: 'lease-revoke', id}))).toBe('etcdserver: requested lease not found');
  expect(errorOf(lab.ask('cp-1', {kind: 'put', key: 'a', value: 1, lease: 1234}))).toBe('etcdserver: requested lease not found');
});

test('compaction takes the past away from ranges and watches', () => {
  const lab = Lab.running(1);
  for (const value of ['open', 'ajar', 'shut']) lab.put('cp-1', 'door', value);
  expect(lab.ask('cp-1', {kind: 'range', key: 'door', revision: 2})?.kvs?.[0]?.value).toBe('open');
  const compact = (revision: number) => errorOf(lab.ask('cp-1', {kind: 'compact', revision}));
  expect(compact(99)).toBe('etcdserver: mvcc: required revision is a future revision');
  expect(compact(4)).toBeUndefined();
  expect(compact(2)).toBe('etcdserver: mvcc: required revision has been compacted');
  expect(errorOf(lab.ask('cp-1', {kind: 'range', key: 'door', revision: 2}))).toBe(
    'etcdserver: mvcc: required revision has been compacted',
  );
  const frames = lab.watch('cp-1', {key: 'door', from: 2});
  lab.run(10);
  expect(frames).toMatchObject([
    {compactRevision: 4, error: {message: 'etcdserver: mvcc: required revision has been compacted'}},
  ]);
});

test('at the quota writes are refused until history is compacted, the file defragmented and the alarm disarmed', () => {
  const lab = new Lab(3);
  for (const {name} of lab.hosts) lab.start(name, {quotaBackendBytes: 16_777_216});
  lab.until(() => lab.hosts.every(host => host.member?.ready));
  const page = 'x'.repeat(1_000_000);
  const fill = () => {
    for (let i = 0; i < 30; i++) if (errorOf(lab.put('cp-1', 'page', page))) return i;
    return 30;
  };
  lab.put('cp-1', 'door', 'open');
  expect(fill()).toBeGreaterThan(10);
  lab.run(100);
  expect(lab.put('cp-1', 'door', 'shut')?.error).toEqual({
    code: 'ResourceExhausted',
    message: 'etcdserver: mvcc: database space exceeded',
  });
  expect(errorOf(lab.ask('cp-1', {kind: 'lease-grant', ttlSeconds: 60}))).toBe('etcdserver: mvcc: database space exceeded');
  expect(lab.get('cp-1', 'door')).toBe('open');
  expect(lab.ask('cp-1', {kind: 'delete', key: 'nothing'})).toMatchObject({deleted: 0});
  expect(lab.ask('cp-2', {kind: 'health'})).toEqual({health: false, reason: 'ALARM NOSPACE'});
  const status = lab.host('cp-1').member?.status;
  expect(status?.errors[0]).toMatch(/^memberID:\d+ alarm:NOSPACE $/);
  expect(status?.dbSizeBytes).toBeGreaterThan(10_000_000);

  lab.ask('cp-1', {kind: 'alarm', action: 'disarm'});
  fill();
  expect(errorOf(lab.put('cp-1', 'door', 'shut'))).toBe('etcdserver: mvcc: database space exceeded');
  lab.ask('cp-1', {kind: 'compact', revision: status?.header.revision ?? 0});
  for (const {name} of lab.hosts) lab.ask(name, {kind: 'defragment'});
  expect(lab.host('cp-1').member?.status?.dbSizeBytes).toBeLessThan(3_000_000);
  expect(errorOf(lab.put('cp-1', 'door', 'shut'))).toBe('etcdserver: mvcc: database space exceeded');
  expect(lab.ask('cp-1', {kind: 'alarm', action: 'disarm'})?.['alarms']).toContainEqual({
    member: 'cebdf10928a06f3c',
    alarm: 'NOSPACE',
  });
  expect(lab.ask('cp-1', {kind: 'alarm', action: 'list'})).toMatchObject({alarms: []});
  expect(errorOf(lab.put('cp-1', 'door', 'shut'))).toBeUndefined();
});

test('members with the same history have the same hash, at every revision that they keep', () => {
  const lab = Lab.running(3);
  for (let i = 0; i < 10; i++) lab.put('cp-1', `k${i % 3}`, {n: i});
  lab.run(1000);
  const hash = (name: string, revision?: number) => lab.ask(name, {kind: 'hash', ...(revision ? {revision} : {})})?.['hash'];
  expect(hash('cp-2')).toBe(hash('cp-1'));
  expect(hash('cp-3', 5)).toBe(hash('cp-1', 5));
  expect(hash('cp-1', 5)).not.toBe(hash('cp-1'));
});

test('what caused a write is told to its watchers, and an answer goes on from its request', () => {
  const lab = Lab.running(3);
  const frames = lab.watch('cp-2', {key: 'a'});
  lab.run(10);
  const cause = lab.trace.note('kubectl', 'create', 'a');
  const causes: number[] = [];
  lab.send('cp-1', {kind: 'put', key: 'a', value: 1}, () => causes.push(lab.clock.cause));
  lab.clock.cause = 0;
  lab.run(100);
  expect(frames[0]?.events[0]?.cause).toBe(cause);
  expect(causes).toEqual([cause]);
});

test('probes and monitoring are answered on port 2381', () => {
  const lab = Lab.running(3);
  const get = (path: string, query?: Record<string, string>) => {
    let answer: {status: number; body?: unknown} | undefined;
    const request = {method: 'GET', path, ...(query ? {query} : {})};
    lab.network.call('10.0.0.99', '10.0.0.11', 2381, request, {answer: value => (answer = value as typeof answer)});
    lab.until(() => answer !== undefined);
    return answer;
  };
  expect(get('/health')).toMatchObject({status: 200, body: '{"health":"true","reason":""}'});
  expect(get('/livez')).toMatchObject({status: 200, body: 'ok\n'});
  expect(get('/readyz', {verbose: ''})?.body).toContain('[+]linearizable_read ok');
  expect(get('/metrics')?.body).toContain('etcd_server_has_leader 1');
  lab.kill('cp-2');
  lab.kill('cp-3');
  lab.until(() => lab.host('cp-1').member?.leader === '');
  expect(get('/health')).toMatchObject({status: 503, body: '{"health":"false","reason":"RAFT NO LEADER"}\n'});
  expect(get('/readyz')).toMatchObject({status: 503});
});
