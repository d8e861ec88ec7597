// What awk reads and writes beside its records: files and commands, each opened once and kept until it is closed.
import {closeDescriptor, openToWrite, takeDescriptor} from '../../../sim/process/open.ts';
import {INTERRUPTED} from '../../../sim/process/process.ts';
import type {Process} from '../../../sim/process/process.ts';
import {pipe} from '../../../sim/process/streams.ts';
import {RecordReader, openRecords} from './records.ts';

interface Output {
  readonly fd: number;
  text: string;
  readonly child: Process | undefined;
}

const FLUSH_AT = 8192;

/** All of them. */
export class Channels {
  readonly #process: Process;
  readonly #outputs = new Map<string, Output>();
  readonly #inputs = new Map<string, {reader: RecordReader; child: Process | undefined}>();
  #text = '';

  constructor(process: Process) {
    this.#process = process;
  }

  /** Prints on standard output; the text may be held. */
  print(text: string): Promise<void> | undefined {
    this.#text += text;
    return this.#text.length > FLUSH_AT ? this.flush() : undefined;
  }

  async flush(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    if (text !== '') await this.#process.out(text);
    for (const output of this.#outputs.values()) await this.#drain(output);
  }

  async #drain(output: Output): Promise<void> {
    const {text} = output;
    output.text = '';
    if (text !== '') await this.#process.write(output.fd, text);
  }

  /** Prints to a file or a command; words when it cannot be opened. */
  async printTo(operator: string, name: string, text: string): Promise<string | undefined> {
    let output = this.#outputs.get(name);
    if (!output) {
      const opened = operator === '|' ? await this.#start(name, 'write') : this.#open(name, operator);
      if (typeof opened === 'string') return opened;
      output = opened;
      this.#outputs.set(name, output);
    }
    output.text += text;
    if (output.text.length > FLUSH_AT || name.startsWith('/dev/')) await this.flush();
    return undefined;
  }

  #open(name: string, operator: string): Output | string {
    const opened = openToWrite(this.#process, name, operator === '>>' ? 'append' : 'truncate');
    if (!opened.ok) return opened.text;
    return {fd: takeDescriptor(this.#process, opened.stream), text: '', child: undefined};
  }

  /** Starts a command with one end of a pipe. */
  async #start(command: string, use: 'read' | 'write'): Promise<Output | string> {
    await this.flush();
    const {machine, streams} = this.#process;
    const shell = machine.program('/bin/sh');
    if (!shell) return 'No such file or directory';
    const ends = pipe();
    const own = new Map(streams);
    if (use === 'read') own.set(1, ends.writer);
    else own.set(0, ends.reader);
    for (const fd of own.keys()) if (fd > 2) own.delete(fd);
    const child = this.#process.spawn(shell, {argv: ['sh', '-c', command], streams: own});
    (use === 'read' ? ends.writer : ends.reader).close();
    if (!child) return 'Resource temporarily unavailable';
    return {fd: takeDescriptor(this.#process, use === 'read' ? ends.reader : ends.writer), text: '', child};
  }

  /** The next record of a file or of what a command prints; undefined at the end, false when there is no such thing. */
  async read(from: 'file' | 'command', name: string, separator: string): Promise<string | undefined | false> {
    let input = this.#inputs.get(name);
    if (!input) {
      if (from === 'command') {
        const started = await this.#start(name, 'read');
        if (typeof started === 'string') return false;
        input = {reader: new RecordReader(this.#process, started.fd), child: started.child};
      } else {
        const reader = openRecords(this.#process, name);
        if (typeof reader === 'string') return false;
        input = {reader, child: undefined};
      }
      this.#inputs.set(name, input);
    }
    return input.reader.next(separator);
  }

  /** `system`: the status of a command. */
  async run(command: string): Promise<number> {
    await this.flush();
    const shell = this.#process.machine.program('/bin/sh');
    const child = shell && this.#process.spawn(shell, {argv: ['sh', '-c', command]});
    return child ? this.#wait(child) : 127;
  }

  async #wait(child: Process): Promise<number> {
    for (;;) {
      const code = await this.#process.wait(child);
      if (code !== INTERRUPTED) return code as number;
    }
  }

  /** Closes what has this name: 0, the status of a command, or -1 when there was none. */
  async close(name: string): Promise<number> {
    const output = this.#outputs.get(name);
    const input = this.#inputs.get(name);
    let status = -1;
    if (output) {
      await this.flush();
      closeDescriptor(this.#process, output.fd);
      this.#outputs.delete(name);
      status = output.child ? await this.#wait(output.child) : 0;
    }
    if (input) {
      input.reader.close();
      this.#inputs.delete(name);
      status = input.child ? await this.#wait(input.child) : 0;
    }
    return status;
  }

  async closeAll(): Promise<void> {
    await this.flush();
    for (const name of [...this.#outputs.keys(), ...this.#inputs.keys()]) await this.close(name);
  }
}
