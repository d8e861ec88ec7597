// Who belongs to the cluster: changes and their checks, learners, joining, and starting with the wrong past. What members
// and logs say is as recorded from a real 3.6 (the folder etcd of the recordings).
import {expect, test} from 'vitest';
import type {MemberInfo} from '../../api/wire/etcd.ts';
import {Lab} from './lab.ts';
import {databaseFile, restoreSnapshot, snapshotStatus} from './restore.ts';
import type {SnapshotFile} from './snapshot.ts';

const url = (lab: Lab, name: string) => [lab.peerUrl(name)];
const idOf = (lab: Lab, name: string) => lab.host(name).member?.id ?? '';
const errorOf = (answer: {error?: {message: string}} | undefined) => answer?.error?.message;
const leaderOf = (lab: Lab): string => {
  lab.until(() => lab.leader !== undefined);
  return lab.leader?.name ?? '';
};
const trio = (): Lab => {
  const lab = new Lab(5);
  for (const name of ['cp-1', 'cp-2', 'cp-3']) lab.start(name, {initialCluster: lab.cluster('cp-1', 'cp-2', 'cp-3')});
  lab.until(() => lab.host('cp-3').member?.ready === true && lab.host('cp-1').member?.ready === true);
  lab.run(6000);
  return lab;
};
const membersOf = (lab: Lab, at: string) => (lab.ask(at, {kind: 'members'})?.['members'] ?? []) as MemberInfo[];
const names = (lab: Lab, at: string) =>
  membersOf(lab, at)
    .map(({name, learner}) => `${name}${learner ? '?' : ''}`)
    .sort();
const join = (lab: Lab, name: string, ...members: string[]) =>
  lab.start(name, {initialClusterState: 'existing', initialCluster: lab.cluster(...members)});

test('a dead member is replaced: the unhealthy cluster refuses to grow, so remove, add, start as existing', () => {
  const lab = trio();
  lab.put('cp-1', 'receipt', 1042);
  lab.kill('cp-2');
  lab.wipe('cp-2');
  const dead = idOf(lab, 'cp-2');
  leaderOf(lab);
  lab.run(6000);
  expect(errorOf(lab.ask('cp-1', {kind: 'member-add', peerUrls: url(lab, 'cp-4')}))).toBe('etcdserver: unhealthy cluster');
  expect(errorOf(lab.ask('cp-1', {kind: 'member-add', peerUrls: url(lab, 'cp-4'), learner: true}))).toBe(
    'etcdserver: unhealthy cluster',
  );
  expect(errorOf(lab.ask('cp-1', {kind: 'member-remove', id: '1234'}))).toBe('etcdserver: member not found');
  expect(errorOf(lab.ask('cp-1', {kind: 'member-remove', id: idOf(lab, 'cp-3')}))).toBe('etcdserver: unhealthy cluster');
  expect(errorOf(lab.ask('cp-1', {kind: 'member-remove', id: dead}))).toBeUndefined();
  expect(lab.put('cp-1', 'receipt', 1043)?.error).toBeUndefined();
  expect(errorOf(lab.ask('cp-1', {kind: 'member-add', peerUrls: url(lab, 'cp-3')}))).toBe('etcdserver: Peer URLs already exists');
  expect(errorOf(lab.ask('cp-1', {kind: 'member-add', peerUrls: url(lab, 'cp-2')}))).toBeUndefined();
  expect(names(lab, 'cp-1')).toEqual(['', 'cp-1', 'cp-3']);
  expect(errorOf(lab.ask('cp-1', {kind: 'member-add', peerUrls: url(lab, 'cp-4')}))).toBe(
    'etcdserver: re-configuration failed due to not enough started members',
  );
  join(lab, 'cp-2', 'cp-1', 'cp-3', 'cp-2');
  lab.until(() => lab.host('cp-2').member?.ready === true);
  expect(idOf(lab, 'cp-2')).not.toBe(dead);
  expect(lab.get('cp-2', 'receipt')).toBe(1043);
  expect(names(lab, 'cp-2')).toEqual(['cp-1', 'cp-2', 'cp-3']);
});

