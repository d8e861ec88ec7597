// Clients that write and read, one thing after the other each, at whatever member they come to. They know what they may expect of
// an answer: it must not be older than anything that was answered to anybody before they asked (that is linearizability, with
// etcd's revisions as the order), and what was acknowledged must be in the history just so.
import type {Header, KeyValue, Request} from '../../source/api/wire/etcd.ts';
import type {Answer, Lab} from '../../source/cluster/etcd/lab.ts';
import type {Dice} from '../../source/sim/dice.ts';
import {type History, Violation} from './history.ts';

const PATIENCE_MS = 9000;
const KEYS = 6;

/** A write that was acknowledged. */
export interface Acknowledged {
  readonly revision: number;
  readonly key: string;
  /** Undefined for a deletion. */
  readonly value: string | undefined;
}

/** What the clients share. */
export interface ClientWorld {
  readonly lab: Lab;
  readonly history: History;
  readonly dice: Dice;
  /** The members that may be asked. */
  readonly names: () => readonly string[];
  readonly note: (text: string) => void;
}

/** All clients together. */
export class Clients {
  readonly acknowledged: Acknowledged[] = [];
  reads = 0;
  refused = 0;
  /** Keys that must go once their lease is over. */
  readonly leased = new Map<string, number>();
  readonly #world: ClientWorld;
  /** The newest revision in any answer so far. */
  #answered = 1;
  #writes = 0;
  #stopped = false;

  constructor(world: ClientWorld, count: number) {
    this.#world = world;
    for (let i = 0; i < count; i++) this.#think();
  }

  /** They ask nothing more. */
  stop(): void {
    this.#stopped = true;
  }

  #think(): void {
    const {lab, dice} = this.#world;
    lab.clock.after([1, 20, 120, 600][dice.below(4)] ?? 20, () => {
      if (!this.#stopped) this.#act();
    });
  }

  #act(): void {
    const {dice, names} = this.#world;
    const all = names();
    const member = all[dice.below(all.length)] ?? '';
    const key = `k${dice.below(KEYS)}`;
    const what = dice.below(20);
    if (what < 8) this.#put(member, key);
    else if (what < 11) this.#swap(member, key);
    else if (what < 12) this.#delete(member, key);
    else if (what < 16) this.#read(member, {key});
    else if (what < 17) this.#read(member, {key, serializable: true});
    else if (what < 18) this.#readOld(member, key);
    else if (what < 19) this.#lease(member);
    else this.#compact(member);
  }

  /** Asks; exactly one answer comes, or none in time. */
  #ask(member: string, request: Request, heard: (answer: Answer) => void): void {
    const {lab, note} = this.#world;
    let over = false;
    const finish = (answer: Answer | undefined) => {
      if (over) return;
      over = true;
      if (answer?.error) {
        this.refused++;
        note(`${member} refuses ${request.kind}: ${answer.error.message}`);
      } else if (answer) heard(answer);
      this.#think();
    };
    lab.send(member, request, finish);
    lab.clock.after(PATIENCE_MS, () => finish(undefined));
  }

  #put(member: string, key: string): void {
    const value = `v${++this.#writes}`;
    const before = this.#answered;
    this.#ask(member, {kind: 'put', key, value}, ({header}) => this.#written(member, header, {key, value, before}));
  }

  #written(
    member: string,
    header: Header | undefined,
    {key, value, before}: {key: string; value: string | undefined; before: number},
  ): void {
    const revision = header?.revision ?? 0;
    if (revision <= before)
      throw new Violation(`${member} put ${key} at revision ${revision}, after somebody had read revision ${before}`);
    this.#world.history.read(member, {key, revision, value});
    this.acknowledged.push({revision, key, value});
    this.#seen(revision);
  }

  #seen(revision: number): void {
    this.#answered = Math.max(this.#answered, revision);
  }

  /** Reads, and writes if nobody else has written since. */
  #swap(member: string, key: string): void {
    const {history, lab} = this.#world;
    lab.send(member, {kind: 'range', key, serializable: true}, () => undefined);
    const expected = history.valueAt(key, history.last)?.modRevision ?? 0;
    const value = `v${++this.#writes}`;
    const before = this.#answered;
    const request: Request = {
      kind: 'txn',
      compare: [{key, target: 'mod', is: '=', value: expected}],
      success: [{kind: 'put', key, value}],
      failure: [{kind: 'range', key}],
    };
    this.#ask(member, request, answer => {
      if (answer['succeeded'] !== true) return this.#answer(member, {key, answer, before});
      this.#written(member, answer.header, {key, value, before});
      const now = answer.header?.revision ?? 0;
      const previous = history.valueAt(key, now - 1)?.modRevision ?? 0;
      if (previous !== expected)
        throw new Violation(`${member} let a comparison with ${expected} pass where ${key} was written at ${previous}`);
    });
  }

  #answer(member: string, {key, answer, before}: {key: string; answer: Answer; before: number}): void {
    const [inner] = (answer['answers'] as readonly Answer[] | undefined) ?? [answer];
    this.#found(member, {key, kvs: inner?.kvs ?? [], revision: answer.header?.revision ?? 0, before});
  }

  #found(
    member: string,
    {key, kvs, revision, before}: {key: string; kvs: readonly KeyValue[]; revision: number; before: number},
  ): void {
    this.reads++;
    if (revision < before) throw new Violation(`${member} read revision ${revision}, after somebody had seen ${before}`);
    this.#world.history.read(member, {key, revision, value: kvs[0]?.value});
    this.#seen(revision);
  }

  #delete(member: string, key: string): void {
    const before = this.#answered;
    this.#ask(member, {kind: 'delete', key}, ({header, deleted}) => {
      if (deleted === 1) this.#written(member, header, {key, value: undefined, before});
      else this.#found(member, {key, kvs: [], revision: header?.revision ?? 0, before});
    });
  }

  #read(member: string, {key, serializable = false}: {key: string; serializable?: boolean}): void {
    // What a member has without asking the others may be old, but it must have been true once.
    const before = serializable ? 0 : this.#answered;
    this.#ask(member, {kind: 'range', key, serializable}, ({header, kvs = []}) => {
      if (!serializable) return this.#found(member, {key, kvs, revision: header?.revision ?? 0, before});
      this.reads++;
      this.#world.history.read(member, {key, revision: header?.revision ?? 0, value: kvs[0]?.value});
    });
  }

  #readOld(member: string, key: string): void {
    const {dice, history} = this.#world;
    const revision = Math.max(1, history.last - dice.below(10));
    this.#ask(member, {kind: 'range', key, revision}, ({kvs = []}) => {
      this.reads++;
      history.read(member, {key, revision, value: kvs[0]?.value});
    });
  }

  #lease(member: string): void {
    const ttlSeconds = 1 + this.#world.dice.below(4);
    const key = `leased-${++this.#writes}`;
    this.#ask(member, {kind: 'lease-grant', ttlSeconds}, ({id}) => {
      const before = this.#answered;
      const value = 'for a while';
      this.leased.set(key, ttlSeconds);
      this.#world.lab.send(member, {kind: 'put', key, value, lease: Number(id)}, answer => {
        if (answer?.header) this.#written(member, answer.header, {key, value, before});
      });
    });
  }

  #compact(member: string): void {
    const revision = this.#world.history.last - 15;
    if (revision > 1) this.#ask(member, {kind: 'compact', revision}, () => undefined);
    else this.#think();
  }
}
