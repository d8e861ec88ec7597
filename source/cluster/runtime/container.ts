// One container: what it was made from, what it is now, and what runs in it.
import type {ContainerConfig, ContainerStatus} from '../../api/wire/cri.ts';
import type {Machine} from '../../sim/process/machine.ts';
import {ContainerFiles} from './container-files.ts';
import {ContainerLog} from './container-log.ts';
import {commandLine, type ImageContent} from './image.ts';
import {runComponent} from './run-component.ts';
import {runModel} from './run-model.ts';
import {runProgram, type ProgramRun} from './run-program.ts';
import type {Run, RunContext} from './run.ts';
import type {Sandbox} from './sandbox.ts';
import type {ContainerSurroundings} from './surroundings.ts';

const NO_SUCH_USER = 65534;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export interface ContainerParts {
  readonly id: string;
  readonly sandbox: Sandbox;
  readonly config: ContainerConfig;
  readonly image: ImageContent;
  readonly repository: string;
  /** The full name under which the image was asked for. */
  readonly imageName: string;
  readonly surroundings: ContainerSurroundings;
  readonly changed: (container: Container) => void;
}

/** A container of a node. */
export class Container {
  readonly parts: ContainerParts;
  readonly log: ContainerLog;
  #status: ContainerStatus;
  #run: Run | undefined;
  #machine: Machine | undefined;
  #environment: ReadonlyMap<string, string> | undefined;
  #limits: Pick<ContainerConfig, 'cpuLimit' | 'memoryLimit'> | undefined;

