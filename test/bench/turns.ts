// How long the event loop of a served cluster was held up: loop-turns.ts measures inside of it, this asks it.
import {readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import type {Server} from '../serve/server.ts';
import type {Figure} from './measure.ts';

/** How long the loop of a server was held up. */
export class Turns {
  readonly #file = join(tmpdir(), `crashloop-turns-${process.pid}.json`);
  #server: Server | undefined;

  get env(): Readonly<Record<string, string>> {
    const preload = resolve(import.meta.dirname, '../../test/bench/loop-turns.ts');
    return {CRASHLOOP_TURNS: this.#file, NODE_OPTIONS: `--import ${preload}`};
  }

  of(server: Server): void {
    this.#server = server;
  }

  /** The longest turn since it was last asked for, as a figure. */
  async since(name: string): Promise<readonly Figure[]> {
    const value = await this.longest();
    return value === undefined
      ? []
      : [{name: `${name}, the longest turn of the loop`, value, unit: 'ms of CPU', goal: 'less than 50'}];
  }

  /** The same as a number of milliseconds of CPU. */
  async longest(): Promise<number | undefined> {
    rmSync(this.#file, {force: true});
    this.#server?.signal('SIGUSR2');
    for (let tries = 0; tries < 200; tries++) {
      await new Promise(done => setTimeout(done, 10));
      const read = this.#read();
      if (read) return read.cpuMs;
    }
    return undefined;
  }

  #read(): {cpuMs: number} | undefined {
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8')) as {cpuMs: number};
    } catch {
      return undefined;
    }
  }

  end(): void {
    rmSync(this.#file, {force: true});
  }
}
