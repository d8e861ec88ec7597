// One run: members of etcd, clients, watchers and trouble, all from one seed; after every event of the clock the checks. At the end
// everything is mended, and must come to rest: all members there, all with the same history, nothing of what was acknowledged lost.
import type {MembersAnswer} from '../../source/api/wire/etcd.ts';
import {type Host, Lab} from '../../source/cluster/etcd/lab.ts';
import type {Store} from '../../source/cluster/etcd/store.ts';
import {Dice} from '../../source/sim/dice.ts';
import {Clients} from './clients.ts';
import {History, Violation} from './history.ts';
import {Trouble} from './trouble.ts';
import {Watcher} from './watchers.ts';

/** What a run came to. */
export interface Outcome {
  readonly members: number;
  readonly events: number;
  readonly acknowledged: number;
  readonly reads: number;
  readonly terms: number;
  readonly virtualMs: number;
}

const SIZES = [1, 3, 3, 3, 4, 5];
const CLIENTS = 4;
const TROUBLES = 50;
const WAITS = [0.4, 2, 30, 200, 900, 2500, 6000];
/** Small, so that snapshots are taken and sent. */
const SNAPSHOTS = {snapshotCount: 40, snapshotCatchUpEntries: 8};
const REST_MS = 240_000;
const WHOLE_FOR = 5;
/** For leases to run out, watches to catch up. */
const CALM_MS = 30_000;

interface Progress {
  store: Store | undefined;
  revision: number;
  leader: string;
}

/** A run of one seed. */
export class Simulation {
  readonly #lab: Lab;
  readonly #dice: Dice;
  readonly #history = new History();
  readonly #clients: Clients;
  readonly #watchers: readonly Watcher[];
  readonly #trouble: Trouble;
  readonly #progress = new Map<Host, Progress>();
  readonly #say: (text: string) => void;
  #events = 0;

  constructor(seed: number, say: (text: string) => void = () => undefined) {
    this.#dice = new Dice(seed).of('simulation');
    const count = SIZES[this.#dice.below(SIZES.length)] ?? 3;
    this.#lab = new Lab(count, seed);
    this.#say = say;
    const note = (text: string) => this.#say(`${(this.#lab.clock.now / 1000).toFixed(4).padStart(10)} ${text}`);
    for (const {name} of this.#lab.hosts) this.#lab.start(name, SNAPSHOTS);
    const names = () => this.#lab.hosts.map(({name}) => name);
    const lab = this.#lab;
    const history = this.#history;
    this.#clients = new Clients({lab, history, dice: this.#dice.of('clients'), names, note}, CLIENTS);
    this.#watchers = names().map(name => new Watcher(lab, history, name));
    this.#trouble = new Trouble({lab, dice: this.#dice.of('trouble'), note, flags: SNAPSHOTS});
  }

  /** Plays it to its end; throws a Violation. */
  run(): Outcome {
    this.#advance(3000);
    for (let i = 0; i < TROUBLES; i++) {
      this.#trouble.next();
      this.#advance(WAITS[this.#dice.below(WAITS.length)] ?? 30);
    }
    this.#mend();
    this.#clients.stop();
    this.#advance(CALM_MS);
    this.#final();
    const {clock, hosts} = this.#lab;
    return {
      members: hosts.length,
      events: this.#events,
      acknowledged: this.#clients.acknowledged.length,
      reads: this.#clients.reads,
      terms: this.#history.terms,
      virtualMs: clock.now,
    };
  }

  #advance(ms: number): void {
    const {clock} = this.#lab;
    const end = clock.now + ms;
    while (clock.next <= end) {
      clock.step();
      this.#events++;
      for (const host of this.#lab.hosts) this.#check(host);
    }
    clock.settle(end);
  }

  /** What a member did in the last event: what it has applied is what all others have at that place, and a term has one leader. */
  #check(host: Host): void {
    const {daemon, member, disk} = host;
    if (!daemon || daemon.exitCode !== undefined || !member) return;
    const store = disk.backend?.store;
    let progress = this.#progress.get(host);
    if (!progress) this.#progress.set(host, (progress = {store: undefined, revision: 1, leader: ''}));
    if (store && (progress.store !== store || progress.revision !== store.revision)) this.#applied(host.name, store, progress);
    const {leader} = member;
    if (leader === progress.leader) return;
    progress.leader = leader;
    if (leader !== '' && leader === member.id) this.#history.leads(leader, member.status?.header.term ?? 0);
  }

  #applied(name: string, store: Store, progress: Progress): void {
    // A member that begins anew may be behind what it was; whatever it has must be what all have.
    const from = progress.store === store ? progress.revision + 1 : Math.max(store.compacted, 1) + 1;
    const events = store.eventsSince(from, '\0', '\0');
    for (let i = 0; i < events.length;) {
      const revision = events[i]?.current.modRevision ?? 0;
      let end = i;
      while (events[end]?.current.modRevision === revision) end++;
      this.#history.see(name, revision, events.slice(i, end));
      i = end;
    }
    if (store.revision > this.#history.last)
      throw new Violation(`${name} is at revision ${store.revision}, and nobody saw more than ${this.#history.last}`);
    progress.store = store;
    progress.revision = store.revision;
  }

  /** All machines and links are well again, and every member that the cluster has runs. */
  #mend(): void {
    const {network, hosts, clock} = this.#lab;
    this.#say('mend');
    network.heal();
    for (const host of hosts) {
      host.disk.fsyncMs = 0.5;
      for (const other of hosts) if (other !== host) network.delay(host.name, other.name, 0.1);
      host.daemon?.scope.resume();
      this.#trouble.start(host);
    }
    const end = clock.now + REST_MS;
    let whole = 0;
    while (clock.now < end) {
      this.#advance(2000);
      // A member that was told to end may still do so.
      whole = this.#isWhole() ? whole + 1 : 0;
      if (whole === WHOLE_FOR) return;
      if (whole === 0) this.#settle();
    }
    const states = hosts.map(({name, daemon, member}) =>
      daemon?.exitCode === undefined
        ? `${name} follows ${member?.leader || 'nobody'}`
        : `${name} has ended: ${daemon.log.at(-1)}`,
    );
    throw new Violation(`the members did not come to rest: ${states.join('; ')}`);
  }

