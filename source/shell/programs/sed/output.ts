// Where sed writes to: its output, the file that it edits in place, and the files of `w`.
import {closeDescriptor, openToWrite, takeDescriptor} from '../../../sim/process/open.ts';
import type {Process} from '../../../sim/process/process.ts';

/** One of them. Text is held until it is flushed; a line end that the input's last line lacked is put before what follows. */
export class Output {
  readonly #process: Process;
  readonly #fd: number;
  #text = '';
  #lacksEnd = false;

  constructor(process: Process, fd: number) {
    this.#process = process;
    this.#fd = fd;
  }

  /** Writes a line, with its end where the input's had one. */
  line(text: string, hasEnd: boolean, end: string): void {
    this.#text += (this.#lacksEnd ? end : '') + text + (hasEnd ? end : '');
    this.#lacksEnd = !hasEnd;
  }

  /** Writes text as it is. */
  text(text: string): void {
    if (text === '') return;
    this.#text += (this.#lacksEnd ? '\n' : '') + text;
    this.#lacksEnd = false;
  }

  get isLong(): boolean {
    return this.#text.length > 4096;
  }

  async flush(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    if (text !== '') await this.#process.write(this.#fd, text);
  }

  /** What was written, taken out. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    this.#lacksEnd = false;
    return text;
  }

  close(): void {
    if (this.#fd > 2) closeDescriptor(this.#process, this.#fd);
  }
}

/** The files of `w`, each opened once. */
export class OutputFiles {
  readonly #process: Process;
  readonly #main: Output;
  readonly #files = new Map<string, Output>();

  constructor(process: Process, main: Output) {
    this.#process = process;
    this.#main = main;
  }

  /** Opens a file; words when that cannot be. */
  open(name: string): string | undefined {
    if (this.#files.has(name)) return undefined;
    if (name === '/dev/stdout') this.#files.set(name, this.#main);
    else if (name === '/dev/stderr') this.#files.set(name, new Output(this.#process, 2));
    else {
      const opened = openToWrite(this.#process, name);
      if (!opened.ok) return `couldn't open file ${name}: ${opened.text}`;
      this.#files.set(name, new Output(this.#process, takeDescriptor(this.#process, opened.stream)));
    }
    return undefined;
  }

  get(name: string): Output {
    return this.#files.get(name) ?? this.#main;
  }

  async flush(): Promise<void> {
    for (const file of this.#files.values()) if (file !== this.#main) await file.flush();
  }

  close(): void {
    for (const file of this.#files.values()) if (file !== this.#main) file.close();
  }
}
