// Where the tests let members meet: any number of them with disks that lose what was not synced, and a network that delays,
// drops, repeats and reorders as it is told. After everything that happens the arena checks what raft promises.
import {assert} from '../../sim/assert.ts';
import {Dice} from '../../sim/dice.ts';
import type {Change, Configuration, Entry, HardState, Id, Snapshot} from './entry.ts';
import type {Message} from './message.ts';
import {Raft, type Ready} from './raft.ts';

interface Disk {
  hardState: HardState | undefined;
  start: {index: number; term: number};
  entries: Entry[];
}

/** The state machine: what was applied, in order; it outlives a crash, as it never runs ahead of the disk. */
interface Machine {
  index: number;
  term: number;
  values: unknown[];
  configuration: Configuration;
}

/** One member of the arena. */
export class Fighter {
  readonly id: Id;
  raft: Raft | undefined;
  disk: Disk = {hardState: undefined, start: {index: 0, term: 0}, entries: []};
  machine: Machine;
  /** What is being synced. */
  ready: Ready | undefined;
  /** Reads that were served, and how far the arena was when they were asked for. */
  readonly reads: {asked: number; served: number}[] = [];

  constructor(id: Id, configuration: Configuration) {
    this.id = id;
    this.machine = {index: 0, term: 0, values: [], configuration};
  }
}

const snapshotOf = (machine: Machine): Snapshot => ({
  index: machine.index,
  term: machine.term,
  configuration: machine.configuration,
  state: [...machine.values],
});

/** All members, the messages between them, and the checks. */
export class Arena {
  now = 0;
  readonly fighters = new Map<Id, Fighter>();
  messages: Message[] = [];
  /** Pairs that no message passes between. */
  readonly cuts = new Set<string>();
  /** What any member has applied, by index. */
  readonly applied = new Map<number, Entry>();
  readonly #dice: Dice;
  readonly #leaders = new Map<number, Id>();
  readonly #places = new Map<string, {data: unknown; previousTerm: number}>();
  readonly #written = new Map<string, number>();
  #restarts = 0;
  #proposed = 0;

  constructor(ids: readonly Id[], voters: readonly Id[], seed = 1) {
    this.#dice = new Dice(seed);
    const configuration = {voters: [...voters].sort(), learners: []};
    for (const id of ids)
      this.fighters.set(id, new Fighter(id, voters.includes(id) ? configuration : {voters: [], learners: []}));
    // The founders' logs begin with who they are, so that one who joins later and reads from the start learns it too.
    const entries = voters.map((id, i): Entry => ({index: i + 1, term: 1, kind: 'change', data: {type: 'add-voter', id}}));
    const hardState = {term: 1, vote: '', commit: entries.length};
    for (const id of voters) {
      this.fighter(id).disk = {hardState, start: {index: 0, term: 0}, entries: [...entries]};
      this.start(id);
    }
  }

  fighter(id: Id): Fighter {
    const fighter = this.fighters.get(id);
    assert(fighter, `no member ${id}`);
    return fighter;
  }

  get alive(): Fighter[] {
    return [...this.fighters.values()].filter(fighter => fighter.raft);
  }

  /** The leader of the highest term. */
  get leader(): Fighter | undefined {
    return this.alive.filter(({raft}) => raft?.role === 'leader').sort((a, b) => (b.raft?.term ?? 0) - (a.raft?.term ?? 0))[0];
  }

  start(id: Id): void {
    const fighter = this.fighter(id);
    if (fighter.raft) return;
    const {disk, machine} = fighter;
    fighter.ready = undefined;
    fighter.raft = new Raft({
      id,
      dice: this.#dice.of(`${id}/${++this.#restarts}`),
      now: this.now,
      configuration: machine.configuration,
      start: disk.start,
      entries: disk.entries,
      applied: machine.index,
      ...(disk.hardState ? {hardState: disk.hardState} : {}),
      snapshot: () => snapshotOf(fighter.machine),
    });
  }

  /** The member dies; what was not synced is lost. */
  crash(id: Id): void {
    const fighter = this.fighter(id);
    fighter.raft = undefined;
    fighter.ready = undefined;
  }

  /** Its disk is empty from now on. */
  wipe(id: Id): void {
    const fighter = this.fighter(id);
    fighter.disk = {hardState: undefined, start: {index: 0, term: 0}, entries: []};
    fighter.machine = {index: 0, term: 0, values: [], configuration: fighter.machine.configuration};
  }

  /** Time passes for one member. */
  elapse(id: Id): void {
    const {raft} = this.fighter(id);
    if (!raft) return;
    if (this.now >= raft.deadline) raft.elapse(this.now);
    this.take(id);
  }

