// A terminal between the player and the programs: what is typed waits here until a program reads it, and what a program writes
// goes to the screen. Lines are edited by whoever feeds it (the game's line editor); `^C`, `^D` and `^Z` come as calls.
import type {Kernel} from './kernel.ts';
import type {Stream} from './streams.ts';

/** One terminal with its foreground group. */
export class Terminal {
  readonly #kernel: Kernel;
  readonly #show: (text: string) => void;
  #typed = '';
  #ended = false;
  #waiting: (() => void)[] = [];
  /** The process group that `^C` reaches; undefined while nobody runs. */
  foreground: number | undefined;
  columns = 80;
  rows = 24;

  constructor(kernel: Kernel, show: (text: string) => void) {
    this.#kernel = kernel;
    this.#show = show;
  }

  /** The stream that programs hold as 0, 1 and 2. */
  get stream(): Stream {
    const stream: Stream = {
      isTerminal: true,
      terminal: this,
      read: () => {
        if (this.#typed === '') {
          if (!this.#ended) return undefined;
          this.#ended = false;
          return null;
        }
        const text = this.#typed;
        this.#typed = '';
        return text;
      },
      unread: text => (this.#typed = text + this.#typed),
      write: text => {
        this.#show(text);
        return 'done';
      },
      onChange: changed => this.#waiting.push(changed),
      share: () => stream,
      close: () => undefined,
    };
    return stream;
  }

  get typedAhead(): string {
    return this.#typed.slice(0, this.#typed.indexOf('\n') + 1);
  }

  /** Does a program wait for what the player types? */
  get isRead(): boolean {
    return this.#waiting.length > 0;
  }

  /** The player typed this (whole lines end in `\n`). */
  type(text: string): void {
    this.#typed += text;
    this.#wake();
  }

  /** `^D` on an empty line: the reader sees the end once. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** `^C`: a signal for the foreground group. What was typed and not read is dropped. */
  interrupt(): void {
    this.#typed = '';
    if (this.foreground !== undefined) this.#kernel.signalGroup(this.foreground, 'INT');
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}
