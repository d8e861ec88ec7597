// The game in a pseudo-terminal, read as a person reads it: what is on the screen now.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {spawn, type IPty} from '@lydell/node-pty';
import xterm from '@xterm/headless';

const root = resolve(import.meta.dirname, '../..');
const PATIENCE_MS = 60_000;
const LOOK_MS = 40;

export interface TerminalOptions {
  readonly columns: number;
  readonly rows: number;
  readonly argv?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Where progress is kept; a folder of its own where absent. */
  readonly home?: string;
}

/** A running game and its screen. */
export class GameTerminal {
  readonly home: string;
  readonly screen: InstanceType<typeof xterm.Terminal>;
  readonly #pty: IPty;
  readonly #ownsHome: boolean;
  #exit: number | undefined;
  /** All bytes that came. */
  raw = '';

  constructor({columns, rows, argv = [], environment = {}, home}: TerminalOptions) {
    this.#ownsHome = home === undefined;
    this.home = home ?? mkdtempSync(join(tmpdir(), 'crashloop-screen-'));
    this.screen = new xterm.Terminal({cols: columns, rows, allowProposedApi: true});
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: this.home,
      CRASHLOOP_HOME: this.home,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      ...environment,
    };
    this.#pty = spawn(process.execPath, [resolve(root, 'dist/crashloop.js'), ...argv], {
      cols: columns,
      rows,
      cwd: this.home,
      env,
    });
    this.#pty.onData(text => {
      this.raw += text;
      this.screen.write(text);
    });
    this.#pty.onExit(({exitCode}) => (this.#exit = exitCode));
  }

  /** The rows of the screen, without blanks at their ends. */
  get rows(): readonly string[] {
    const {active} = this.screen.buffer;
    return Array.from({length: this.screen.rows}, (_, row) =>
      (active.getLine(active.viewportY + row)?.translateToString(true) ?? '').trimEnd(),
    );
  }

  get text(): string {
    return this.rows.join('\n');
  }

  /** The row that is shown inverse, as the chosen one of a list is. */
  get chosen(): string {
    const {active} = this.screen.buffer;
    const at = this.rows.findIndex((_, row) =>
      active
        .getLine(active.viewportY + row)
        ?.getCell(2)
        ?.isInverse(),
    );
    return this.rows[at] ?? '';
  }

  /** Waits until the screen shows something; throws with the screen where it does not. */
  async sees(words: RegExp): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    while (!words.test(this.text)) {
      if (Date.now() > deadline || (this.#exit !== undefined && this.#exit !== 0))
        throw new Error(`${words} is not on the screen:\n${this.text}`);
      await pause(LOOK_MS);
    }
  }

  /** Waits for bytes, and returns with them: sooner than anybody can read. */
  async hears(words: RegExp): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    while (!words.test(this.raw)) {
      if (Date.now() > deadline) throw new Error(`${words} does not come:\n${this.text}`);
      await new Promise(setImmediate);
    }
  }

  /** Types letters or control characters at once. */
  type(text: string): void {
    this.#pty.write(text);
  }

  /** Types a line and Enter. */
  line(text: string): void {
    this.type(`${text}\r`);
  }

  /** Waits for the end; its exit code. */
  async ends(): Promise<number> {
    const deadline = Date.now() + PATIENCE_MS;
    while (this.#exit === undefined) {
      if (Date.now() > deadline) throw new Error(`it does not end:\n${this.text}`);
      await pause(LOOK_MS);
    }
    return this.#exit;
  }

  resize(columns: number, rows: number): void {
    this.#pty.resize(columns, rows);
    this.screen.resize(columns, rows);
  }

  /** Kills it, as a power cut would. */
  kill(): void {
    this.#pty.kill('SIGKILL');
  }

  close(): void {
    if (this.#exit === undefined) this.kill();
    this.screen.dispose();
    if (this.#ownsHome) rmSync(this.home, {recursive: true, force: true});
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise(done => setTimeout(done, ms));
}

export const ESCAPE = '\u001B';