  propose(id: Id): void {
    this.fighter(id).raft?.propose('data', [++this.#proposed], this.now);
    this.take(id);
  }

  change(id: Id, change: Change): void {
    this.fighter(id).raft?.propose('change', [change], this.now);
    this.take(id);
  }

  read(id: Id): void {
    this.fighter(id).raft?.readIndex({asked: Math.max(0, ...this.applied.keys())}, this.now);
    this.take(id);
  }

  transfer(id: Id, target: Id): void {
    this.fighter(id).raft?.transfer(target, this.now);
    this.take(id);
  }

  compact(id: Id): void {
    const {raft, disk, machine, ready} = this.fighter(id);
    if (ready) return;
    const start = raft?.compact(machine.index - 2);
    if (!start) return;
    disk.start = start;
    disk.entries = disk.entries.filter(entry => entry.index > start.index);
  }

  /** One message arrives, if no cut is in its way and its receiver lives. */
  deliver(at: number, keep = false): void {
    const message = this.messages[at];
    if (!message) return;
    if (!keep) this.messages.splice(at, 1);
    const {from, to} = message;
    const {raft} = this.fighter(to);
    if (!raft || this.cuts.has(pair(from, to))) {
      this.#report(message, false);
      return;
    }
    raft.step(message, this.now);
    this.#report(message, true);
    this.take(to);
  }

  /** One message is lost. */
  drop(at: number): void {
    const [message] = this.messages.splice(at, 1);
    if (message) this.#report(message, false);
  }

  // Who sends a snapshot learns whether it arrived, as it has a connection of its own.
  #report({type, from, to}: Message, arrived: boolean): void {
    if (type === 'snapshot') this.fighter(from).raft?.reportSnapshot(to, arrived);
  }

  /** Takes what a member has to do, unless its disk is still busy, and begins to sync. */
  take(id: Id): void {
    const fighter = this.fighter(id);
    const {raft} = fighter;
    this.#check(fighter);
    if (!raft || fighter.ready || !raft.hasReady) return;
    const ready = raft.takeReady();
    for (const message of ready.messages) this.messages.push(message);
    for (const {index, context} of ready.reads) fighter.reads.push({...(context as {asked: number}), served: index});
    for (const entry of ready.committed) this.#apply(fighter, entry);
    fighter.ready = ready;
    if (!ready.sync) this.sync(id);
  }

  /** The disk has done what it was given. */
  sync(id: Id): void {
    const fighter = this.fighter(id);
    const {raft, ready, disk} = fighter;
    if (!raft || !ready) return;
    fighter.ready = undefined;
    if (ready.snapshot) {
      const {index, term, configuration, state} = ready.snapshot;
      disk.start = {index, term};
      disk.entries = [];
      fighter.machine = {index, term, values: [...(state as unknown[])], configuration};
    }
    this.#write(fighter, ready.entries);
    disk.hardState = ready.hardState ?? disk.hardState;
    for (const message of ready.promises) this.messages.push(message);
    raft.advance(ready, this.now);
    this.take(id);
  }

  #write({disk, raft, id}: Fighter, entries: readonly Entry[]): void {
    const [first] = entries;
    if (!first) return;
    const isLeader = raft?.role === 'leader' && first.term === raft.term;
    const key = `${id}@${raft?.term}`;
    if (isLeader) assert(first.index > (this.#written.get(key) ?? 0), `leader ${key} rewrites its log`);
    if (isLeader) this.#written.set(key, entries.at(-1)?.index ?? 0);
    disk.entries.length = first.index - disk.start.index - 1;
    for (const entry of entries) {
      const previousTerm = disk.entries.at(-1)?.term ?? disk.start.term;
      const place = `${entry.index}:${entry.term}`;
      const known = this.#places.get(place) ?? {data: entry.data, previousTerm};
      assert(known.data === entry.data && known.previousTerm === previousTerm, `two logs differ at or before ${place}`);
      this.#places.set(place, known);
      disk.entries.push(entry);
    }
  }

  #apply(fighter: Fighter, entry: Entry): void {
    const {machine, raft} = fighter;
    assert(entry.index === machine.index + 1, `${fighter.id} applies ${entry.index} after ${machine.index}`);
    const known = this.applied.get(entry.index) ?? entry;
    assert(known.term === entry.term && known.data === entry.data, `two members differ in what they apply at ${entry.index}`);
    this.applied.set(entry.index, known);
    machine.index = entry.index;
    machine.term = entry.term;
    machine.values.push(entry.data);
    if (entry.kind === 'change' && raft) machine.configuration = raft.applyChange(entry.data as Change, this.now);
  }

  #check({id, raft}: Fighter): void {
    if (!raft) return;
    assert(raft.fault === undefined, `${id}: ${raft.fault}`);
    if (raft.role !== 'leader') return;
    const known = this.#leaders.get(raft.term) ?? id;
    assert(known === id, `two leaders in term ${raft.term}: ${known} and ${id}`);
    if (this.#leaders.has(raft.term)) return;
    this.#leaders.set(raft.term, id);
    for (const [index, entry] of this.applied) {
      const term = raft.termAt(index);
      const has = term === entry.term || (term === undefined && index <= raft.committed);
      assert(has, `leader ${id} of term ${raft.term} lacks entry ${index} of term ${entry.term}`);
    }
  }

  /** Lets everything happen in order, with all messages arriving, for some time. */
  settle(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      while (this.messages.length > 0 || this.alive.some(({ready}) => ready)) {
        if (this.messages.length > 0) this.deliver(0);
        for (const {id, ready} of this.alive) if (ready) this.sync(id);
      }
      const next = Math.min(...this.alive.map(({raft}) => raft?.deadline ?? Infinity));
      if (next > end) break;
      this.now = Math.max(this.now, next);
      for (const {id} of this.alive) this.elapse(id);
    }
    this.now = end;
  }
}

/** The name of a cut. */
export function pair(a: Id, b: Id): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}
