// What a leader knows of one follower's log. Three states:
//
//   probe      where the logs agree is unknown: one append at a time, the next after its answer or after a heartbeat's
//   replicate  it keeps up: appends go out at once, `next` runs ahead of the answers, up to WINDOW messages
//   snapshot   it needs the whole state: nothing goes out until it has it
//
// A refusal or a lost link leads back to probe; an answer in probe, or a snapshot taken, leads to replicate.

/** How many appends may be under way to a follower that keeps up. */
const WINDOW = 512;

/** One follower as its leader sees it. Invariant: match < next. */
export class Progress {
  match = 0;
  next: number;
  state: 'probe' | 'replicate' | 'snapshot' = 'probe';
  /** Heard of since the last check of the quorum. */
  active: boolean;
  /** In probe: an append is under way. */
  asked = false;
  pendingSnapshot = 0;
  /** The last indices of appends under way, oldest first. */
  #flights: number[] = [];

  constructor(next: number, active: boolean) {
    this.next = next;
    this.active = active;
  }

  get paused(): boolean {
    if (this.state === 'snapshot') return true;
    return this.state === 'probe' ? this.asked : this.#flights.length >= WINDOW;
  }

  get inFlight(): number {
    return this.#flights.length;
  }

  /** An append with entries up to `last` went out (none: `last` is before `next`). */
  sent(last: number): void {
    if (this.state === 'probe') {
      this.asked = true;
      return;
    }
    if (last < this.next) return;
    this.next = last + 1;
    this.#flights.push(last);
  }

  /** It has all up to `index`. True when that is news. */
  reached(index: number): boolean {
    this.asked = false;
    while (this.#flights.length > 0 && (this.#flights[0] as number) <= index) this.#flights.shift();
    if (this.next <= index) this.next = index + 1;
    if (index <= this.match) return false;
    this.match = index;
    return true;
  }

  /** It refused an append after `refused`, and its log may agree at `hint`. False when the refusal is an old one. */
  stepBack(refused: number, hint: number): boolean {
    if (this.state === 'replicate') {
      if (refused <= this.match) return false;
      this.next = this.match + 1;
      return true;
    }
    if (this.next - 1 !== refused) return false;
    const next = Math.max(Math.min(refused, hint + 1), this.match + 1);
    // It refuses what it once said it had: asking again at once would go on for ever. The next heartbeat will do.
    if (next === this.next) return false;
    this.next = next;
    this.asked = false;
    return true;
  }

  /** Frees a place, so that a follower whose answers got lost is asked again: a heartbeat came back. */
  nudge(): void {
    this.asked = false;
    if (this.#flights.length >= WINDOW) this.#flights.shift();
  }

  toProbe(): void {
    this.next = this.state === 'snapshot' ? Math.max(this.match, this.pendingSnapshot) + 1 : this.match + 1;
    this.#enter('probe');
  }

  toReplicate(): void {
    this.#enter('replicate');
    this.next = this.match + 1;
  }

  toSnapshot(index: number): void {
    this.#enter('snapshot');
    this.pendingSnapshot = index;
  }

  #enter(state: Progress['state']): void {
    this.state = state;
    this.asked = false;
    this.pendingSnapshot = 0;
    this.#flights = [];
  }
}
