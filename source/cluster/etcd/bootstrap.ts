// How a member begins: from its data directory if there is one, else as a founder of a new cluster, or as one that joins.
// A joiner asks the others who they are, and refuses to start unless its own list of members is the same as theirs.
import type {MemberInfo} from '../../api/wire/etcd.ts';
import {isTlsFailure} from '../../api/wire/tls.ts';
import type {Change, Configuration, Entry, HardState, Id} from '../raft/entry.ts';
import {NOBODY} from '../raft/entry.ts';
import {Backend} from './backend.ts';
import type {Disk} from './disk.ts';
import {clusterId, DEFAULT_TOKEN, hostAndPort, memberId, parseInitialCluster, type Seed} from './identity.ts';
import {log} from './log-line.ts';
import {type ChangeContext, Membership} from './membership.ts';
import {greeted, type EtcdOptions} from './options.ts';
import type {PeerMembers, PeerRequest} from './peers.ts';
import {refuseSeeds} from './seeds.ts';

/** What raft is started with. */
export interface Boot {
  readonly id: Id;
  readonly configuration: Configuration;
  readonly hardState: HardState | undefined;
  readonly start: {readonly index: number; readonly term: number};
  readonly entries: readonly Entry[];
  /** Members that are to be reached before the log has told of them. */
  readonly remotes: readonly MemberInfo[];
}

const FETCH_TIMEOUT_MS = 1000;
const NOBODY_YET: Configuration = {voters: [], learners: []};

/** Finds out how to begin; exactly one of the two is called, at once or later. */
export function bootstrap(options: EtcdOptions, done: (boot: Boot) => void, fail: (error: string) => void): void {
  const {disk} = options;
  if (!disk.isEmpty) return done(options.forceNewCluster ? forceNewCluster(options) : restart(options));
  const seeds = parseInitialCluster(options.initialCluster);
  const problem = refuseSeeds(options, seeds);
  if (problem) return fail(problem);
  if (options.initialClusterState === 'existing') join(options, seeds, {done, fail});
  else found(options, seeds, {done, fail});
}

interface Ends {
  readonly done: (boot: Boot) => void;
  readonly fail: (error: string) => void;
}

function found(options: EtcdOptions, seeds: readonly Seed[], {done, fail}: Ends): void {
  const {disk} = options;
  const {members, cluster} = foundersOf(seeds, options.initialClusterToken);
  const own = members.find(member => member.name === options.name);
  if (!own) return fail(`couldn't find local name "${options.name}" in the initial cluster configuration`);
  const others = members.filter(member => member !== own);
  fetchMembers(options, others, known => {
    const twin = known?.members.find(member => member.id === own.id);
    if (twin && twin.clientUrls.length > 0) return fail(`member ${own.id} has already been bootstrapped`);
    done(foundDisk(disk, own.id, {members, cluster}));
  });
}

/** The members that an initial cluster names, and the cluster they found. */
export function foundersOf(seeds: readonly Seed[], token = DEFAULT_TOKEN): {members: readonly MemberInfo[]; cluster: string} {
  const members = seeds.map(({name, peerUrls}): MemberInfo =>
    Object.freeze({id: memberId(peerUrls, token), name, peerUrls, clientUrls: [], learner: false}),
  );
  members.sort((a, b) => (a.id.padStart(16, '0') < b.id.padStart(16, '0') ? -1 : 1));
  return {members, cluster: clusterId(members.map(({id}) => id))};
}

// The founders' log begins with the same entries at all of them: each adds one of them.
function foundDisk(disk: Disk, id: Id, {members, cluster}: {members: readonly MemberInfo[]; cluster: string}): Boot {
  const entries = members.map((member, i): Entry => {
    const context: ChangeContext = {member};
    const change: Change = {type: 'add-voter', id: member.id, context};
    return {index: i + 1, term: 1, kind: 'change', data: change};
  });
  const hardState: HardState = {term: 1, vote: NOBODY, commit: entries.length};
  disk.found({memberId: id, clusterId: cluster}, new Backend(new Membership(cluster, [])));
  disk.write({entries, hardState});
  disk.synced(disk.mark);
  const configuration = new Membership(cluster, members).configuration;
  return {id, configuration, hardState, start: {index: 0, term: 0}, entries, remotes: members};
}

function join(options: EtcdOptions, seeds: readonly Seed[], {done, fail}: Ends): void {
  const {disk, name} = options;
  const others = seeds.filter(seed => seed.name !== name).map(({name, peerUrls}) => ({id: name, peerUrls}));
  fetchMembers(options, others, known => {
    if (!known)
      return fail('cannot fetch cluster info from peer urls: could not retrieve cluster information from the given URLs');
    const problem = refuseMembers(known, seeds);
    if (problem) return fail(`error validating peerURLs ${clusterText(known)}: ${problem}`);
    const own = seeds.find(seed => seed.name === name);
    const self = known.members.find(member => sameUrls(member.peerUrls, own?.peerUrls ?? []));
    if (!self) return fail(`couldn't find local name "${name}" in the initial cluster configuration`);
    disk.found({memberId: self.id, clusterId: known.clusterId}, new Backend(new Membership(known.clusterId, [])));
    const start = {index: 0, term: 0};
    done({id: self.id, configuration: NOBODY_YET, hardState: undefined, start, entries: [], remotes: known.members});
  });
}