test('a member is not added before all others have been heard for five seconds', () => {
  const lab = new Lab(4);
  for (const name of ['cp-1', 'cp-2', 'cp-3']) lab.start(name, {initialCluster: lab.cluster('cp-1', 'cp-2', 'cp-3')});
  lab.until(() => lab.host('cp-1').member?.ready === true);
  expect(errorOf(lab.ask('cp-1', {kind: 'member-add', peerUrls: url(lab, 'cp-4')}))).toBe('etcdserver: unhealthy cluster');
  lab.run(6000);
  expect(errorOf(lab.ask('cp-1', {kind: 'member-add', peerUrls: url(lab, 'cp-4')}))).toBeUndefined();
});

test('a learner only listens, until it has caught up and is promoted', () => {
  const lab = trio();
  lab.put('cp-1', 'door', 'open');
  expect(errorOf(lab.ask('cp-1', {kind: 'member-add', peerUrls: url(lab, 'cp-4'), learner: true}))).toBeUndefined();
  const id = membersOf(lab, 'cp-1').find(member => member.learner)?.id ?? '';
  expect(errorOf(lab.ask('cp-1', {kind: 'member-add', peerUrls: url(lab, 'cp-5'), learner: true}))).toBe(
    'etcdserver: too many learner members in cluster',
  );
  const promote = (which: string) => errorOf(lab.ask('cp-1', {kind: 'member-promote', id: which}));
  expect(promote(id)).toBe('etcdserver: can only promote a learner member which is in sync with leader');
  expect(promote(idOf(lab, 'cp-3'))).toBe('etcdserver: can only promote a learner member');
  expect(promote('1234')).toBe('etcdserver: member not found');

  join(lab, 'cp-4', 'cp-1', 'cp-2', 'cp-3', 'cp-4');
  lab.until(() => lab.host('cp-4').member?.ready === true);
  expect(names(lab, 'cp-1')).toEqual(['cp-1', 'cp-2', 'cp-3', 'cp-4?']);
  expect(errorOf(lab.ask('cp-4', {kind: 'range', key: 'door'}))).toBe('etcdserver: rpc not supported for learner');
  expect(errorOf(lab.put('cp-4', 'door', 'shut'))).toBe('etcdserver: rpc not supported for learner');
  expect(errorOf(lab.ask('cp-4', {kind: 'members'}))).toBe('etcdserver: rpc not supported for learner');
  expect(lab.get('cp-4', 'door', true)).toBe('open');
  expect(lab.ask('cp-4', {kind: 'status'})).toMatchObject({learner: true, errors: []});
  expect(errorOf(lab.ask(leaderOf(lab), {kind: 'move-leader', id}))).toBe('etcdserver: bad leader transferee');

  expect(promote(id)).toBeUndefined();
  expect(promote(id)).toBe('etcdserver: can only promote a learner member');
  expect(names(lab, 'cp-4')).toEqual(['cp-1', 'cp-2', 'cp-3', 'cp-4']);
  expect(lab.put('cp-4', 'door', 'shut')?.error).toBeUndefined();
});

test('a removed member ends, and is not let in again with its old data', () => {
  const lab = trio();
  const leader = leaderOf(lab);
  const [gone = ''] = ['cp-1', 'cp-2', 'cp-3'].filter(name => name !== leader);
  lab.ask(leader, {kind: 'member-remove', id: idOf(lab, gone)});
  lab.until(() => lab.host(gone).daemon?.exitCode === 0);
  lab.start(gone);
  lab.until(() => lab.host(gone).daemon?.exitCode === 0);
  expect(lab.messages(gone)).toContain('the local etcd member has been permanently removed from the cluster');
});

test('a member that comes with an empty directory and too few names is told so, and ends', () => {
  const lab = trio();
  lab.kill('cp-2');
  lab.wipe('cp-2');
  join(lab, 'cp-2', 'cp-1', 'cp-2');
  lab.until(() => lab.host('cp-2').daemon?.exitCode === 1);
  expect(JSON.parse(lab.host('cp-2').daemon?.log.at(-1) ?? '{}')).toMatchObject({
    level: 'fatal',
    caller: 'etcdmain/etcd.go:183',
    msg: 'discovery failed',
    error:
      'error validating peerURLs {ClusterID:' +
      `${lab.ask('cp-1', {kind: 'status'})?.header?.clusterId} Members:[` +
      '&{ID:55fcbe0adaa45350 RaftAttributes:{PeerURLs:[https://10.0.0.13:2380] IsLearner:false} Attributes:{Name:cp-3 ClientURLs:[https://10.0.0.13:2379]}} ' +
      '&{ID:cebdf10928a06f3c RaftAttributes:{PeerURLs:[https://10.0.0.11:2380] IsLearner:false} Attributes:{Name:cp-1 ClientURLs:[https://10.0.0.11:2379]}} ' +
      '&{ID:f7a9c20602b8532e RaftAttributes:{PeerURLs:[https://10.0.0.12:2380] IsLearner:false} Attributes:{Name:cp-2 ClientURLs:[https://10.0.0.12:2379]}}' +
      '] RemovedMemberIDs:[]}: member count is unequal',
  });
});

