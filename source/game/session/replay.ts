// A run that is played again, input by input: as fast as it goes up to where it was left, or before the player's eyes at the pace in
// which it was played.
import type {World} from '../../world/world.ts';
import type {Input, Run} from '../run.ts';
import type {Fact} from './intents.ts';

/** The session whose world it is played in. */
export interface Stage {
  readonly world: World;
  readonly learn: (fact: Fact) => void;
  readonly put: (input: Omit<Input, 'at'>) => Promise<void>;
}

export class Replay {
  readonly #stage: Stage;
  /** What is still to be shown, and when the run ended. */
  #script: {readonly inputs: readonly Input[]; readonly end: number} | undefined;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Plays a run at once. */
  async catchUp(run: Run): Promise<void> {
    const {world} = this.#stage;
    for (const input of run.inputs) {
      await world.runTo(input.at);
      await this.#input(input);
    }
    await world.runTo(run.at);
  }

  /** From now on a run is shown, one beat after the other. */
  show(run: Run): void {
    this.#script = {inputs: run.inputs, end: run.at};
  }

  /** What is not shown yet never will be. */
  stop(): void {
    this.#script = undefined;
  }

  /** Time passes up to the next input, or to the end of the run: then it is over. */
  async beat(nowMs: number): Promise<'goes on' | 'over'> {
    const {world} = this.#stage;
    const {inputs: [next, ...rest] = [], end = world.now} = this.#script ?? {};
    const due = next?.at ?? end;
    await world.pump.beat(nowMs, due);
    if (world.now < due) return 'goes on';
    if (!next) return 'over';
    this.#script = {inputs: rest, end};
    await this.#input(next);
    return 'goes on';
  }

  /** An input is echoed, as its player saw it while it was typed. */
  async #input({kind, text, cursor}: Input): Promise<void> {
    const {learn, put} = this.#stage;
    if (kind === 'type') learn({fact: 'echo', text: text ?? ''});
    else if (kind === 'interrupt') learn({fact: 'output', text: '^C'});
    await put({kind, ...(text === undefined ? {} : {text}), ...(cursor === undefined ? {} : {cursor})});
    if (kind === 'edit') learn({fact: 'saved'});
  }
}
