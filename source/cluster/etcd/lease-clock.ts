// The leader's watch over the leases: when each runs out, unless it is renewed. One timer a lease, and a renewal only moves
// the deadline: the timer finds out when it comes.
import type {Daemon} from '../../sim/daemon.ts';
import type {Leases} from './leases.ts';

/** How often the leader looks for leases that ran out. */
const LOOK_EVERY_MS = 500;

/** Deadlines of all leases, while this member leads. */
export class LeaseClock {
  readonly #daemon: Daemon;
  readonly #expired: (id: number) => void;
  #leases: Leases;
  /** Undefined while another leads. */
  #deadlines: Map<number, number> | undefined;

  constructor(daemon: Daemon, leases: Leases, expired: (id: number) => void) {
    this.#daemon = daemon;
    this.#leases = leases;
    this.#expired = expired;
  }

  /** This member leads now, or no longer. A new leader grants every lease its full time again. */
  lead(leads: boolean): void {
    if (!leads) {
      this.#deadlines = undefined;
      return;
    }
    if (this.#deadlines) return;
    this.#deadlines = new Map();
    for (const {id} of this.#leases.all) this.granted(id);
  }

  /** The state was replaced. */
  restore(leases: Leases): void {
    this.#leases = leases;
    this.#deadlines = undefined;
  }

  granted(id: number): void {
    const deadlines = this.#deadlines;
    const lease = this.#leases.get(id);
    if (!deadlines || !lease) return;
    const fresh = !deadlines.has(id);
    deadlines.set(id, this.#daemon.clock.now + lease.ttlSeconds * 1000);
    if (fresh) this.#arm(id, deadlines);
  }

  revoked(id: number): void {
    this.#deadlines?.delete(id);
  }

  /** Gives a lease its whole time again; how much that is, undefined when there is no such lease. */
  renew(id: number): number | undefined {
    const lease = this.#leases.get(id);
    if (!lease || !this.#deadlines) return undefined;
    this.granted(id);
    return lease.ttlSeconds;
  }

  /** Seconds that are left; undefined when there is no such lease. */
  left(id: number): number | undefined {
    const deadline = this.#deadlines?.get(id);
    return deadline === undefined ? undefined : Math.max(Math.ceil((deadline - this.#daemon.clock.now) / 1000), 0);
  }

  // A lease that was to be revoked and still is there (no majority just then) is tried again.
  #arm(id: number, deadlines: Map<number, number>): void {
    const {clock, scope} = this.#daemon;
    const deadline = deadlines.get(id);
    if (deadline === undefined) return;
    scope.after(Math.max(deadline - clock.now, LOOK_EVERY_MS), () => {
      if (this.#deadlines !== deadlines || !deadlines.has(id)) return;
      if ((deadlines.get(id) ?? 0) <= clock.now) this.#expired(id);
      this.#arm(id, deadlines);
    });
  }
}