test('a member that comes back empty under its old membership panics, while the leader remembers what it had', () => {
  const lab = trio();
  const leader = leaderOf(lab);
  const [blank = ''] = ['cp-1', 'cp-2', 'cp-3'].filter(name => name !== leader);
  lab.put(leader, 'door', 'open');
  lab.kill(blank);
  lab.wipe(blank);
  join(lab, blank, 'cp-1', 'cp-2', 'cp-3');
  lab.until(() => lab.host(blank).daemon?.exitCode === 2);
  expect(lab.host(blank).daemon?.log.at(-1)).toMatch(
    /^panic: tocommit\(\d+\) is out of range \[lastIndex\(0\)\]\. Was the raft log corrupted, truncated, or lost\?$/,
  );
});

test('a blank disk under its old membership votes for anyone: a stale member leads and a committed write is gone', () => {
  const lab = trio();
  lab.put('cp-1', 'receipt', 1041);
  lab.kill('cp-1');
  leaderOf(lab);
  lab.put('cp-3', 'receipt', 1042);
  for (let i = 0; i < 20; i++) lab.put('cp-3', 'noise', i);
  for (const name of ['cp-2', 'cp-3']) lab.kill(name);
  lab.wipe('cp-2');
  lab.start('cp-1');
  lab.run(5000);
  expect(lab.get('cp-1', 'receipt', true)).toBeUndefined();
  join(lab, 'cp-2', 'cp-1', 'cp-2', 'cp-3');
  lab.until(() => lab.host('cp-2').member?.ready === true);
  expect(lab.get('cp-1', 'receipt')).toBe(1041);
  expect(lab.get('cp-2', 'receipt')).toBe(1041);

  // The member with the longer history returns: the leader has nothing to give it.
  lab.start('cp-3');
  lab.run(5000);
  const panics = lab.hosts.flatMap(host => host.daemon?.log.filter(line => line.startsWith('panic: ')) ?? []);
  expect(panics.some(line => /need non-empty snapshot|conflict with committed entry|tocommit/.test(line))).toBe(true);
});

test('a member that founds a cluster of its own is a stranger to the others', () => {
  const lab = trio();
  lab.kill('cp-2');
  lab.wipe('cp-2');
  lab.start('cp-2', {initialCluster: lab.cluster('cp-2')});
  lab.run(6000);
  expect(lab.host('cp-2').member?.status?.header.clusterId).toBe('a9c02731cc501a39');
  expect(lab.messages('cp-2')).toContain('request cluster ID mismatch');
  expect(lab.messages('cp-3')).toContain('request sent was ignored by remote peer due to cluster ID mismatch');
  expect(names(lab, 'cp-2')).toEqual(['cp-2']);
  leaderOf(lab);
  expect(lab.put('cp-1', 'a', 1)?.error).toBeUndefined();
});

test.each([
  [{name: 'cp-9'}, `couldn't find local name "cp-9" in the initial cluster configuration`],
  [
    {initialAdvertisePeerUrls: ['https://10.0.0.22:2380'], initialCluster: 'cp-2=https://10.0.0.12:2380'},
    '--initial-cluster has cp-2=https://10.0.0.12:2380 but missing from --initial-advertise-peer-urls=https://10.0.0.22:2380 ' +
      '(resolved urls: "https://10.0.0.22:2380" != "https://10.0.0.12:2380")',
  ],
])('flags that contradict each other end the member: %o', (flags, error) => {
  const lab = new Lab(3);
  lab.start('cp-2', flags);
  expect(lab.host('cp-2').daemon?.exitCode).toBe(1);
  expect(lab.host('cp-2').daemon?.log.at(-1)).toContain(JSON.stringify(error).slice(1, -1));
});

