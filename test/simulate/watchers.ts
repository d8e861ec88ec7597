// Somebody watches everything at each member, and comes back after a break where it had left off. It must see every revision once,
// whole and in order; only what was compacted while it was away may it miss.
import type {WatchedEvent, WatchFrame} from '../../source/api/wire/etcd.ts';
import type {Lab} from '../../source/cluster/etcd/lab.ts';
import type {Caller} from '../../source/sim/network.ts';
import {type History, Violation} from './history.ts';

const AGAIN_MS = 700;
/** What the network lost is not announced: a watcher that hears nothing for so long opens its watch anew. */
const RENEW_MS = 4000;

/** One watcher of one member. */
export class Watcher {
  readonly name: string;
  /** The newest revision that it has seen. */
  seen = 1;
  readonly #lab: Lab;
  readonly #history: History;
  #caller: Caller | undefined;
  #round = 0;
  #frames = 0;

  constructor(lab: Lab, history: History, name: string) {
    this.#lab = lab;
    this.#history = history;
    this.name = name;
    this.#open();
    this.#renew(0);
  }

  #renew(frames: number): void {
    this.#lab.clock.after(RENEW_MS, () => {
      if (this.#frames === frames) this.#open();
      this.#renew(this.#frames);
    });
  }

  #open(): void {
    const round = ++this.#round;
    this.#caller?.cancel();
    const {address} = this.#lab.host(this.name);
    const request = {kind: 'watch', key: '\0', end: '\0', from: this.seen + 1};
    this.#caller = this.#lab.network.call('10.0.0.99', address, 2379, request, {
      answer: () => undefined,
      frame: frame => {
        if (round === this.#round) this.#take(frame as WatchFrame);
      },
      end: () => this.#lab.clock.after(AGAIN_MS, () => round === this.#round && this.#open()),
    });
  }

  #take({events, compactRevision}: WatchFrame): void {
    this.#frames++;
    if (compactRevision !== undefined) {
      this.seen = Math.max(this.seen, compactRevision - 1);
      return this.#open();
    }
    const who = `the watch at ${this.name}`;
    for (let i = 0; i < events.length;) {
      const revision = events[i]?.current.modRevision ?? 0;
      const whole: WatchedEvent[] = [];
      for (; events[i]?.current.modRevision === revision; i++) whole.push(events[i] as WatchedEvent);
      if (revision !== this.seen + 1) throw new Violation(`${who} saw revision ${revision} after ${this.seen}`);
      this.#history.see(who, revision, whole);
      this.seen = revision;
    }
  }
}
