// A data directory: the write-ahead log and the state that it has made. It outlives the process. What was written becomes
// durable with the next fsync; a process that dies loses nothing of what it wrote (the kernel has it), a power cut loses what
// came after the last fsync. A wiped directory is a fresh Disk.
import type {Entry, HardState} from '../raft/entry.ts';
import {Backend, type BackendImage} from './backend.ts';

/** How long an fsync takes on a good disk. */
export const FSYNC_MS = 0.5;

/** Who this directory belongs to: written once, at the beginning of the log. */
export interface Identity {
  readonly memberId: string;
  readonly clusterId: string;
}

/** One record of the log. */
export interface WalRecord {
  readonly entries: readonly Entry[];
  readonly hardState: HardState | undefined;
  /** The log begins anew after a snapshot. */
  readonly start: {readonly index: number; readonly term: number} | undefined;
  /** A snapshot that came over the network replaces the state. */
  readonly backend: Backend | undefined;
}

/** What a log is read back as. */
export interface Replay {
  readonly hardState: HardState | undefined;
  readonly start: {readonly index: number; readonly term: number};
  readonly entries: readonly Entry[];
}

/** The data directory of one member. */
export class Disk {
  /** A slow disk has more. */
  fsyncMs = FSYNC_MS;
  identity: Identity | undefined;
  /** Somebody wrote over the database file: no process can open it again. */
  databaseDamaged = false;
  /** What is wrong with the log: it cannot be read at all, or it ended in the middle of a record and was repaired. */
  walDamage: 'unreadable' | 'repaired' | undefined;
  /** A database whose log is gone: what it holds is kept, and no entry counts up to where it was. */
  leftover: BackendImage | undefined;
  /** The state as of the last applied entry; undefined in an empty directory. */
  backend: Backend | undefined;
  #records: WalRecord[] = [];
  #durable = 0;
  #base: Backend | undefined;

  get isEmpty(): boolean {
    return this.identity === undefined;
  }

  /** Founds the directory. */
  found(identity: Identity, backend: Backend): void {
    const {leftover} = this;
    const {clusterId, all: members} = backend.membership;
    const made = leftover ? Backend.from({...leftover, clusterId, members, appliedIndex: 0, appliedTerm: 0}) : backend;
    if (leftover) made.deafUntil = leftover.appliedIndex;
    this.identity = identity;
    this.backend = made;
    this.#base = made;
  }

  /** Writes a record; durable after `synced`. */
  write(record: Partial<WalRecord>): void {
    const {entries = [], hardState, start, backend} = record;
    this.#records.push({entries, hardState, start, backend});
    if (backend) this.backend = backend;
  }

  /** An fsync has ended that began when `mark` records had been written. */
  synced(mark: number): void {
    const until = Math.min(mark, this.#records.length);
    for (let i = this.#durable; i < until; i++) this.#base = this.#records[i]?.backend ?? this.#base;
    this.#durable = Math.max(this.#durable, until);
  }

  /** All records that were written and not released. */
  get records(): readonly WalRecord[] {
    return this.#records;
  }

  /** How many records there are: what an fsync that begins now will make durable. */
  get mark(): number {
    return this.#records.length;
  }

  /** The power went: what was not synced is gone. The process must have ended. */
  powerCut(): void {
    this.#records.length = this.#durable;
    this.backend = this.#base;
  }

  /** The log as it can be read now. */
  replay(): Replay {
    let hardState: HardState | undefined;
    let start = {index: 0, term: 0};
    let entries: Entry[] = [];
    for (const record of this.#records) {
      if (record.start) {
        start = record.start;
        entries = [];
      }
      const [first] = record.entries;
      if (first) entries.length = Math.min(Math.max(first.index - start.index - 1, 0), entries.length);
      for (const entry of record.entries) if (entry.index > start.index) entries.push(entry);
      hardState = record.hardState ?? hardState;
    }
    return {hardState, start, entries};
  }

  /** Cuts the log's beginning off, up to an applied index. */
  release(start: {readonly index: number; readonly term: number}): void {
    let hardState: HardState | undefined;
    let count = 0;
    for (; count < this.#durable; count++) {
      const record = this.#records[count];
      if (!record || (record.entries.at(-1)?.index ?? 0) > start.index) break;
      hardState = record.hardState ?? hardState;
    }
    if (count === 0) return;
    this.#records.splice(0, count, {entries: [], hardState, start, backend: undefined});
    this.#durable -= count - 1;
  }
}