test('two of three lost for good: --force-new-cluster makes the last one a cluster of one, and new members join it', () => {
  const lab = trio();
  lab.put('cp-1', 'receipt', 1042);
  for (const name of ['cp-2', 'cp-3']) {
    lab.kill(name);
    lab.wipe(name);
  }
  lab.run(3000);
  lab.kill('cp-1');
  lab.start('cp-1', {forceNewCluster: true});
  lab.until(() => lab.host('cp-1').member?.ready === true);
  expect(names(lab, 'cp-1')).toEqual(['cp-1']);
  expect(lab.get('cp-1', 'receipt')).toBe(1042);
  lab.put('cp-1', 'receipt', 1043);
  lab.kill('cp-1');
  lab.start('cp-1');
  lab.until(() => lab.host('cp-1').member?.ready === true);
  expect(lab.get('cp-1', 'receipt')).toBe(1043);

  expect(errorOf(lab.ask('cp-1', {kind: 'member-add', peerUrls: url(lab, 'cp-2')}))).toBeUndefined();
  lab.until(() => lab.host('cp-1').member?.leader === '');
  join(lab, 'cp-2', 'cp-1', 'cp-2');
  lab.until(() => lab.host('cp-2').member?.ready === true);
  lab.run(6000);
  expect(errorOf(lab.ask('cp-1', {kind: 'member-add', peerUrls: url(lab, 'cp-3')}))).toBeUndefined();
  join(lab, 'cp-3', 'cp-1', 'cp-2', 'cp-3');
  lab.until(() => lab.host('cp-3').member?.ready === true);
  expect(lab.get('cp-3', 'receipt')).toBe(1043);
});

test('a whole cluster is put back from one snapshot, and its old members are strangers to it', () => {
  const lab = new Lab(3);
  lab.grow('cp-1', 'cp-2', 'cp-3');
  for (const {name} of lab.hosts) lab.start(name);
  lab.until(() => lab.hosts.every(host => host.member?.ready));
  expect(lab.host('cp-1').member?.status?.header.clusterId).toBe('cb7ad23f783f5d77');
  lab.put('cp-1', 'receipt', 1042);
  const file = lab.ask('cp-1', {kind: 'snapshot'})?.['snapshot'] as SnapshotFile;
  lab.put('cp-1', 'receipt', 9999);
  lab.put('cp-1', 'later', 'yes');
  expect(snapshotStatus(file)).toMatchObject({revision: 2, totalKey: 1, version: '3.6.0'});
  const old = lab.host('cp-3').disk;
  for (const name of ['cp-1', 'cp-2', 'cp-3']) {
    lab.kill(name);
    const flags = {name, initialAdvertisePeerUrls: url(lab, name), initialCluster: lab.cluster('cp-1', 'cp-2', 'cp-3')};
    const restored = restoreSnapshot(file, flags);
    if ('error' in restored) throw new Error(restored.error);
    lab.host(name).disk = restored.disk;
    lab.start(name);
  }
  lab.until(() => ['cp-1', 'cp-2', 'cp-3'].every(name => lab.host(name).member?.ready));
  expect(lab.get('cp-2', 'receipt')).toBe(1042);
  expect(lab.get('cp-2', 'later')).toBeUndefined();
  expect(names(lab, 'cp-1')).toEqual(['cp-1', 'cp-2', 'cp-3']);
  expect(lab.put('cp-3', 'receipt', 1043)?.error).toBeUndefined();

  const fresh = lab.host('cp-3').disk;
  lab.kill('cp-3');
  lab.host('cp-3').disk = old;
  lab.start('cp-3');
  lab.run(3000);
  expect(lab.host('cp-3').member?.ready).toBe(false);
  expect(lab.messages('cp-1')).toContain('request cluster ID mismatch');
  lab.kill('cp-3');
  lab.host('cp-3').disk = fresh;
  lab.start('cp-3');
  lab.until(() => lab.host('cp-3').member?.ready === true);
  expect(lab.get('cp-3', 'receipt')).toBe(1043);
});

