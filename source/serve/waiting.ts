// Who waits for an answer now. The pump runs virtual time ahead for those who have not waited long: an answer that takes its time in
// the cluster (34 seconds without etcd's leader) takes it in real time too.

/** One wait. */
export interface Wait {
  /** Virtual time, in milliseconds, up to which time is run ahead for it. */
  until: number;
}

const ANSWER_MS = 100;
/** After an answer that goes on: the first frames follow at once. */
const FRAMES_MS = 2;

/** The waits of a port. */
export class Waiting {
  readonly #now: () => number;
  readonly #hurry: (isWaiting: () => boolean) => Promise<boolean>;
  readonly #young = new Set<Wait>();
  #asked = false;

  constructor(now: () => number, hurry: (isWaiting: () => boolean) => Promise<boolean>) {
    this.#now = now;
    this.#hurry = hurry;
  }

  /** Somebody begins to wait. */
  begin(forMs = ANSWER_MS): Wait {
    const wait = {until: this.#now() + forMs};
    this.#young.add(wait);
    this.goOn();
    return wait;
  }

  /** His answer is there; frames may follow. */
  answered(wait: Wait, more: boolean): void {
    if (more) wait.until = this.#now() + FRAMES_MS;
    else this.#young.delete(wait);
  }

  /** All that arrived in one turn of the host is answered together; what takes longer goes on in the next turn. */
  goOn(): void {
    if (this.#asked) return;
    this.#asked = true;
    setImmediate(() => {
      this.#asked = false;
      void this.#hurry(this.#isWaiting).then(done => {
        if (!done) this.goOn();
      });
    });
  }

  readonly #isWaiting = (): boolean => {
    const now = this.#now();
    for (const wait of this.#young) {
      if (wait.until > now) return true;
      this.#young.delete(wait);
    }
    return false;
  };
}
