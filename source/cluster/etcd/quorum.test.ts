// Three members and what can befall them: the stories that a player will live through.
import {expect, test} from 'vitest';
import {Lab} from './lab.ts';

const others = (lab: Lab, name: string) => lab.hosts.map(host => host.name).filter(each => each !== name);
const leaderOf = (lab: Lab): string => {
  lab.until(() => lab.leader !== undefined);
  return lab.leader?.name ?? '';
};

test('a leader dies: within two election timeouts another leads, and nothing that was acknowledged is lost', () => {
  const lab = Lab.running(3);
  const first = leaderOf(lab);
  lab.put(first, 'a', 1);
  const died = lab.clock.now;
  lab.kill(first);
  const [other = ''] = others(lab, first);
  leaderOf(lab);
  expect(lab.put(other, 'b', 2)?.error).toBeUndefined();
  expect(lab.clock.now - died).toBeLessThan(3000);
  expect(lab.get(other, 'a')).toBe(1);

  lab.start(first);
  lab.until(() => lab.host(first).member?.ready === true);
  expect(lab.get(first, 'b')).toBe(2);
});

test('one of three down changes nothing, two down stop all that needs a majority, one back heals it', () => {
  const lab = Lab.running(3);
  lab.put('cp-1', 'door', 'open');
  lab.kill('cp-2');
  leaderOf(lab);
  expect(lab.put('cp-1', 'door', 'ajar')?.error).toBeUndefined();
  lab.kill('cp-3');
  lab.until(() => lab.host('cp-1').member?.leader === '');
  expect(lab.put('cp-1', 'door', 'shut')?.error).toEqual({code: 'Unavailable', message: 'etcdserver: request timed out'});
  expect(lab.get('cp-1', 'door', true)).toBe('ajar');
  expect(lab.ask('cp-1', {kind: 'range', key: 'door'})?.error?.message).toBe('etcdserver: request timed out');
  expect(lab.ask('cp-1', {kind: 'health'})).toEqual({health: false, reason: 'RAFT NO LEADER'});
  expect(lab.ask('cp-1', {kind: 'status'})?.['errors']).toEqual(['etcdserver: no leader']);

  lab.start('cp-3');
  lab.until(() => lab.leader !== undefined);
  expect(lab.put('cp-1', 'door', 'shut')?.error).toBeUndefined();
  expect(lab.get('cp-1', 'door')).toBe('shut');
});

test('what was proposed to a leader that had just died is not heard of again', () => {
  const lab = Lab.running(3);
  const first = leaderOf(lab);
  const [other = ''] = others(lab, first);
  lab.kill(first);
  expect(lab.put(other, 'a', 1)?.error?.message).toBe('etcdserver: request timed out, possibly due to previous leader failure');
});

test('a leader cut off steps down, its writes come to nothing, and after the cut it follows', () => {
  const lab = Lab.running(3);
  const first = leaderOf(lab);
  const rest = others(lab, first);
  lab.put(first, 'door', 'open');
  lab.cut(first, ...rest);
  let refused: unknown;
  lab.send(first, {kind: 'put', key: 'door', value: 'minority'}, answer => {
    refused = answer?.error?.message;
  });
  lab.run(8000);
  expect(refused).toBe('etcdserver: request timed out');
  expect(lab.messages(first)).toContain(`${lab.host(first).member?.id} stepped down to follower since quorum is not active`);
  expect(lab.put(rest[0] ?? '', 'door', 'majority')?.error).toBeUndefined();
  expect(lab.get(first, 'door', true)).toBe('open');

  lab.network.heal();
  lab.until(() => lab.get(first, 'door', true) === 'majority');
  expect(new Set(lab.hosts.map(host => host.member?.status?.header.term)).size).toBe(1);
});

test('a member cut off alone does not unseat the leader when it is back', () => {
  const lab = Lab.running(3);
  const leader = leaderOf(lab);
  const [follower = '', third = ''] = others(lab, leader);
  const term = lab.host(leader).member?.status?.header.term;
  lab.cut(follower, leader, third);
  lab.run(20_000);
  lab.network.heal();
  lab.run(10_000);
  expect(leaderOf(lab)).toBe(leader);
  expect(lab.host(leader).member?.status?.header.term).toBe(term);
});

