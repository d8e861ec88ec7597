// One container: what it was made from, what it is now, and what runs in it. There is one for each of a hundred thousand, so
// what only few need (an inside with files and programs, an environment) is made when somebody asks.
import type {ContainerConfig, ContainerStatus, Mount} from '../../api/wire/cri.ts';
import {FILE_ERROR_TEXT, followPath} from '../../sim/files.ts';
import type {Identity, Machine, Program} from '../../sim/process/machine.ts';
import {capabilitiesOf} from './capabilities.ts';
import {ContainerFiles} from './container-files.ts';
import {ContainerLog} from './container-log.ts';
import {commandLine, hasScript, isNamed, isOwn, type ImageContent, type Start} from './image.ts';
import {whyNotMounted} from './mount-check.ts';
import {foldersOf} from './image-folders.ts';
import {placeProcFiles} from './proc-files.ts';
import {processesIn, streamOf, targetOf, type FirstProcess} from './processes.ts';
import type {ProgramModel} from './program-model.ts';
import {runComponent} from './run-component.ts';
import {runInside} from './run-inside.ts';
import {ModelRun} from './run-model.ts';
import {runProgram, type ProgramRun} from './run-program.ts';
import type {Run, RunContext} from './run.ts';
import type {Sandbox} from './sandbox.ts';
import type {ContainerSurroundings} from './surroundings.ts';

const NO_SUCH_USER = 65534;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export interface ContainerParts {
  readonly sandbox: Sandbox;
  readonly config: ContainerConfig;
  readonly image: ImageContent;
  readonly repository: string;
  /** The full name under which the image was asked for. */
  readonly imageName: string;
  /** Hears of every change. */
  readonly host: {readonly surroundings: ContainerSurroundings; changed(container: Container): void};
}

type Limits = Pick<ContainerConfig, 'cpuLimit' | 'memoryLimit'>;

/** A container of a node. */
export class Container implements RunContext {
  readonly sandbox: Sandbox;
  readonly image: ImageContent;
  readonly log: ContainerLog;
  readonly repository: string;
  readonly #host: ContainerParts['host'];
  #config: ContainerConfig;
  #status: ContainerStatus;
  #run: Run | undefined;
  /** Models that a program in here started. */
  #inside: ReadonlySet<Run> | undefined;
  #machine: Machine | undefined;
  #environment: ReadonlyMap<string, string> | undefined;

