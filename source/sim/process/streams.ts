// Where a program reads from and writes to. A stream may refuse for now (a pipe that is full or empty); then the caller waits
// until `onChange` and tries again. Ends are counted, so that a reader sees the end when the last writer has gone, and a writer
// is told (SIGPIPE) when the last reader has.
import type {Files} from '../files.ts';

/** What `read` says: some text, the end (null), or nothing yet (undefined). */
export type ReadResult = string | null | undefined;
export type WriteResult = 'done' | 'wait' | 'broken' | 'full';

/** An open file descriptor. */
export interface Stream {
  /** Takes what is there. */
  read(): ReadResult;
  /** Gives back text that was read and not used; it comes first at the next read. */
  unread(text: string): void;
  write(text: string): WriteResult;
  /** Calls `changed` once, at the next change that may let a waiting reader or writer go on. */
  onChange(changed: () => void): void;
  /** One more descriptor for the same stream. */
  share(): Stream;
  close(): void;
  /** A terminal: programs may use colours, and a shell is interactive. */
  readonly isTerminal: boolean;
  /** The terminal itself, for a shell that says who is in the foreground. */
  readonly terminal?: Foreground;
}

/** What a shell does with its terminal. */
export interface Foreground {
  /** The process group that `^C` reaches. */
  foreground: number | undefined;
  /** The first whole line that was typed and that nobody has read yet; empty where there is none. */
  readonly typedAhead: string;
  readonly columns: number;
  readonly rows: number;
}

/** How many characters a pipe holds before its writer must wait. */
const PIPE_LIMIT = 65_536;

class PipeState {
  text = '';
  readers = 0;
  writers = 0;
  waiting: (() => void)[] = [];

  changed(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const wake of waiting) wake();
  }
}

class PipeEnd implements Stream {
  readonly isTerminal = false;
  readonly #pipe: PipeState;
  readonly #side: 'readers' | 'writers';
  #open = true;

  constructor(pipe: PipeState, side: 'readers' | 'writers') {
    this.#pipe = pipe;
    this.#side = side;
    pipe[side]++;
  }

  read(): ReadResult {
    const pipe = this.#pipe;
    if (pipe.text === '') return pipe.writers > 0 ? undefined : null;
    const {text} = pipe;
    pipe.text = '';
    pipe.changed();
    return text;
  }

  unread(text: string): void {
    if (text === '') return;
    this.#pipe.text = text + this.#pipe.text;
    this.#pipe.changed();
  }

  write(text: string): WriteResult {
    const pipe = this.#pipe;
    if (pipe.readers === 0) return 'broken';
    if (pipe.text.length >= PIPE_LIMIT) return 'wait';
    pipe.text += text;
    pipe.changed();
    return 'done';
  }

  onChange(changed: () => void): void {
    this.#pipe.waiting.push(changed);
  }

  share(): Stream {
    return new PipeEnd(this.#pipe, this.#side);
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#pipe[this.#side]--;
    this.#pipe.changed();
  }
}

/** A pipe: what is written to the one end is read from the other. */
export function pipe(): {reader: Stream; writer: Stream} {
  const state = new PipeState();
  return {reader: new PipeEnd(state, 'readers'), writer: new PipeEnd(state, 'writers')};
}

/** A text to read, as a here-document. */
export function textStream(text: string): Stream {
  let rest: string | null = text === '' ? null : text;
  const stream: Stream = {
    isTerminal: false,
    read() {
      const taken = rest;
      rest = null;
      return taken;
    },
    unread: back => (rest = back + (rest ?? '')),
    write: () => 'broken',
    onChange: changed => changed(),
    share: () => stream,
    close: () => undefined,
  };
  return stream;
}

/** A stream that swallows what is written and is empty: /dev/null. */
export function nullStream(): Stream {
  return sourceStream(() => null);
}

/** A stream whose reads give what `make` gives, and whose writes say `written`. */
export function sourceStream(make: () => string | null, written: WriteResult = 'done'): Stream {
  const stream: Stream = {...textStream(''), read: make, unread: () => undefined, write: () => written, share: () => stream};
  return stream;
}

/** Gives all that is written to `take`: how the game hears a program. Reading finds the end at once. */
export function sinkStream(take: (text: string) => void, isTerminal = false): Stream {
  const stream: Stream = {
    ...textStream(''),
    isTerminal,
    write(text) {
      take(text);
      return 'done';
    },
    share: () => stream,
  };
  return stream;
}

/** A file that is read from its start, or written at its end. The position is shared by all that share the stream. */
export function fileStream(files: Files, path: string): Stream {
  let position = 0;
  const stream: Stream = {
    isTerminal: false,
    read() {
      const text = (files.read(path) ?? '').slice(position);
      position += text.length;
      return text === '' ? null : text;
    },
    unread: back => (position -= back.length),
    write: text => (files.append(path, text) ? 'full' : 'done'),
    onChange: changed => changed(),
    share: () => stream,
    close: () => undefined,
  };
  return stream;
}