test('a power cut takes what was not yet synced, and the cluster what was acknowledged', () => {
  const lab = Lab.running(3);
  const leader = leaderOf(lab);
  lab.put(leader, 'a', 1);
  lab.send(leader, {kind: 'put', key: 'a', value: 2}, () => {});
  lab.run(0.3);
  for (const {name} of lab.hosts) lab.powerCut(name);
  lab.run(1000);
  for (const {name} of lab.hosts) {
    lab.powerUp(name);
    lab.start(name);
  }
  lab.until(() => lab.hosts.every(host => host.member?.ready));
  expect(lab.get('cp-1', 'a')).toBe(1);
});

test('a follower that is too far behind gets the whole state, and its watches what it missed', () => {
  const lab = new Lab(3);
  const flags = {snapshotCount: 20, snapshotCatchUpEntries: 5};
  for (const {name} of lab.hosts) lab.start(name, flags);
  lab.until(() => lab.hosts.every(host => host.member?.ready));
  const leader = leaderOf(lab);
  const [late = '', third = ''] = others(lab, leader);
  const frames = lab.watch(late, {key: 'k', end: 'l'});
  lab.run(10);
  lab.cut(late, leader, third);
  lab.run(6000);
  for (let i = 0; i < 60; i++) lab.put(leader, `k${i % 7}`, i);
  lab.ask(leader, {kind: 'delete', key: 'k3'});
  lab.network.heal();
  lab.until(() => lab.get(late, 'k0', true) === 56);
  expect(lab.messages(late)).toContain('applied incoming Raft snapshot');
  expect(lab.get(late, 'k3')).toBeUndefined();
  const hash = (name: string) => lab.ask(name, {kind: 'hash'})?.['hash'];
  expect(hash(late)).toBe(hash(leader));
  lab.run(100);
  expect(frames.flatMap(frame => frame.events).map(event => event.current.modRevision)).toEqual(
    Array.from({length: 61}, (_, i) => i + 2),
  );

  lab.kill(late);
  lab.start(late, flags);
  lab.until(() => lab.host(late).member?.ready === true);
  expect(hash(late)).toBe(hash(leader));
});

test('the leadership is handed over on request, and before a leader ends', () => {
  const lab = Lab.running(3);
  const first = leaderOf(lab);
  const [second = '', third = ''] = others(lab, first);
  const id = (name: string) => lab.host(name).member?.id ?? '';
  expect(lab.ask(first, {kind: 'move-leader', id: '1234'})?.error?.message).toBe('etcdserver: bad leader transferee');
  expect(lab.ask(second, {kind: 'move-leader', id: id(third)})?.error?.message).toBe('etcdserver: not leader');
  expect(lab.ask(first, {kind: 'move-leader', id: id(second)})?.error).toBeUndefined();
  expect(leaderOf(lab)).toBe(second);

  lab.run(6000);
  const ended = lab.clock.now;
  lab.host(second).member?.terminate();
  lab.until(() => lab.host(second).daemon?.exitCode === 0);
  expect(lab.clock.now - ended).toBeLessThan(500);
  expect(lab.messages(second)).toContain('leadership transfer finished');
  expect(lab.leader).toBeDefined();
});

test('five members bear two losses, four bear one', () => {
  const five = Lab.running(5);
  five.kill('cp-5');
  five.kill('cp-4');
  leaderOf(five);
  expect(five.put('cp-1', 'a', 1)?.error).toBeUndefined();
  five.kill('cp-3');
  expect(five.put('cp-1', 'a', 2)?.error).toBeDefined();

  const four = Lab.running(4);
  four.kill('cp-4');
  leaderOf(four);
  expect(four.put('cp-1', 'a', 1)?.error).toBeUndefined();
  four.kill('cp-3');
  expect(four.put('cp-1', 'a', 2)?.error).toBeDefined();
});

test('watches that want a leader end when there has been none for three seconds', () => {
  const lab = Lab.running(3);
  const wants = lab.watch('cp-1', {key: 'a', requireLeader: true});
  const bears = lab.watch('cp-1', {key: 'a'});
  lab.run(10);
  lab.kill('cp-2');
  lab.kill('cp-3');
  lab.run(8000);
  expect(wants.at(-1)?.error?.message).toBe('etcdserver: no leader');
  expect(bears).toEqual([]);
});
