// The player: a laptop with a home folder, a kubeconfig, programs, and a terminal in which a shell runs.
import {Terminal} from '../sim/process/terminal.ts';
import type {Process} from '../sim/process/process.ts';
import {sinkStream, textStream} from '../sim/process/streams.ts';
import type {Machine, Program} from '../sim/process/machine.ts';
import {complete, type Completer, type Completion} from '../shell/completion/complete.ts';
import {kubectlWords} from '../shell/completion/kubectl.ts';
import {makeVi, type EditRequest} from '../tools/vi/vi.ts';
import {makeWhy} from '../tools/why/why.ts';
import type {PlayerDescription} from './description.ts';
import type {Cluster} from './cluster.ts';
import type {Host} from './host.ts';
import {playersSsh} from './node-programs.ts';

/** What a command came to. */
export interface Outcome {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

export type {EditRequest};

/** The longest that a command of the line mode may take, in virtual milliseconds. */
const COMMAND_WITHIN_MS = 120_000;
const TIMED_OUT = 124;

/** Programs that know their own words. */
const COMPLETERS: ReadonlyMap<string, Completer> = new Map<string, Completer>([
  ['kubectl', (words, index, ask) => kubectlWords(words.slice(1, index + 1), ask)],
  ['why', (words, index, ask) => kubectlWords(['get', 'pod', words[index] ?? ''], ask)],
]);

/** Programs that a level may keep from the player; all others are on every machine. */
const GUARDED = ['kubectl', 'vi', 'curl', 'wget', 'ssh', 'scp', 'helm'];

export class Player {
  readonly description: PlayerDescription;
  readonly home: string;
  readonly #cluster: Cluster;
  readonly #laptop: Host;
  readonly #environment: ReadonlyMap<string, string>;
  readonly #handed = new Map<string, {readonly text: string; readonly on: Set<Machine>}>();
  /** Set by the game: called when a program opens the editor. Without it there is no editor. */
  onEdit: ((request: EditRequest) => void) | undefined;

  constructor(cluster: Cluster, description: PlayerDescription) {
    this.#cluster = cluster;
    this.description = description;
    this.#laptop = cluster.laptop;
    this.home = `/home/${description.user}`;
    this.#environment = new Map([
      ['HOME', this.home],
      ['USER', description.user],
      ['LOGNAME', description.user],
      ['SHELL', '/bin/bash'],
      ['PATH', '/usr/local/bin:/usr/bin:/bin'],
      ['LANG', 'C.UTF-8'],
      ['TZ', 'UTC'],
      ['PWD', this.home],
      ['EDITOR', 'vi'],
      ...Object.entries(description.environment ?? {}),
    ]);
    const {trace, startMs} = cluster.physics;
    const {programs} = this.#laptop;
    const vi = makeVi(request => {
      this.onEdit?.(request);
      return this.onEdit !== undefined;
    });
    for (const name of ['vi', 'vim', 'nano', 'edit']) for (const where of [programs, cluster.nodePrograms]) where.set(name, vi);
    programs.set('why', makeWhy({trace, startMs}));
    for (const [name, program] of playersSsh(cluster, description.ssh)) programs.set(name, program);
    for (const name of GUARDED) if (description.allowed.length > 0 && !description.allowed.includes(name)) programs.delete(name);
  }

  get machine(): Machine {
    return this.#laptop.machine;
  }

  get environment(): ReadonlyMap<string, string> {
    return this.#environment;
  }

  /** Puts a file into the home folder, or at an absolute path. */
  writeFile(name: string, text: string): void {
    if (!name.startsWith('/')) this.#handed.set(name, {text, on: new Set()});
    this.machine.files.place(name.startsWith('/') ? name : `${this.home}/${name}`, text);
  }

  /** Who is typed at has the player's files in the folder that is worked in: each is brought there once. */
  #handOver(machine: Machine): void {
    for (const [name, {text, on}] of this.#handed) {
      if (!on.has(machine)) machine.files.place(`/root/${name}`, text);
      on.add(machine);
    }
  }

  readFile(path: string): string | undefined {
    return this.machine.files.read(path);
  }

  /** Starts the player's interactive shell; `show` gets all that it prints. */
  openShell(show: (text: string) => void): {readonly terminal: Terminal; readonly shell: Process | undefined} {
    const {kernel} = this.#cluster.physics;
    const terminal = new Terminal(kernel, show);
    const streams = new Map([0, 1, 2].map(fd => [fd, terminal.stream] as const));
    const environment = new Map([...this.#environment, ['TERM', 'xterm-256color']]);
    const shell = kernel.spawn(this.#cluster.bash, {
      argv: ['bash'],
      machine: this.machine,
      environment,
      folder: this.home,
      streams,
      group: 'new',
    });
    return {terminal, shell};
  }

  /** Runs one command as `bash -c`, on the laptop or as root on a node, and lets time pass until all that holds its output has ended. */
  async run(command: string, host?: string): Promise<Outcome> {
    const machine = host === undefined ? this.machine : this.#cluster.machine(host)?.machine;
    if (!machine) return {out: '', err: `there is no machine ${host}\n`, code: 255};
    if (host !== undefined) this.#handOver(machine);
    const environment = host === undefined ? this.#environment : this.#cluster.rootEnvironment(host);
    return this.#spawn(this.#cluster.bash, {
      argv: ['bash', '-c', command],
      machine,
      environment,
      folder: environment.get('HOME') ?? '/',
    });
  }

  /** What could stand at the cursor of a line that is being typed (in characters). A little time passes where names are asked for. */
  complete(line: string, cursor: number, folder = this.home): Promise<Completion> {
    const ask = async (argv: readonly string[]) => {
      const found = this.machine.program(argv[0] ?? '');
      return found ? (await this.#spawn(found, {argv, machine: this.machine, environment: this.#environment, folder})).out : '';
    };
    return complete({line, cursor, machine: this.machine, environment: this.#environment, folder, completers: COMPLETERS, ask});
  }

  async #spawn(
    program: Program,
    options: {argv: readonly string[]; machine: Machine; environment: ReadonlyMap<string, string>; folder: string},
  ): Promise<Outcome> {
    const {kernel} = this.#cluster.physics;
    const said = {out: '', err: ''};
    let holders = 0;
    const counted = (take: (text: string) => void) => countedStream(take, change => (holders += change));
    const streams = new Map([
      [0, textStream('')],
      [1, counted(text => (said.out += text))],
      [2, counted(text => (said.err += text))],
    ]);
    const process = kernel.spawn(program, {...options, streams, group: 'new'});
    if (!process) return {...said, err: 'bash: fork: retry: Resource temporarily unavailable\n', code: 254};
    const deadline = kernel.clock.now + COMMAND_WITHIN_MS;
    while ((process.exitCode === undefined || holders > 0) && kernel.clock.next <= deadline) await kernel.step();
    if (process.exitCode !== undefined && holders === 0) return {...said, code: process.exitCode};
    kernel.signalGroup(process.group, 'KILL');
    if (kernel.clock.next > deadline) kernel.clock.settle(deadline);
    return {...said, code: process.exitCode !== undefined && process.exitCode !== 137 ? process.exitCode : TIMED_OUT};
  }
}

/** A sink that counts who holds it, so that a background job that may still print is waited for. */
function countedStream(take: (text: string) => void, count: (change: number) => void) {
  const sink = sinkStream(take);
  const make = (held: boolean): ReturnType<typeof sinkStream> => {
    let open = held;
    if (held) count(1);
    return {
      ...sink,
      share: () => make(true),
      close() {
        if (open) count(-1);
        open = false;
      },
    };
  };
  return make(false);
}
