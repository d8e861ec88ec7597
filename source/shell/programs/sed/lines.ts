// The lines that sed works on: of one file after the other, or of each for itself.
import {closeDescriptor, openToRead, takeDescriptor} from '../../../sim/process/open.ts';
import type {Process} from '../../../sim/process/process.ts';
import {chunks} from '../input.ts';

/** A line, and whether its end was there. */
export interface Line {
  readonly text: string;
  readonly hasEnd: boolean;
}

/** Reads lines as they come, never further than it must. */
export class Lines {
  readonly #process: Process;
  readonly #names: readonly string[];
  readonly #separator: string;
  readonly #isSeparate: boolean;
  #next = 0;
  #text = '';
  #source: AsyncGenerator<string> | undefined;
  #fd = 0;
  /** The file that is read, `-` for standard input. */
  name = '-';
  line = 0;
  /** 2 when a file could not be opened, 4 when it could not be read. */
  status = 0;
  /** Called when a file of its own begins, and when it has ended. */
  onBegin: (name: string) => Promise<void> = async () => undefined;
  onEnd: () => Promise<void> = async () => undefined;

  constructor(process: Process, names: readonly string[], how: {separator: string; isSeparate: boolean}) {
    this.#process = process;
    this.#names = names;
    this.#separator = how.separator;
    this.#isSeparate = how.isSeparate;
  }

  /** The next line of all; undefined at the end. */
  async read(): Promise<Line | undefined> {
    for (;;) {
      if (!this.#source && !(await this.#open())) return undefined;
      if (await this.#fill()) break;
      await this.close();
    }
    this.line++;
    const end = this.#text.indexOf(this.#separator);
    const text = end < 0 ? this.#text : this.#text.slice(0, end);
    this.#text = end < 0 ? '' : this.#text.slice(end + 1);
    return {text, hasEnd: end >= 0};
  }

  /** Is there no line behind this one? */
  async isLast(): Promise<boolean> {
    if (this.#source && (await this.#fill(true))) return false;
    if (this.#isSeparate) return true;
    while (await this.#openNext()) if (await this.#fill(true)) return false;
    return true;
  }

  /** Are there files that were not read yet? */
  get hasMore(): boolean {
    return this.#next < this.#names.length;
  }

  /** Is the text at hand used up, so that the next read may wait? */
  get mayWait(): boolean {
    return !this.#text.includes(this.#separator);
  }

  async close(): Promise<void> {
    if (!this.#source) return;
    if (this.#fd !== 0) closeDescriptor(this.#process, this.#fd);
    this.#source = undefined;
    await this.onEnd();
  }

  async #open(): Promise<boolean> {
    if (!(await this.#openNext())) return false;
    if (this.#isSeparate) {
      this.line = 0;
      await this.onBegin(this.name);
    }
    return true;
  }

  /** Opens the next file that can be. */
  async #openNext(): Promise<boolean> {
    while (this.#next < this.#names.length) {
      const name = this.#names[this.#next++] ?? '-';
      if (name === '-' && !this.#isInPlace) {
        this.#fd = 0;
      } else {
        const opened = openToRead(this.#process, name);
        if (!opened.ok) {
          await this.#refuse(name, opened.text);
          continue;
        }
        this.#fd = takeDescriptor(this.#process, opened.stream);
      }
      this.name = name;
      this.#source = chunks(this.#process, this.#fd);
      return true;
    }
    return false;
  }

  #isInPlace = false;

  /** Files are to be written anew: `-` is a name like others, and a folder cannot be. */
  set isInPlace(value: boolean) {
    this.#isInPlace = value;
  }

  async #refuse(name: string, why: string): Promise<void> {
    const isFolder = why === 'Is a directory';
    const words = isFolder && this.#isInPlace ? `couldn't edit ${name}: not a regular file` : undefined;
    const read = isFolder ? `read error on ${name}: ${why}` : `can't read ${name}: ${why}`;
    this.status = Math.max(this.status, isFolder ? 4 : 2);
    await this.#process.err(`sed: ${words ?? read}\n`);
  }

  /** Reads until a line is whole, or for `any` until there is something; false at the end. */
  async #fill(any = false): Promise<boolean> {
    while (any ? this.#text === '' : !this.#text.includes(this.#separator)) {
      const chunk = await this.#source?.next();
      if (!chunk || chunk.done) return this.#text !== '';
      this.#text += chunk.value;
    }
    return true;
  }
}
