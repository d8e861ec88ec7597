// The keyboard for Ink, with the mouse taken out: Ink drops the reports of a mouse, so they are read here, before it, and told apart.
import {Transform, type TransformCallback} from 'node:stream';
import type {MouseReport} from '../ui/keys/mouse.ts';

/** Reports in the form that terminals call SGR: button, column and row from 1, pressed or let go. */
const REPORT = /\u001B\[<(\d+);(\d+);(\d+)([Mm])/g;
/** The beginning of a report whose rest is still to come. */
const BEGUN = /\u001B\[<[\d;]*$/;
const WHAT: Readonly<Record<string, MouseReport['what']>> = {'0M': 'click', '64M': 'wheel-up', '65M': 'wheel-down'};

/** Turns the reports of wheel and clicks on, and off again. Text is marked with Shift held, as in other programs that do so. */
export const MOUSE_ON = '\u001B[?1000h\u001B[?1006h';
export const MOUSE_OFF = '\u001B[?1006l\u001B[?1000l';

/** Stands for the terminal's input where Ink reads it. */
export class Keyboard extends Transform {
  readonly isTTY = true;
  readonly #terminal: NodeJS.ReadStream;
  readonly #moved: (report: MouseReport) => void;
  #held = '';

  constructor(terminal: NodeJS.ReadStream, moved: (report: MouseReport) => void) {
    super({encoding: 'utf8'});
    this.#terminal = terminal;
    this.#moved = moved;
    terminal.setEncoding('utf8');
    terminal.pipe(this);
  }

  setRawMode(isRaw: boolean): this {
    this.#terminal.setRawMode(isRaw);
    return this;
  }

  ref(): this {
    this.#terminal.ref();
    return this;
  }

  unref(): this {
    this.#terminal.unref();
    return this;
  }

  override _transform(chunk: Buffer | string, _encoding: BufferEncoding, done: TransformCallback): void {
    const text = this.#held + chunk.toString();
    this.#held = BEGUN.exec(text)?.[0] ?? '';
    const keys = text.slice(0, text.length - this.#held.length).replace(REPORT, (_, button, column, row, way) => {
      const what = WHAT[`${button}${way}`];
      if (what) this.#moved({what, column: Number(column) - 1, row: Number(row) - 1});
      return '';
    });
    done(null, keys === '' ? undefined : keys);
  }
}