  constructor(parts: ContainerParts) {
    const {sandbox, config, image, repository, surroundings} = parts;
    this.parts = parts;
    this.log = new ContainerLog(surroundings.wall);
    const user = config.user ?? userOf(image.user);
    const group = config.group ?? groupOf(image.user);
    this.#status = Object.freeze({
      id: parts.id,
      sandboxId: sandbox.id,
      uid: sandbox.config.uid,
      name: config.name,
      attempt: config.attempt,
      state: 'created',
      image: parts.imageName,
      imageRef: `${repository}@${image.digest}`,
      createdAt: surroundings.wall(),
      startedAt: 0,
      finishedAt: 0,
      exitCode: 0,
      reason: '',
      message: '',
      user: {uid: user, gid: group, groups: [...new Set([group, ...(config.groups ?? [])])]},
    });
  }

  get id(): string {
    return this.parts.id;
  }

  get status(): ContainerStatus {
    return this.#status;
  }

  /** The run whose input can be attached to. */
  get input(): ProgramRun['stdin'] {
    return this.#run && 'stdin' in this.#run ? (this.#run as ProgramRun).stdin : undefined;
  }

  /** The configuration, with limits as they are now. */
  get config(): ContainerConfig {
    return this.#limits ? {...this.parts.config, ...this.#limits} : this.parts.config;
  }

  get environment(): ReadonlyMap<string, string> {
    return (this.#environment ??= this.#makeEnvironment());
  }

  /** The inside, as programs see it; made at the first look. */
  machine(): Machine {
    return (this.#machine ??= this.#makeMachine());
  }

  /** Starts it. The answer is why it cannot. */
  start(): string | undefined {
    const {config, image, repository, surroundings, sandbox} = this.parts;
    const argv = commandLine(image, config.command, config.args);
    const component = surroundings.components.get(repository);
    const context: RunContext = {
      surroundings,
      sandbox: sandbox.status,
      address: sandbox.address,
      dial: sandbox.dial,
      image,
      repository,
      argv,
      log: this.log,
      config,
      environment: config.env,
      machine: () => this.machine(),
      ended: (code, reason) => this.#ended(code, reason),
    };
    if (component) this.#run = runComponent({...context, environment: this.environment}, component);
    else if (image.program && !config.command?.length) this.#run = runModel(this.#live(context), image.program);
    else {
      const failed = this.#startProgram({...context, environment: this.environment});
      if (failed !== undefined) return failed;
    }
    this.#set({state: 'running', startedAt: surroundings.wall()});
    return undefined;
  }

  /** Sends the stop signal. */
  signal(): void {
    this.#run?.stop(this.parts.config.stopSignal ?? this.parts.image.stopSignal ?? 'SIGTERM');
  }

  /** Ends it at once. */
  kill(code = 137, reason?: string): void {
    if (this.#status.state !== 'running') return;
    this.#run?.kill();
    this.#ended(code, reason);
  }

  usage() {
    return this.#run?.usage();
  }

  /** Other limits while it runs. */
  resize(limits: Pick<ContainerConfig, 'cpuLimit' | 'memoryLimit'>): void {
    this.#limits = limits;
    this.#run?.resize?.();
  }

  /** The context as a run sees it, with limits that may change. */
  #live(context: RunContext): RunContext {
    const live = Object.create(context) as RunContext;
    Object.defineProperty(live, 'config', {get: () => this.config});
    return live;
  }

  #startProgram(context: RunContext): string | undefined {
    const [name = ''] = context.argv;
    const failed = this.whyNotExecutable(name);
    const program = failed === undefined ? this.machine().program(name) : undefined;
    this.#run = program && runProgram(context, program);
    if (this.#run) return undefined;
    const why = failed ?? `exec: "${name}": resource temporarily unavailable`;
    const message = `failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: ${why}`;
    this.#set({state: 'exited', exitCode: 128, reason: 'StartError', message, finishedAt: this.parts.surroundings.wall()});
    return message;
  }

  /** Why a command cannot be run in here; undefined when it can. */
  whyNotExecutable(name: string): string | undefined {
    if (name === '') return 'no command specified';
    const machine = this.machine();
    if (machine.program(name)) return undefined;
    if (!name.includes('/')) return `exec: "${name}": executable file not found in $PATH`;
    return machine.files.info(name)
      ? `exec: "${name}": permission denied`
      : `exec: "${name}": stat ${name}: no such file or directory`;
  }

  #ended(code: number, reason?: string): void {
    if (this.#status.state === 'exited') return;
    this.#run = undefined;
    this.log.close();
    this.#set({
      state: 'exited',
      exitCode: code,
      reason: reason ?? (code === 0 ? 'Completed' : 'Error'),
      finishedAt: this.parts.surroundings.wall(),
    });
  }

  #set(change: Partial<ContainerStatus>): void {
    this.#status = Object.freeze({...this.#status, ...change});
    this.parts.changed(this);
  }

  #makeEnvironment(): ReadonlyMap<string, string> {
    const {config, image, sandbox} = this.parts;
    const home = this.#status.user.uid === 0 ? '/root' : '/';
    return new Map([
      ['PATH', PATH],
      ['HOSTNAME', sandbox.config.hostname],
      ...Object.entries(image.env ?? {}),
      ...config.env,
      ['HOME', home],
    ]);
  }

  #makeMachine(): Machine {
    const {config, image, sandbox, surroundings, repository} = this.parts;
    const files = new ContainerFiles(surroundings.wall, config.mounts);
    for (const [path, text] of sandbox.etcFiles()) if (files.info(path) === undefined) files.place(path, text);
    for (const [path, text] of Object.entries(image.files ?? {})) files.place(path, text);
    for (const folder of ['/bin', '/dev', '/proc', '/root', '/tmp', '/usr', '/var']) files.makeFolder(folder);
    if (config.readOnlyRoot) files.seal();
    const {cpuLimit = 1} = config;
    return {
      name: sandbox.config.hostname,
      files,
      ...surroundings.programsFor(image.tools, repository),
      wall: surroundings.wall,
      dial: sandbox.dial,
      cpuShare: Math.min(1, cpuLimit),
      processLimit: 1024,
    };
  }
}

function userOf(user: string | undefined): number {
  const [name = ''] = (user ?? '').split(':');
  if (name === '' || name === 'root') return 0;
  return /^\d+$/.test(name) ? Number(name) : NO_SUCH_USER;
}

function groupOf(user: string | undefined): number {
  const [, group = ''] = (user ?? '').split(':');
  return /^\d+$/.test(group) ? Number(group) : 0;
}
