// Keeps a judgement up to date: judges after every instant in which something changed, and when a goal may have held long enough.
import type {Judgement} from './judge.ts';
import type {Opened} from '../opening.ts';

export class Watch {
  readonly #opened: Opened;
  readonly #changed: (judgement: Judgement) => void;
  #again = -1;
  latest: Judgement;

  /** Judges at once, and calls `changed` with every judgement that is another one. */
  constructor(opened: Opened, changed: (judgement: Judgement) => void = () => undefined) {
    this.#opened = opened;
    this.#changed = changed;
    this.latest = opened.judge.look();
    opened.world.spectator.onChange(() => this.look());
    opened.referee.onSample(() => this.look());
    this.#schedule();
  }

  /** Judges now. */
  look(): void {
    const judgement = this.#opened.judge.look();
    if (judgement === this.latest) return;
    this.latest = judgement;
    this.#schedule();
    this.#changed(judgement);
  }

  #schedule(): void {
    const {again} = this.latest;
    if (again === Infinity || again === this.#again) return;
    this.#again = again;
    this.#opened.world.physics.clock.at(again, () => this.look());
  }
}