  #isWhole(): boolean {
    const {leader, hosts} = this.#lab;
    if (!leader?.member?.ready) return false;
    const voters = leader.disk.backend?.membership.voters ?? [];
    if (voters.length !== hosts.length) return false;
    return hosts.every(host => this.#trouble.isUp(host) && host.member?.ready && host.member.leader === leader.member?.id);
  }

  /** Brings back who was removed, added and never started, or left as a learner. */
  #settle(): void {
    const {leader, hosts} = this.#lab;
    const found: Pick<MembersAnswer, 'members'> = {members: this.#members()};
    if (found.members.length === 0) return;
    const strangers = hosts.filter(host => !this.#infoOf(host, found));
    for (const host of hosts) {
      const info = this.#infoOf(host, found);
      if (!info || (host.disk.identity !== undefined && host.disk.identity.memberId !== info.id)) {
        this.#lab.kill(host.name);
        this.#trouble.wipe(host);
      }
      if (info && !this.#trouble.isUp(host)) {
        if (host.disk.isEmpty) this.#trouble.join(host, found as MembersAnswer);
        else this.#trouble.start(host);
      }
      if (info?.learner && leader) this.#trouble.ask(leader, {kind: 'member-promote', id: info.id});
    }
    const [stranger] = strangers;
    // One at a time, and only once all others serve.
    const busy = hosts.some(host => !strangers.includes(host) && !host.member?.ready);
    if (stranger && leader && !busy)
      this.#trouble.ask(leader, {kind: 'member-add', peerUrls: [this.#lab.peerUrl(stranger.name)]});
  }

  #infoOf({name}: Host, {members}: Pick<MembersAnswer, 'members'>): MembersAnswer['members'][number] | undefined {
    const url = this.#lab.peerUrl(name);
    return members.find(({peerUrls}) => peerUrls.includes(url));
  }

  /** Who the cluster's members are, by whoever has applied the most. */
  #members(): MembersAnswer['members'] {
    const backends = this.#lab.hosts.flatMap(({disk}) => disk.backend ?? []);
    const newest = backends.sort((a, b) => b.appliedIndex - a.appliedIndex)[0];
    return newest?.membership.all ?? [];
  }

  #final(): void {
    const {hosts} = this.#lab;
    const {last} = this.#history;
    for (const {name, disk} of hosts) {
      const store = disk.backend?.store;
      if (store?.revision !== last) throw new Violation(`${name} is at revision ${store?.revision} in the end, not at ${last}`);
      for (const {revision, key, value} of this.#clients.acknowledged) {
        if (revision <= store.compacted) continue;
        const kept = store.at(key, revision)?.value;
        if (kept !== value)
          throw new Violation(`${name} lost ${key}=${String(value)} of revision ${revision}: it has ${String(kept)}`);
      }
      for (const key of this.#clients.leased.keys())
        if (store.at(key)) throw new Violation(`${name} still has ${key}, whose lease is over`);
    }
    for (const {name, seen} of this.#watchers)
      if (seen !== last) throw new Violation(`the watch at ${name} has seen ${seen} in the end, not ${last}`);
    const hashes = new Set(hosts.map(({name}) => this.#lab.ask(name, {kind: 'hash'})?.['hash']));
    if (hashes.size !== 1) throw new Violation(`the members' hashes differ: ${[...hashes].join(', ')}`);
  }
}
