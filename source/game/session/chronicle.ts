// What is done to the world, and what is remembered of it: every input goes through the door, is a step of the player's way, and
// leaves a mark in the line of time.
import {timeOfDay} from '../../api/meta/time.ts';
import type {World} from '../../world/world.ts';
import type {Input} from '../run.ts';
import type {Door} from './door.ts';
import {writeCount} from './judging/writes.ts';
import type {Mark} from './marks.ts';
import {looksOf} from './own-way.ts';
import type {WayStep} from './state.ts';

export class Chronicle {
  readonly way: WayStep[] = [];
  readonly #world: World;
  readonly #door: Door;
  readonly #marked: (mark: Mark) => void;

  constructor(world: World, door: Door, marked: (mark: Mark) => void) {
    this.#world = world;
    this.#door = door;
    this.#marked = marked;
  }

  /** Something is done to the world, by the player now or by a run that is played again. */
  async put(input: Omit<Input, 'at'>): Promise<void> {
    const {kind, text = ''} = input;
    const traced = this.#world.traceCount;
    const before = this.#here;
    await this.#door.put(input);
    const command = text.trim();
    if (kind === 'edit' && command !== '') this.mark({...before, kind: 'write', text: 'a file was saved in the editor'});
    if (kind !== 'type' || command === '') return;
    const wrote = writeCount(this.#world.traceSince(traced)) > 0;
    this.way.push({at: before.time, command, wrote, looks: looksOf(command)});
    this.mark({...before, kind: wrote ? 'write' : 'command', text: command});
  }

  /** Sets a mark in the line of time: here, or where it says. */
  mark(mark: Pick<Mark, 'kind' | 'text'> & Partial<Mark>): void {
    this.#marked({...this.#here, ...mark});
  }

  get #here(): Pick<Mark, 'at' | 'time' | 'inputs'> {
    return {at: this.#world.now, time: timeOfDay(this.#world.wall), inputs: this.#door.inputs.length};
  }
}
