// What is to be done between two beats, one after the other: nothing that the player asks for waits for the cluster.

type Deed = () => void | Promise<void>;

export class Queue {
  readonly #deeds: Deed[] = [];

  get isEmpty(): boolean {
    return this.#deeds.length === 0;
  }

  /** Asks for something to be done. */
  later(deed: Deed): void {
    this.#deeds.push(deed);
  }

  /** Does all that was asked for, and what is asked for meanwhile. */
  async drain(): Promise<void> {
    for (let deed = this.#deeds.shift(); deed; deed = this.#deeds.shift()) await deed();
  }
}
