// The one door through which the player does something to the world. Each input is remembered with its virtual time; an input never
// falls into the middle of an instant, so that playing the same inputs at the same times is the same run.
import {createHash} from 'node:crypto';
import type {Process} from '../../sim/process/process.ts';
import type {Terminal} from '../../sim/process/terminal.ts';
import type {EditRequest} from '../../world/player.ts';
import type {World} from '../../world/world.ts';
import type {Input} from '../run.ts';

/** Who is told what comes of it. */
export interface DoorNews {
  /** The terminal shows text. */
  shown(text: string): void;
  busy(busy: boolean): void;
  completed(line: string, start: number, words: readonly string[]): void;
  editing(request: EditRequest): void;
  hint(): void;
  /** The player's shell has ended. */
  ended(): void;
}

/** The player types, and the game waits this long at most for the shell before it draws, in virtual milliseconds. */
const AHEAD_MS = 100;

export class Door {
  readonly inputs: Input[] = [];
  readonly #world: World;
  readonly #news: DoorNews;
  readonly #terminal: Terminal;
  readonly #shell: Process | undefined;
  readonly #shown = createHash('sha256');
  #edit: EditRequest | undefined;

  constructor(world: World, news: DoorNews) {
    this.#world = world;
    this.#news = news;
    const {terminal, shell} = world.player.openShell(text => {
      this.#shown.update(text);
      news.shown(text);
    });
    this.#terminal = terminal;
    this.#shell = shell;
    shell?.onEnd(() => {
      // What was typed last is not part of the run, or it would end again when it is gone on with.
      this.inputs.pop();
      news.ended();
    });
    world.player.onEdit = request => {
      this.#edit = request;
      news.editing(request);
    };
  }

  /** Does a program run in the foreground, so that what is typed is for it? */
  get isBusy(): boolean {
    const {foreground, isRead} = this.#terminal;
    return (foreground !== undefined && foreground !== this.#shell?.group) || !isRead;
  }

  /** Does something now, and lets the little time pass that its first answer takes. */
  async put(input: Omit<Input, 'at'>): Promise<void> {
    this.inputs.push({at: this.#world.now, ...input});
    const {kind, text = '', cursor} = input;
    switch (kind) {
      case 'type':
        this.#terminal.type(text);
        return this.#runAhead();
      case 'interrupt':
        this.#terminal.interrupt();
        return this.#runAhead();
      case 'end':
        this.#terminal.end();
        return this.#runAhead();
      case 'edit':
        this.#answerEdit(text);
        return this.#runAhead();
      case 'complete':
        return this.#complete(text, cursor ?? [...text].length);
      case 'hint':
        this.#news.hint();
    }
  }

  /** The hash of what happened in the cluster, as far as it is still known, and of all that the terminal showed. */
  get digest(): string {
    const hash = this.#shown.copy();
    for (const {n, at, who, verb, object, because} of this.#world.traceSince(0))
      hash.update(`${n} ${at} ${who} ${verb} ${object} ${because.join(' ')}\n`);
    return hash.digest('hex');
  }

  /** A request is answered at once, whatever the speed: virtual time may run ahead a little for it. */
  async #runAhead(): Promise<void> {
    await this.#world.until(() => this.#terminal.isRead, AHEAD_MS, 1);
    this.#news.busy(this.isBusy);
  }

  /** Asking for names takes time and requests, so it is an input like any other. */
  async #complete(line: string, cursor: number): Promise<void> {
    const {player} = this.#world;
    const {start, words} = await player.complete(line, cursor, this.#shell?.folder ?? player.home);
    this.#news.completed(line, start, words);
  }

  /** `=` and the new text, or nothing for "left as it was". */
  #answerEdit(text: string): void {
    const request = this.#edit;
    this.#edit = undefined;
    request?.answer(text.startsWith('=') ? text.slice(1) : undefined);
  }
}