  constructor(id: string, parts: ContainerParts) {
    const {sandbox, config, image, repository, host, imageName} = parts;
    this.sandbox = sandbox;
    this.image = image;
    this.repository = repository;
    this.#host = host;
    this.#config = config;
    const {wall} = host.surroundings;
    this.log = new ContainerLog(wall);
    this.#status = Object.freeze({
      id,
      sandboxId: sandbox.id,
      uid: sandbox.config.uid,
      name: config.name,
      attempt: config.attempt,
      state: 'created',
      image: imageName,
      imageRef: image.digestRef,
      imageId: image.configDigest,
      createdAt: wall(),
      startedAt: 0,
      finishedAt: 0,
      exitCode: 0,
      reason: '',
      message: '',
      user: userOf(config, image),
    });
  }

  get id(): string {
    return this.#status.id;
  }

  get status(): ContainerStatus {
    return this.#status;
  }

  get config(): ContainerConfig {
    return this.#config;
  }

  get surroundings(): ContainerSurroundings {
    return this.#host.surroundings;
  }

  get argv(): readonly string[] {
    return commandLine(this.image, this.#config.command, this.#config.args);
  }

  get environment(): ReadonlyMap<string, string> {
    return (this.#environment ??= this.#makeEnvironment());
  }

  /** The input that one may attach to. */
  get input(): ProgramRun['stdin'] {
    return this.#run && 'stdin' in this.#run ? (this.#run as ProgramRun).stdin : undefined;
  }

  machine(): Machine {
    return (this.#machine ??= this.#makeMachine());
  }

  /** Starts it. The answer is why it cannot. */
  start(): string | undefined {
    const unmounted = this.#config.mountsVolumes
      ? whyNotMounted(this.#config.mounts(), Object.keys(this.image.files ?? {}))
      : undefined;
    if (unmounted !== undefined) return this.#failedStart(unmounted);
    const component = this.surroundings.components.get(this.repository);
    if (component) this.#run = runComponent(this, component);
    else {
      const model = this.#model();
      if (model) this.#run = new ModelRun(this, model);
      else {
        const failed = this.#startProgram();
        if (failed !== undefined) return failed;
      }
    }
    this.#set({state: 'running', startedAt: this.surroundings.wall()});
    return undefined;
  }

  /** Sends the stop signal. */
  signal(): void {
    this.#run?.stop(this.#config.stopSignal ?? this.image.stopSignal ?? 'SIGTERM');
  }

  /** Ends it at once. */
  kill(code = 137, reason?: string): void {
    if (this.#status.state !== 'running') return;
    this.#run?.kill();
    this.ended(code, reason);
  }

  /** What it has written: into its own layer, where it has one, and into its log. */
  get diskBytes(): number {
    return (this.#machine?.files.usedBytes ?? 0) + this.log.bytes;
  }

  usage(): ReturnType<Run['usage']> | undefined {
    const usage = this.#run?.usage();
    if (!usage || !this.#inside) return usage;
    const all = [usage, ...[...this.#inside].map(run => run.usage())];
    const sum = (key: keyof typeof usage) => all.reduce((total, each) => total + each[key], 0);
    return {cpuCores: sum('cpuCores'), cpuSeconds: sum('cpuSeconds'), memoryBytes: sum('memoryBytes')};
  }

  /** Other limits while it runs. */
  resize(limits: Limits): void {
    this.#config = {...this.#config, ...limits};
    this.#run?.resize?.();
  }

  ended(code: number, reason?: string): void {
    if (this.#status.state === 'exited') return;
    this.#run = undefined;
    this.log.close();
    this.#set({
      state: 'exited',
      exitCode: code,
      reason: reason ?? (code === 0 ? 'Completed' : 'Error'),
      finishedAt: this.surroundings.wall(),
    });
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

  /** A file as it is in here. Where nobody has looked inside yet and nothing is mounted over it, it is the image's. */
  fileText(path: string): string | undefined {
    const isImages = !this.#machine && !this.#config.mounts().some(mount => path.startsWith(mount.path));
    if (isImages) return this.image.files?.[path];
    const {files} = this.machine();
    const real = followPath(files, {folder: '/', path, last: true});
    return real === undefined ? undefined : files.read(real);
  }

  /** The model that this command line runs; undefined where it is a real program. */
  #model(): ProgramModel | undefined {
    const {image, argv} = this;
    const {command, args} = this.#config;
    if (!image.program) return undefined;
    if (command?.length && !image.command && !image.entrypoint) return undefined;
    if ((command?.length || args?.length) && !isOwn(image, argv)) return undefined;
    return image.modelFor && !this.#isOrdinary(image.reads) ? image.modelFor(this.#start(this)) : image.program;
  }

  /** A program by its name: those of the image, and what it is made for, where that is not what runs already. */
  #programNamed(name: string, known: Program | undefined): Program | undefined {
    const {image, surroundings} = this;
    if (!image.program || !isNamed(image, name) || this.#run instanceof ModelRun || surroundings.components.has(this.repository))
      return known;
    const modelFor = (words: readonly string[], environment: ReadonlyMap<string, string>) => {
      const argv = commandLine(image, words, undefined);
      if (!isOwn(image, argv)) return undefined;
      return image.modelFor ? image.modelFor(this.#start({argv, environment})) : image.program;
    };
    const count = (run: Run) => {
      this.#inside = new Set([...(this.#inside ?? []), run]);
      return () => {
        this.#inside = new Set([...(this.#inside ?? [])].filter(each => each !== run));
      };
    };
    return runInside({context: this, modelFor, count}, known);
  }

  /** Nothing that a program of fixed configuration could see sets it apart from any other container of its image. */
  #isOrdinary(reads: readonly string[] | undefined): boolean {
    const {command, args, readOnlyRoot, capabilities, mounts} = this.#config;
    if (!reads || command?.length || args?.length || readOnlyRoot || capabilities || this.#status.user.uid !== 0) return false;
    return !mounts().some(({path}) => reads.some(folder => path.startsWith(folder) || folder.startsWith(`${path}/`)));
  }

  #start({argv, environment}: Pick<Start, 'argv' | 'environment'>): Start {
    const {sandbox} = this;
    const files = () => this.machine().files;
    return {
      argv,
      environment,
      hostname: sandbox.config.hostname,
      uid: this.#status.user.uid,
      fileText: path => this.fileText(path),
      namesIn: folder => files().list(folder) ?? [],
      cannotMake(folder) {
        const error = files().makeFolder(folder);
        return error === undefined || error === 'EEXIST' ? undefined : FILE_ERROR_TEXT[error];
      },
      may: capability => this.machine().identity?.capabilities?.has(capability) ?? true,
    };
  }

  /** The program of the command line; where a script of the image starts it, that script misses what is not there. */
  #program(name: string, failed: string | undefined): Program | undefined {
    if (failed === undefined) return this.machine().program(name);
    const {entrypoint = []} = this.image;
    if (!hasScript(this.image) || this.#config.command?.length) return undefined;
    return async process => {
      await process.err(`${entrypoint[0]}: exec: line 47: ${name}: not found\n`);
      return 127;
    };
  }

  #startProgram(): string | undefined {
    const [name = ''] = this.argv;
    const failed = this.whyNotExecutable(name);
    const program = this.#program(name, failed);
    this.#run = program && runProgram(this, program);
    if (this.#run) return undefined;
    return this.#failedStart(failed ?? `exec: "${name}": resource temporarily unavailable`);
  }

  #failedStart(why: string): string {
    const message = `failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: ${why}`;
    this.#set({state: 'exited', exitCode: 128, reason: 'StartError', message, finishedAt: this.surroundings.wall()});
    return message;
  }

  #set(change: Partial<ContainerStatus>): void {
    this.#status = Object.freeze({...this.#status, ...change});
    this.#host.changed(this);
  }

  /** What runs in it, as those who share its processes see it. */
  get first(): FirstProcess | undefined {
    const run = this.#run;
    if (!run) return undefined;
    const {clock, wall, kernel} = this.surroundings;
    return {
      argv: kernel.processes.get(run.pid ?? -1)?.argv ?? this.argv,
      startedMs: clock.now - (wall() - this.#status.startedAt),
      memoryBytes: run.usage().memoryBytes,
      ...(run.pid === undefined ? {} : {pid: run.pid}),
      stop: signal => run.stop(signal),
      kill: () => this.kill(),
    };
  }

  #makeEnvironment(): ReadonlyMap<string, string> {
    const home = this.#status.user.uid === 0 ? '/root' : '/';
    const base: [string, string][] = [
      ['PATH', PATH],
      ['HOSTNAME', this.sandbox.config.hostname],
      ...Object.entries(this.image.env ?? {}),
    ];
    return new Map([...base, ...this.#config.env, ['HOME', home]]);
  }

  /** The files of the container whose processes it sees, by way of the first of them. */
  #rootOfTarget(): readonly Mount[] {
    const target = targetOf(this);
    if (!target) return [];
    return [{source: '/proc/1/root', path: '/proc/1/root', readOnly: false, files: () => target.machine().files, from: '/'}];
  }

  /** Is the node's whole disk mounted there? */
  #mountsRootAt(path: string): boolean {
    const isRoot = ({path: at, from, files}: Mount) => at === path && from === '/' && files() === this.surroundings.files;
    return this.#config.mounts().some(isRoot);
  }

  #makeMachine(): Machine {
    const {sandbox, image, surroundings} = this;
    const {wall} = surroundings;
    const files = new ContainerFiles(wall, [...this.#config.mounts(), ...this.#rootOfTarget()]);
    for (const [path, text] of sandbox.etcFiles()) files.bring(path, text);
    for (const [path, text] of Object.entries(image.files ?? {})) files.bring(path, text);
    for (const folder of foldersOf(image.tools)) files.makeFolder(folder);
    placeProcFiles(files, {
      uid: this.#status.user.uid,
      argv: this.argv,
      sysctls: sandbox.config.sysctls,
      config: () => this.#config,
      memoryBytes: () => this.#run?.usage().memoryBytes ?? 0,
    });
    const {program, ...programs} = surroundings.programsFor(image.tools, this.repository);
    if (this.#config.readOnlyRoot) files.seal();
    if (this.#status.user.uid !== 0) files.guard(this.#status.user);
    return {
      name: sandbox.config.hostname,
      files,
      ...programs,
      program: name => this.#programNamed(name, program(name)),
      wall,
      dial: sandbox.dialer(),
      listen: (address, port, listener) => sandbox.listen(port, listener, address),
      services: () => processesIn(this),
      rootAt: path => (this.#mountsRootAt(path) ? surroundings.node : undefined),
      device: path => streamOf(path, this.log),
      cpuShare: Math.min(1, this.#config.cpuLimit ?? 1),
      processLimit: 1024,
      identity: identityOf(this.#status.user, capabilitiesOf(this.#config)),
      memory: {limitBytes: () => this.#config.memoryLimit ?? Infinity, exceeded: () => this.kill(137, 'OOMKilled')},
    };
  }
}

function identityOf({uid, gid, groups}: ContainerStatus['user'], capabilities: ReadonlySet<string>): Identity {
  const name = uid === 0 ? 'root' : uid === NO_SUCH_USER ? 'nobody' : '';
  return {name, uid, gid, capabilities, groups: groups.filter(id => id !== gid).map(id => ({id}))};
}

const users = new Map<string, ContainerStatus['user']>();

/** Who it runs as; one record for all that run as the same. */
function userOf({user, group, groups = []}: ContainerConfig, image: ImageContent): ContainerStatus['user'] {
  const [ofImage = '', groupOfImage = ''] = (image.user ?? '').split(':');
  const uid = user ?? (ofImage === '' || ofImage === 'root' ? 0 : /^\d+$/.test(ofImage) ? Number(ofImage) : NO_SUCH_USER);
  const gid = group ?? (/^\d+$/.test(groupOfImage) ? Number(groupOfImage) : 0);
  const key = `${uid} ${gid} ${groups.join(' ')}`;
  const known = users.get(key);
  if (known) return known;
  const made = Object.freeze({uid, gid, groups: Object.freeze([...new Set([gid, ...groups])])});
  users.set(key, made);
  return made;
}