test('a snapshot without its hash, or with another content, is not restored unless one insists', () => {
  const lab = Lab.running(1);
  lab.put('cp-1', 'a', 1);
  const flags = {name: 'cp-1', initialAdvertisePeerUrls: url(lab, 'cp-1'), initialCluster: lab.cluster('cp-1')};
  const copied = databaseFile(lab.host('cp-1').disk);
  const saved = lab.ask('cp-1', {kind: 'snapshot'})?.['snapshot'] as SnapshotFile;
  if (!copied) throw new Error('no database');
  expect(restoreSnapshot(copied, flags)).toEqual({error: 'snapshot missing hash but --skip-hash-check=false'});
  expect(restoreSnapshot({...saved, hash: 1}, flags)).toHaveProperty('error');
  expect(restoreSnapshot(copied, {...flags, skipHashCheck: true})).toHaveProperty('disk');
  expect(restoreSnapshot(saved, {...flags, bumpRevision: 10})).toEqual({
    error: '--mark-compacted required if --revision-bump > 0',
  });
  expect(restoreSnapshot(saved, {...flags, bumpRevision: 1000, markCompacted: true})).toMatchObject({revision: 1002});
});

test('a database file that somebody wrote over ends the member at every start', () => {
  const lab = Lab.running(1);
  lab.kill('cp-1');
  lab.host('cp-1').disk.databaseDamaged = true;
  lab.start('cp-1');
  expect(lab.host('cp-1').daemon?.exitCode).toBe(2);
  expect(lab.host('cp-1').daemon?.log.at(-1)).toBe('panic: failed to open database');
});

/** Three members, of which the first missed the last writes: the others are down, one of them with an empty disk. */
function oneOfThree(): Lab {
  const lab = new Lab(3);
  lab.grow('cp-1', 'cp-2', 'cp-3');
  for (const {name} of lab.hosts) lab.start(name);
  lab.until(() => lab.hosts.every(host => host.member?.ready));
  lab.cut('cp-1', 'cp-2', 'cp-3');
  lab.run(4000);
  expect(lab.put('cp-3', 'receipt-1042', '129.90')?.error).toBeUndefined();
  for (let i = 0; i < 30; i++) lab.put('cp-3', 'lease', i);
  lab.kill('cp-3');
  lab.kill('cp-2');
  lab.wipe('cp-2');
  lab.network.heal();
  lab.run(10_000);
  expect(lab.host('cp-1').member?.leader).toBe('');
  return lab;
}

test('one of three: the newest log comes back and leads, the dead member is removed and added anew', () => {
  const lab = oneOfThree();
  const members = lab.ask('cp-1', {kind: 'members', linearizable: false})?.['members'] as MemberInfo[];
  const dead = members.find(member => member.name === 'cp-2')?.id ?? '';
  lab.start('cp-3');
  lab.until(() => lab.leader?.name === 'cp-3');
  lab.until(() => lab.host('cp-3').member?.ready === true);
  expect(errorOf(lab.ask('cp-3', {kind: 'member-add', peerUrls: url(lab, 'cp-2')}))).toBe('etcdserver: unhealthy cluster');
  lab.run(6000);
  expect(errorOf(lab.ask('cp-3', {kind: 'member-remove', id: dead}))).toBeUndefined();
  expect(errorOf(lab.ask('cp-3', {kind: 'member-add', peerUrls: url(lab, 'cp-2')}))).toBeUndefined();
  join(lab, 'cp-2', 'cp-1', 'cp-3', 'cp-2');
  lab.until(() => lab.hosts.every(host => host.member?.ready));
  for (const {name} of lab.hosts) expect(lab.get(name, 'receipt-1042')).toBe('129.90');
});

test('one of three: the one that is up, forced to be a cluster of its own, has lost the receipt', () => {
  const lab = oneOfThree();
  lab.kill('cp-1');
  lab.start('cp-1', {forceNewCluster: true});
  lab.until(() => lab.host('cp-1').member?.ready === true);
  expect(lab.get('cp-1', 'receipt-1042')).toBeUndefined();
});

test('one of three: with a blank voter all is green and the receipt gone, and the newest log comes back to a panic', () => {
  const lab = oneOfThree();
  join(lab, 'cp-2', 'cp-1', 'cp-2', 'cp-3');
  lab.until(() => lab.leader?.name === 'cp-1' && lab.host('cp-2').member?.ready === true);
  expect(lab.get('cp-2', 'receipt-1042')).toBeUndefined();
  lab.start('cp-3');
  lab.run(5000);
  expect(lab.host('cp-1').daemon?.exitCode).toBe(2);
  expect(lab.host('cp-1').daemon?.log.at(-1)).toBe('panic: need non-empty snapshot');
});
