// The records that awk reads: lines, paragraphs, or what an expression separates; of the operands one after the other.
import {closeDescriptor, openToRead, takeDescriptor} from '../../../sim/process/open.ts';
import type {Process} from '../../../sim/process/process.ts';
import {compileRegex} from '../../text/regex/regex.ts';
import {chunks} from '../input.ts';

/** Cuts records off a stream of text. */
export class RecordReader {
  readonly #process: Process;
  readonly #fd: number;
  readonly #source: AsyncGenerator<string>;
  #text = '';
  #isEnded = false;

  constructor(process: Process, fd: number) {
    this.#process = process;
    this.#fd = fd;
    this.#source = chunks(process, fd);
  }

  /** Has it to wait for the next record? */
  mayWait(separator: string): boolean {
    return !this.#isEnded && !this.#text.includes(separator === '' ? '\n\n' : separator.slice(0, 1));
  }

  async next(separator: string): Promise<string | undefined> {
    for (;;) {
      const found = this.#find(separator);
      if (found) {
        const record = this.#text.slice(found.from, found.start);
        this.#text = this.#text.slice(found.end);
        return record;
      }
      if (this.#isEnded) break;
      const chunk = await this.#source.next();
      if (chunk.done) this.#isEnded = true;
      else this.#text += chunk.value;
    }
    let rest = this.#text;
    this.#text = '';
    if (separator === '') rest = rest.replace(/^\n+|\n+$/g, '');
    return rest === '' ? undefined : rest;
  }

  #find(separator: string): {from: number; start: number; end: number} | undefined {
    if (separator === '') {
      const from = /^\n*/.exec(this.#text)?.[0].length ?? 0;
      const start = this.#text.indexOf('\n\n', from);
      if (start < 0) return undefined;
      let end = start;
      while (this.#text[end] === '\n') end++;
      return end < this.#text.length || this.#isEnded ? {from, start, end} : undefined;
    }
    if (separator.length === 1) {
      const start = this.#text.indexOf(separator);
      return start < 0 ? undefined : {from: 0, start, end: start + 1};
    }
    const regex = compileRegex(separator, {extended: true});
    const span = regex.ok ? regex.locate(this.#text, 0) : undefined;
    if (!span || span.end === span.start) return undefined;
    return span.end < this.#text.length || this.#isEnded ? {from: 0, start: span.start, end: span.end} : undefined;
  }

  close(): void {
    if (this.#fd !== 0) closeDescriptor(this.#process, this.#fd);
  }
}

/** Opens a file for its records; words when that cannot be. */
export function openRecords(process: Process, name: string): RecordReader | string {
  if (name === '-') return new RecordReader(process, 0);
  const opened = openToRead(process, name);
  return opened.ok ? new RecordReader(process, takeDescriptor(process, opened.stream)) : opened.text;
}
