// Events live for an hour, or as long as `--event-ttl` says. etcd takes them away by leases; one lease serves all events of about a
// minute, or of a twentieth of their life, as a lease each would cost as much as the events.
import type {LeaseAnswer} from '../../../api/wire/etcd.ts';
import type {Clock} from '../../../sim/clock.ts';
import type {Task} from '../../../sim/task.ts';
import {EtcdFailure, type EtcdConnection} from './connection.ts';

const LONGEST_SHARED_SECONDS = 60;

/** Hands out leases for events. */
export class EventLeases {
  readonly #clock: Clock;
  readonly #etcd: EtcdConnection;
  readonly #ttlSeconds: number;
  #lease: {readonly id: number; readonly until: number} | undefined;

  constructor(clock: Clock, etcd: EtcdConnection, ttlSeconds: number) {
    this.#clock = clock;
    this.#etcd = etcd;
    this.#ttlSeconds = ttlSeconds;
  }

  /** A lease that ends when that is over, or a little later. */
  *current(): Task<number | EtcdFailure> {
    const lease = this.#lease;
    if (lease && this.#clock.now < lease.until) return lease.id;
    const shared = Math.min(LONGEST_SHARED_SECONDS, Math.floor(this.#ttlSeconds / 20));
    const answer = yield* this.#etcd.ask<LeaseAnswer>({kind: 'lease-grant', ttlSeconds: this.#ttlSeconds + shared});
    if (answer instanceof EtcdFailure) return answer;
    this.#lease = {id: answer.id, until: this.#clock.now + shared * 1000};
    return answer.id;
  }
}
