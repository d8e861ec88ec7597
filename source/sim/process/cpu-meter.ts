// How much CPU time the programs of one machine have used, and how much of a CPU they use now: the mean of the last ten to twenty
// seconds, as those who measure from outside see it. Nothing is kept but two looks back, so a meter that nobody reads costs nothing.

const WINDOW_MS = 10_000;

interface Look {
  readonly atMs: number;
  readonly usedMs: number;
}

/** The meter of one machine. */
export class CpuMeter {
  #usedMs = 0;
  #lastMs: number;
  #earlier: Look;
  #later: Look;

  constructor(nowMs: number) {
    this.#lastMs = nowMs;
    this.#earlier = this.#later = {atMs: nowMs, usedMs: 0};
  }

  get seconds(): number {
    return this.#usedMs / 1000;
  }

  /** So much CPU time was used up to now. */
  add(ms: number, nowMs: number): void {
    this.#usedMs += ms;
    this.#turn(nowMs);
    this.#lastMs = nowMs;
  }

  /** In CPUs. */
  rate(nowMs: number): number {
    // Whatever was used, it lies too far back.
    if (nowMs - this.#lastMs >= 2 * WINDOW_MS) return 0;
    this.#turn(nowMs);
    const {atMs, usedMs} = this.#earlier;
    return nowMs > atMs ? (this.#usedMs - usedMs) / (nowMs - atMs) : 0;
  }

  #turn(nowMs: number): void {
    if (nowMs - this.#later.atMs < WINDOW_MS) return;
    // After a long silence what came before says nothing of now.
    const fresh = {atMs: nowMs, usedMs: this.#usedMs};
    this.#earlier = nowMs - this.#lastMs >= WINDOW_MS ? {atMs: nowMs - WINDOW_MS, usedMs: this.#usedMs} : this.#later;
    this.#later = fresh;
  }
}
