// A machine to run scripts on, for the tests of this room.
import {Clock} from '../../sim/clock.ts';
import {Files} from '../../sim/files.ts';
import {Kernel} from '../../sim/process/kernel.ts';
import type {Machine, Program} from '../../sim/process/machine.ts';
import type {Process} from '../../sim/process/process.ts';
import {nullStream, sinkStream, textStream} from '../../sim/process/streams.ts';
import {Terminal} from '../../sim/process/terminal.ts';
import {shellPrograms} from '../index.ts';

/** What a script printed, and how and when it ended. */
export interface Outcome {
  readonly out: string;
  readonly err: string;
  readonly code: number | undefined;
  readonly at: number;
}

const START = Date.UTC(2026, 0, 5, 9, 0, 0);

/** How a test's machine differs. */
export interface LaptopOptions {
  readonly programs?: ReadonlyMap<string, Program>;
  readonly cpuShare?: number;
  readonly processLimit?: number;
  readonly machine?: Partial<Machine>;
}

/** A machine with a kernel and a clock of its own. */
export class Laptop {
  readonly clock = new Clock();
  readonly kernel = new Kernel(this.clock);
  readonly files: Files;
  readonly machine: Machine;
  readonly environment = new Map([
    ['HOME', '/home/nina'],
    ['USER', 'nina'],
    ['PATH', '/usr/local/bin:/usr/bin:/bin'],
  ]);

  constructor(options: LaptopOptions = {}) {
    const wall = (): number => START + this.clock.now;
    this.files = new Files(wall);
    this.files.makeFolder('/home/nina');
    this.files.makeFolder('/tmp');
    const programs = new Map([...shellPrograms(), ...(options.programs ?? [])]);
    this.machine = {
      name: 'laptop',
      files: this.files,
      program: name => programs.get(name.replace(/^\/(usr\/)?(local\/)?s?bin\//, '')),
      programNames: () => [...programs.keys()].sort(),
      wall,
      dial: () => ({send: () => undefined, cancel: () => undefined}),
      cpuShare: options.cpuShare ?? 1,
      processLimit: options.processLimit ?? 500,
      identity: {name: 'nina', uid: 1000, gid: 1000},
      ...options.machine,
    };
  }

  /** Starts a command; its output goes to `write`, stream 1 or 2. */
  start(argv: readonly string[], write: (fd: number, text: string) => void, input = ''): Process {
    const program = this.machine.program(argv[0] ?? '');
    if (!program) throw new Error(`no program ${argv[0]}`);
    const process = this.kernel.spawn(program, {
      argv,
      machine: this.machine,
      folder: '/home/nina',
      environment: this.environment,
      streams: new Map([
        [0, input === '' ? nullStream() : textStream(input)],
        [1, sinkStream(text => write(1, text))],
        [2, sinkStream(text => write(2, text))],
      ]),
    });
    if (!process) throw new Error('too many processes');
    return process;
  }

  /** Runs a command to its end, or for so many virtual milliseconds. */
  async run(argv: readonly string[], limitMs = 120_000, input = ''): Promise<Outcome> {
    const texts = ['', '', ''];
    const process = this.start(argv, (fd, text) => (texts[fd] += text), input);
    let at = this.clock.now;
    process.onEnd(() => (at = this.clock.now));
    const end = this.clock.now + limitMs;
    while (process.exitCode === undefined && this.clock.next <= end) await this.kernel.step();
    return {out: texts[1] ?? '', err: texts[2] ?? '', code: process.exitCode, at};
  }

  /** Runs a script with `bash -c`. */
  bash(script: string, limitMs?: number, input?: string): Promise<Outcome> {
    return this.run(['bash', '-c', script], limitMs, input);
  }
}

/** A terminal with an interactive bash, as a player has it. */
export class Session {
  readonly laptop: Laptop;
  readonly terminal: Terminal;
  readonly shell: Process;
  screen = '';

  constructor(laptop = new Laptop(), name = 'bash') {
    this.laptop = laptop;
    this.terminal = new Terminal(laptop.kernel, text => (this.screen += text));
    const stream = this.terminal.stream;
    const program = laptop.machine.program('bash');
    const shell =
      program &&
      laptop.kernel.spawn(program, {
        argv: [name],
        machine: laptop.machine,
        folder: '/home/nina',
        environment: laptop.environment,
        streams: new Map([0, 1, 2].map(fd => [fd, stream] as const)),
      });
    if (!shell) throw new Error('no bash');
    this.shell = shell;
  }

  /** Types a line and lets time pass. */
  async type(line: string, ms = 1000): Promise<void> {
    this.terminal.type(`${line}\n`);
    await this.pass(ms);
  }

  async pass(ms: number): Promise<void> {
    await this.laptop.kernel.advance(this.laptop.clock.now + ms);
  }

  /** What was shown since the last call. */
  take(): string {
    const {screen} = this;
    this.screen = '';
    return screen;
  }
}
