// A laptop with kubectl on it and a server to speak to: runs command lines and gives back what they print.
import {Clock} from '../../sim/clock.ts';
import {Files} from '../../sim/files.ts';
import {Kernel} from '../../sim/process/kernel.ts';
import type {Machine, Program} from '../../sim/process/machine.ts';
import type {Process} from '../../sim/process/process.ts';
import {sinkStream, textStream} from '../../sim/process/streams.ts';
import {kubectl} from '../main.ts';
import {FakeApi} from './fake-api.ts';

/** What a command line came to. */
export interface Ran {
  readonly out: string;
  readonly err: string;
  readonly code: number | undefined;
}

const START = Date.UTC(2026, 10, 30, 4, 40, 0);

const CONFIG = `apiVersion: v1
kind: Config
current-context: lab
clusters:
- name: lab
  cluster: {server: "https://10.0.0.10:6443"}
contexts:
- name: lab
  context: {cluster: lab, user: admin}
users:
- name: admin
  user: {token: secret}
`;

/** The laptop. */
export class Bench {
  readonly clock = new Clock();
  readonly kernel = new Kernel(this.clock);
  readonly files: Files;
  readonly api: FakeApi;
  readonly programs = new Map<string, Program>([['kubectl', kubectl]]);
  readonly machine: Machine;

  constructor() {
    const wall = () => START + this.clock.now;
    this.files = new Files(wall);
    this.api = new FakeApi(wall);
    this.machine = {
      name: 'laptop',
      files: this.files,
      wall,
      cpuShare: 1,
      processLimit: 100,
      program: name => this.programs.get(name),
      programNames: () => [...this.programs.keys()],
      dial: (_host, _port, request, receiver) => this.api.dial(request, receiver),
    };
    this.files.place('/root/.kube/config', CONFIG);
    this.files.makeFolder('/tmp');
  }

  /** Runs `kubectl` with these words to its end, or for `forMs` of virtual time. */
  async run(
    words: readonly string[] | string,
    options: {
      stdin?: string;
      env?: Readonly<Record<string, string>>;
      forMs?: number;
      meanwhile?: (process: Process) => void;
    } = {},
  ): Promise<Ran> {
    let out = '';
    let err = '';
    const argv = ['kubectl', ...(typeof words === 'string' ? words.split(' ') : words)];
    const process = this.kernel.spawn(kubectl, {
      argv,
      machine: this.machine,
      folder: '/root',
      environment: new Map(Object.entries({HOME: '/root', ...options.env})),
      streams: new Map([
        [0, textStream(options.stdin ?? '')],
        [1, sinkStream(text => (out += text))],
        [2, sinkStream(text => (err += text))],
      ]),
    });
    if (!process) throw new Error('no process');
    if (options.meanwhile) {
      await this.kernel.advance(this.clock.now + 50);
      options.meanwhile(process);
    }
    await this.kernel.advance(this.clock.now + (options.forMs ?? 30_000));
    return {out, err, code: process.exitCode};
  }
}
