// Events live for an hour. etcd takes them away by leases; one lease serves all events of about a minute, as a lease each would
// cost as much as the events.
import type {LeaseAnswer} from '../../../api/wire/etcd.ts';
import type {Clock} from '../../../sim/clock.ts';
import type {Task} from '../../../sim/task.ts';
import {EtcdFailure, type EtcdConnection} from './connection.ts';

const EVENT_TTL_SECONDS = 3600;
const SHARED_MS = 60_000;

/** Hands out leases for events. */
export class EventLeases {
  readonly #clock: Clock;
  readonly #etcd: EtcdConnection;
  #lease: {readonly id: number; readonly until: number} | undefined;

  constructor(clock: Clock, etcd: EtcdConnection) {
    this.#clock = clock;
    this.#etcd = etcd;
  }

  /** A lease that ends in an hour, or a little later. */
  *current(): Task<number | EtcdFailure> {
    const lease = this.#lease;
    if (lease && this.#clock.now < lease.until) return lease.id;
    const answer = yield* this.#etcd.ask<LeaseAnswer>({kind: 'lease-grant', ttlSeconds: EVENT_TTL_SECONDS + SHARED_MS / 1000});
    if (answer instanceof EtcdFailure) return answer;
    this.#lease = {id: answer.id, until: this.#clock.now + SHARED_MS};
    return answer.id;
  }
}
