// What requests cost a program: each takes some CPU time and perhaps some waiting, at most so many at once; the others stand in
// line in the order in which they came. Those that are worked on share the container's CPU limit evenly, and none can use more
// than one core. So latency is nothing that somebody sets: it grows out of load, cost and limit.
//
//     cost 0.19 s, limit 20m, one at a time: alone a request takes 9.5 s; the second that comes at the same moment 19 s.
//
// All requests cost the same, and those at work get equal shares; so they finish in the order in which they began. The share that
// each had so far is therefore one number for all (`#served`), and an event costs the same however many are at work.
//
// A caller who hangs up is forgotten at once, in line or at work.
import type {Clock, Timer} from '../../sim/clock.ts';

/** What one request costs. */
export interface WorkModel {
  /** At work at once; absent: as many as come. */
  readonly concurrency?: number;
  /** CPU time of each. */
  readonly cpuSeconds?: number;
  /** Each also waits so long for others, holding its place but no CPU. */
  readonly waitSeconds?: number;
}

interface Job {
  readonly done: () => void;
  /** What `#served` is when its CPU time is over. */
  endsAt: number;
  timer: Timer | undefined;
}

/** Less CPU time than this is none. */
const NOTHING = 1e-9;

/** The requests of one container. */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #model: WorkModel;
  readonly #cores: () => number;
  readonly #line = new Set<Job>();
  readonly #working = new Set<Job>();
  readonly #waiting = new Set<Job>();
  #served = 0;
  #share = 0;
  #spent = 0;
  #since: number;
  #timer: Timer | undefined;
  #over = false;

  /** `cores` tells what the requests may use together; call `changed` when that is another number. */
  constructor(clock: Clock, model: WorkModel, cores: () => number) {
    this.#clock = clock;
    this.#model = model;
    this.#cores = cores;
    this.#since = clock.now;
  }

  /** Takes a request; `done` is called when its work is done. The answer takes it back. */
  add(done: () => void): () => void {
    const job: Job = {done, endsAt: 0, timer: undefined};
    this.#line.add(job);
    this.#turn();
    return () => this.#forget(job);
  }

  /** Stands in line or is at work. */
  get length(): number {
    return this.#line.size + this.#working.size + this.#waiting.size;
  }

  /** Cores in use now. */
  get busyCores(): number {
    return this.#share * this.#working.size;
  }

  /** CPU seconds so far. */
  get cpuSeconds(): number {
    return this.#spent + (this.busyCores * (this.#clock.now - this.#since)) / 1000;
  }

  /** The limit is another one. */
  changed(): void {
    this.#turn();
  }

  /** The program ended. */
  stop(): void {
    this.#settle();
    this.#over = true;
    this.#clock.cancel(this.#timer);
    for (const job of this.#waiting) this.#clock.cancel(job.timer);
    for (const jobs of [this.#line, this.#working, this.#waiting]) jobs.clear();
    this.#share = 0;
  }

  #forget(job: Job): void {
    this.#clock.cancel(job.timer);
    const held = [this.#line, this.#working, this.#waiting].some(jobs => jobs.delete(job));
    if (held) this.#turn();
  }

  /** Ends what is finished, begins what there is room for, and sleeps until the next is finished. */
  #turn(): void {
    if (this.#over) return;
    this.#settle();
    for (const job of this.#working) {
      if (job.endsAt - this.#served > NOTHING) break;
      this.#working.delete(job);
      this.#wait(job);
    }
    const {concurrency = Infinity, cpuSeconds = 0} = this.#model;
    for (const job of this.#line) {
      if (this.#working.size + this.#waiting.size >= concurrency) break;
      this.#line.delete(job);
      job.endsAt = this.#served + cpuSeconds;
      if (cpuSeconds > 0) this.#working.add(job);
      else this.#wait(job);
    }
    this.#share = this.#working.size === 0 ? 0 : Math.min(1, this.#cores() / this.#working.size);
    this.#schedule();
  }

  #settle(): void {
    const seconds = (this.#clock.now - this.#since) / 1000;
    this.#spent += this.busyCores * seconds;
    this.#served += this.#share * seconds;
    this.#since = this.#clock.now;
  }

  #schedule(): void {
    this.#clock.cancel(this.#timer);
    this.#timer = undefined;
    const [first] = this.#working;
    if (!first || this.#share <= 0) return;
    const ms = (Math.max(0, first.endsAt - this.#served) / this.#share) * 1000;
    this.#timer = this.#clock.after(ms, () => this.#turn());
  }

  #wait(job: Job): void {
    const {waitSeconds = 0} = this.#model;
    this.#waiting.add(job);
    job.timer = this.#clock.after(waitSeconds * 1000, () => {
      this.#waiting.delete(job);
      job.done();
      this.#turn();
    });
  }
}
