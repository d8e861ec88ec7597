// What the log has made so far: the keys, the leases, the members, the alarms, and up to which entry. It lies on the disk and
// outlives the process, as etcd's database file does. Nothing more need be modelled of that file's own commits: an entry is
// applied only after it is durable in the write-ahead log, so a crash cannot leave a state that the log does not lead to.
import type {Alarm, KeyValue, MemberInfo, WatchedEvent} from '../../api/wire/etcd.ts';
import {NO_AUTH, type AuthState} from './auth.ts';
import {FROM_KEY} from './key-index.ts';
import {Leases} from './leases.ts';
import {Membership} from './membership.ts';
import {Ledger} from './ledger.ts';
import {Store} from './store.ts';

/** A backend as a frozen value: what a snapshot holds. */
export interface BackendImage {
  readonly clusterId: string;
  readonly appliedIndex: number;
  readonly appliedTerm: number;
  readonly revision: number;
  readonly compacted: number;
  /** One row a key, oldest value first. */
  readonly keys: readonly (readonly KeyValue[])[];
  readonly events: readonly WatchedEvent[];
  readonly leases: readonly {readonly id: number; readonly ttlSeconds: number; readonly keys: readonly string[]}[];
  readonly members: readonly MemberInfo[];
  readonly removed: readonly string[];
  readonly alarms: readonly Alarm[];
  readonly auth?: AuthState;
}

/** The state of one member. */
export class Backend {
  readonly store = new Store();
  readonly leases = new Leases();
  readonly ledger = new Ledger(visit =>
    this.store.index.walk('', FROM_KEY, ({older, current}) => [...(older ?? []), current].forEach(visit)),
  );
  membership: Membership;
  alarms: readonly Alarm[] = [];
  auth: AuthState = NO_AUTH;
  appliedIndex = 0;
  appliedTerm = 0;
  /** Entries up to here have been applied in an earlier life, as the database says: they change nothing, and nobody is answered. */
  deafUntil = 0;

  constructor(membership: Membership) {
    this.membership = membership;
    this.store.onKeep = value => this.ledger.add(value);
    this.store.onDrop = value => this.ledger.remove(value);
  }

  /** Is the alarm for lack of space on, at any member? Then nothing may be added. */
  get isFull(): boolean {
    return this.alarms.length > 0 && this.alarms.some(({alarm}) => alarm === 'NOSPACE');
  }

  /** The whole state at this moment. Costs time by its size: for snapshots only. */
  image(): BackendImage {
    const {store, membership} = this;
    const keys: KeyValue[][] = [];
    store.index.walk('', FROM_KEY, ({older, current}) => {
      keys.push(older ? [...older, current] : [current]);
    });
    return Object.freeze({
      clusterId: membership.clusterId,
      appliedIndex: this.appliedIndex,
      appliedTerm: this.appliedTerm,
      revision: store.revision,
      compacted: store.compacted,
      keys,
      events: [...store.events],
      leases: this.leases.all.map(({id, ttlSeconds, keys}) => ({id, ttlSeconds, keys: [...keys]})),
      members: membership.all,
      removed: membership.removed,
      alarms: this.alarms,
      ...(this.auth === NO_AUTH ? {} : {auth: this.auth}),
    });
  }

  /** A state made from an image. */
  static from(image: BackendImage): Backend {
    const backend = new Backend(new Membership(image.clusterId, image.members, image.removed));
    const {store, leases} = backend;
    for (const values of image.keys) {
      const older = [...values];
      const current = older.pop();
      if (!current) continue;
      store.index.add({key: current.key, current, older: older.length > 0 ? older : undefined});
      for (const value of values) backend.ledger.add(value);
    }
    store.revision = image.revision;
    store.compacted = image.compacted;
    store.events = [...image.events];
    for (const lease of image.leases) leases.grant(lease.id, lease.ttlSeconds, lease.keys);
    backend.alarms = image.alarms;
    backend.auth = image.auth ?? NO_AUTH;
    backend.appliedIndex = image.appliedIndex;
    backend.appliedTerm = image.appliedTerm;
    return backend;
  }
}