function refuseMembers(known: PeerMembers, seeds: readonly Seed[]): string | undefined {
  if (known.members.length !== seeds.length) return 'member count is unequal';
  for (const {id, peerUrls} of known.members) {
    if (seeds.some(seed => sameUrls(seed.peerUrls, peerUrls))) continue;
    const other = [...seeds].map(seed => seed.peerUrls[0] ?? '').sort()[0] ?? '';
    const resolved = `(resolved urls: "${peerUrls[0] ?? ''}" != "${other}")`;
    return `PeerURLs: no match found for existing member (${id}, [${peerUrls.join(' ')}]), last resolver error ${resolved}`;
  }
  return undefined;
}

function sameUrls(a: readonly string[], b: readonly string[]): boolean {
  return [...a].sort().join() === [...b].sort().join();
}

// As Go prints the structure: etcd's log shows it so.
function clusterText({clusterId, members, removed}: PeerMembers): string {
  const texts = members.map(
    ({id, name, peerUrls, clientUrls, learner}) =>
      `&{ID:${id} RaftAttributes:{PeerURLs:[${peerUrls.join(' ')}] IsLearner:${learner}} ` +
      `Attributes:{Name:${name} ClientURLs:[${clientUrls.join(' ')}]}}`,
  );
  return `{ClusterID:${clusterId} Members:[${texts.join(' ')}] RemovedMemberIDs:[${removed.join(' ')}]}`;
}

// Asks the others who they are, one after the other; the first answer counts.
function fetchMembers(
  {daemon, tls}: Pick<EtcdOptions, 'daemon' | 'tls'>,
  others: readonly {readonly id: string; readonly peerUrls: readonly string[]}[],
  done: (known: PeerMembers | undefined) => void,
): void {
  const [first, ...rest] = others;
  if (!first) return done(undefined);
  const at = hostAndPort(first.peerUrls[0] ?? '');
  if (!at) return fetchMembers({daemon, tls}, rest, done);
  let over = false;
  const finish = (known: PeerMembers | undefined) => {
    if (over) return;
    over = true;
    daemon.clock.cancel(timer);
    if (known) done(known);
    else fetchMembers({daemon, tls}, rest, done);
  };
  const request: PeerRequest = {kind: 'members'};
  const call = daemon.dial(at.host, at.port, greeted(tls, at.host, request), {
    answer: answer => finish(isTlsFailure(answer) ? undefined : (answer as PeerMembers)),
    end: () => finish(undefined),
  });
  const timer = daemon.scope.after(FETCH_TIMEOUT_MS, () => {
    call.cancel();
    finish(undefined);
  });
}

function restart({disk, daemon, dataDir = '/var/lib/etcd'}: EtcdOptions): Boot {
  const {identity, backend} = disk;
  const {hardState, start, entries} = disk.replay();
  const id = identity?.memberId ?? '';
  const found = {'data-dir': dataDir, 'dir-type': 'member'};
  log(daemon, {level: 'info', caller: 'etcdmain/etcd.go:107', msg: 'server has already been initialized', facts: found});
  const facts = {'cluster-id': identity?.clusterId ?? '', 'local-member-id': id, 'commit-index': hardState?.commit ?? 0};
  log(daemon, {level: 'info', caller: 'etcdserver/bootstrap.go:599', msg: 'restarting local member', facts});
  const membership = backend?.membership;
  const founded = start.index === 0 && backend?.appliedIndex === 0 ? foundingConfiguration(entries) : undefined;
  const configuration = founded ?? membership?.configuration ?? NOBODY_YET;
  return {id, configuration, hardState, start, entries, remotes: []};
}

// A founder that ended before it applied anything: its first entries say who the founders are.
function foundingConfiguration(entries: readonly Entry[]): Configuration | undefined {
  const voters = entries.filter(entry => entry.term === 1 && entry.kind === 'change').map(entry => (entry.data as Change).id);
  return voters.length > 0 ? {voters: voters.sort(), learners: []} : undefined;
}

// All that is not committed is dropped, and entries are added, and taken for committed, that remove everybody else.
function forceNewCluster(options: EtcdOptions): Boot {
  const {disk, daemon} = options;
  const {identity, backend} = disk;
  const {hardState, start, entries} = disk.replay();
  const id = identity?.memberId ?? '';
  const commit = Math.max(hardState?.commit ?? 0, backend?.appliedIndex ?? 0);
  const term = Math.max(hardState?.term ?? 0, 1);
  const kept = entries.filter(entry => entry.index <= commit);
  const all = new Set([...(backend?.membership.all ?? []).map(member => member.id), ...addedBy(kept)]);
  const added: Entry[] = [];
  for (const other of all) {
    const change: Change = {type: 'remove', id: other};
    if (other !== id) added.push({index: commit + added.length + 1, term, kind: 'change', data: change});
  }
  const forced: HardState = {term, vote: NOBODY, commit: commit + added.length};
  const facts = {
    'cluster-id': identity?.clusterId ?? '',
    'local-member-id': id,
    'wal-commit-index': hardState?.commit ?? 0,
    'commit-index': forced.commit,
  };
  log(daemon, {level: 'info', caller: 'etcdserver/bootstrap.go:591', msg: 'forcing restart member', facts});
  disk.write({entries: added, hardState: forced});
  disk.synced(disk.mark);
  const configuration = backend?.membership.configuration ?? NOBODY_YET;
  return {id, configuration, hardState: forced, start, entries: [...kept, ...added], remotes: []};
}

function addedBy(entries: readonly Entry[]): Id[] {
  return entries.filter(entry => entry.kind === 'change').map(entry => (entry.data as Change).id);
}
