// The kubelet: one node's agent. It registers the Node and keeps it; watches the pods that are bound to it and nothing else; gives
// each a worker; hears from the runtime what became of containers; and serves logs, commands and measurements on port 10250.
//
// Pods come from two sources: the API, and manifests in a folder of the node (static pods), which need no API
// to run.
//
// A pod's worker (pod-worker.ts) asks the plan (plan-pod.ts) what is to be done, and does it with containers/ and volumes/; status/ writes
// what became of it; node/ is what concerns the whole machine, static-pods/ the manifests, server/ the port.
//
// Not modelled: device plugins, CPU and memory managers, image garbage collection, log rotation.
import type {Node, Pod} from '../../api/kinds/core-v1.ts';
import {aggregated} from '../../api/meta/go-text.ts';
import {isTerminal, isTerminating} from '../../api/meta/pod.ts';
import {builtin} from '../../api/meta/resources.ts';
import {isCriError, type ContainerStatus, type SandboxStatus} from '../../api/wire/cri.ts';
import type {Client} from '../../client/client.ts';
import {EventRecorder} from '../../client/events.ts';
import {Informers, type Informer} from '../../client/informer.ts';
import type {Daemon} from '../../sim/daemon.ts';
import type {DiskArray} from '../../sim/disk-array.ts';
import type {Files} from '../../sim/files.ts';
import {sleep, type Task} from '../../sim/task.ts';
import {admitPod, isCritical, NodeRoom, type Rejection} from './node/admission.ts';
import {ImageGc, STANDARD_IMAGE_GC, type Disk, type ImageGcSettings} from './eviction/image-gc.ts';
import {EvictionManager} from './eviction/evict.ts';
import {STANDARD_EVICTION, type EvictionSettings} from './eviction/thresholds.ts';
import {ImagePuller} from './containers/images.ts';
import type {PodEvent} from './knowledge.ts';
import {KeyedBackoff} from './containers/keyed-backoff.ts';
import {ManifestFolder} from './static-pods/manifest-folder.ts';
import {isStatic} from './static-pods/manifest-pod.ts';
import {Mirrors} from './static-pods/mirrors.ts';
import {NodeLoop} from './node/loop.ts';
import {NodeShutdown, type ShutdownSettings} from './node/shutdown.ts';
import {PodWorker} from './pod-worker.ts';
import {References} from './references.ts';
import {RuntimeClient} from './runtime-client.ts';
import {RuntimeWatch} from './node/runtime-watch.ts';
import {serveKubelet} from './server/server.ts';
import {StaticPods} from './static-pods/static-pods.ts';
import {StatusWriter} from './status/writer.ts';
import type {ClusterNames, KubeletParts, NodeConfig} from './surroundings.ts';
import {VolumesInUse} from './volumes/in-use.ts';
import {Plugins} from './volumes/plugins.ts';

export interface KubeletOptions {
  /** Its process, on the machine: `dial` reaches the runtime's socket, pods and the API server. */
  readonly daemon: Daemon;
  /** As `system:node:NAME`. */
  readonly client: Client;
  readonly node: NodeConfig;
  /** The node's disk, for hostPath volumes. */
  readonly files: Files;
  /** Disks that the cluster lends to its nodes. */
  readonly disks?: DiskArray;
  readonly socket?: string;
  readonly eviction?: EvictionSettings;
  readonly imageGc?: ImageGcSettings;
  /** The longest wait of a container that ends again and again. */
  readonly crashMostMs?: number;
  /** The node's disk; absent: it has no end. */
  readonly disk?: Disk;
  /** The folder of the manifests of static pods. */
  readonly manifests?: string;
  readonly names?: ClusterNames;
  /** Absent: the machine goes down without a word. */
  readonly shutdown?: ShutdownSettings;
  /** The keys of the authorities whose clients may use port 10250; absent: whoever shows a certificate of the API server's. */
  readonly clientAuthorities?: readonly string[];
  /** The whole configuration, as `/configz` shows it. */
  readonly configuration?: () => unknown;
}

const NO_SYSCTLS: readonly string[] = Object.freeze([]);
const pods = builtin('pods');
const nodes = builtin('nodes');

/** Starts a kubelet. */
export function startKubelet(options: KubeletOptions): void {
  new Kubelet(options).start();
}

class Kubelet {
  readonly #parts: KubeletParts;
  readonly #pods: Informer<Pod>;
  readonly #nodes: Informer<Node>;
  readonly #informers: Informers;
  readonly #workers = new Map<string, PodWorker>();
  readonly #loop: NodeLoop;
  readonly #runtime: RuntimeWatch;
  readonly #mirrors: Mirrors;
  readonly #eviction: EvictionManager;
  readonly #images: ImageGc | undefined;
  readonly #static: StaticPods;
  readonly #folder: ManifestFolder | undefined;
  readonly #shutdown: NodeShutdown | undefined;
  #registered: Node | undefined;
  #cordoned: boolean | undefined;

  constructor(options: KubeletOptions) {
    const {daemon, client, node, files, socket, names = {dns: '10.96.0.10', domain: 'cluster.local'}} = options;
    const runtime = new RuntimeClient(daemon, socket);
    const mirrorOf = (pod: Pod) => this.#mirrors.of(pod);
    const ownNode = () => this.#nodes.get(node.name) ?? this.#registered;
    this.#parts = {
      daemon,
      disks: options.disks,
      inUse: new VolumesInUse(),
      plugins: new Plugins({daemon, client, files, config: node, node: ownNode}),
      client,
      runtime,
      config: node,
      files,
      names,
      hostIP: node.addresses.find(address => address.type === 'InternalIP')?.address ?? '',
      recorder: new EventRecorder({client, component: 'kubelet', host: node.name}),
      references: new References(client),
      images: new ImagePuller(runtime, daemon.wall),
      crashes: new KeyedBackoff(options.crashMostMs),
      writer: new StatusWriter(client, pod => (isStatic(pod) ? mirrorOf(pod) : pod)),
      mirrorOf,
      room: new NodeRoom(),
      node: ownNode,
      networkNotReady: () => this.#runtime.networkNotReady,
      hasRange: () => this.#runtime.podCIDR !== undefined,
    };
    this.#informers = new Informers(client);
    this.#pods = this.#informers.of<Pod>(pods, {fieldSelector: `spec.nodeName=${node.name}`});
    this.#nodes = this.#informers.of<Node>(nodes, {fieldSelector: `metadata.name=${node.name}`});
    this.#mirrors = new Mirrors({
      client,
      node: () => this.#parts.node(),
      synced: () => this.#pods.synced,
      shown: (pod, mirror) => this.#parts.writer.show(pod, mirror),
    });
    this.#static = new StaticPods({start: pod => this.#startStatic(pod), over: pod => this.#mirrors.drop(pod)});
    this.#folder = options.manifests === undefined ? undefined : this.#folderAt(options.manifests, options);
    this.#runtime = new RuntimeWatch(this.#parts, {
      events: events => this.#hear(events),
      changed: () => this.#loop.changed(),
      back: () => this.#adopt(),
    });
    this.#images = options.disk && new ImageGc(this.#parts, options.disk, options.imageGc ?? STANDARD_IMAGE_GC);
    this.#eviction = this.#makeEviction(options);
    this.#loop = new NodeLoop({
      parts: this.#parts,
      facts: () => ({
        notReady: aggregated([this.#runtime.notReady, this.#shutdown?.notReady].filter(each => each !== undefined)),
        memoryPressure: this.#eviction.memoryPressure,
        diskPressure: this.#eviction.diskPressure,
        images: [...new Set(this.#parts.images.seen.values())],
        volumesInUse: this.#parts.inUse.names,
        now: daemon.now(),
      }),
      registered: registered => {
        this.#registered = registered;
        this.#takeNode(registered);
      },
    });
    this.#shutdown = options.shutdown && this.#makeShutdown(options.shutdown);
    this.#parts.inUse.onChange = () => this.#loop.changed();
    const {clientAuthorities, configuration} = options;
    serveKubelet({parts: this.#parts, workers: () => this.#workers.values(), clientAuthorities, configuration});
  }

  #makeEviction({disk, eviction}: KubeletOptions): EvictionManager {
    return new EvictionManager({
      parts: this.#parts,
      disk,
      images: this.#images,
      settings: eviction ?? STANDARD_EVICTION,
      workers: () => this.#workers.values(),
      // Told at once: until the scheduler knows of it, it goes on sending pods here.
      changed: () => this.#loop.sync(),
    });
  }

  #makeShutdown(settings: ShutdownSettings): NodeShutdown {
    const changed = () => this.#loop.sync();
    return new NodeShutdown({parts: this.#parts, settings, workers: () => this.#workers.values(), changed});
  }

  #folderAt(folder: string, {daemon, files, node}: KubeletOptions): ManifestFolder {
    return new ManifestFolder({daemon, files, folder, node: node.name, changed: found => this.#static.set(found)});
  }

  start(): void {
    const {daemon, config} = this.#parts;
    daemon.print(`I server.go:525] "Kubelet version" kubeletVersion="${config.nodeInfo.kubeletVersion}"`);
    this.#nodes.on({added: node => this.#takeNode(node), updated: node => this.#takeNode(node)});
    daemon.scope.run(this.#begin());
  }

  *#begin(): Task {
    const {daemon, room} = this.#parts;
    room.onRelease = () => this.#retryResizes();
    yield* this.#runtime.connect();
    if (daemon.exitCode !== undefined) return;
    daemon.print('I server.go:1257] "Started kubelet"');
    this.#loop.start();
    this.#eviction.start();
    this.#images?.start();
    this.#parts.plugins.start();
    if (this.#folder) {
      this.#folder.start();
      yield* this.#adopt();
    }
    while (!this.#parts.node()) yield* sleep(100);
    this.#pods.on({added: pod => this.#added(pod), updated: pod => this.#updated(pod), deleted: pod => this.#deleted(pod)});
    this.#informers.start(() => daemon.scope.run(this.#adopt()));
  }

  #retryResizes(): void {
    for (const worker of this.#workers.values())
      if (worker.known.pendingResize) this.#parts.daemon.scope.soon(() => worker.retryResize());
  }

  #takeNode(node: Node): void {
    const {recorder, daemon, runtime, config} = this.#parts;
    this.#loop.take(node);
    const {podCIDR, unschedulable = false} = node.spec ?? {};
    if (podCIDR !== undefined && podCIDR !== this.#runtime.podCIDR) {
      this.#runtime.podCIDR = podCIDR;
      daemon.scope.run(runtime.ask({kind: 'update-runtime-config', podCIDR}), () => this.#runtime.look());
    }
    if (this.#cordoned !== undefined && this.#cordoned !== unschedulable) {
      const reason = unschedulable ? 'NodeNotSchedulable' : 'NodeSchedulable';
      recorder.recordOn(
        {kind: 'Node', name: config.name, uid: config.name},
        {type: 'Normal', reason, message: `Node ${config.name} status is now: ${reason}`},
      );
    }
    this.#cordoned = unschedulable;
  }

  #hear(events: readonly PodEvent[]): void {
    const looks = new Map<PodWorker, 'now' | 'later'>();
    for (const event of events) {
      const worker = this.#workers.get(event.kind === 'removed' ? event.uid : event.status.uid);
      const when = worker?.hear(event);
      if (worker && (when === 'later' || (when === 'now' && !looks.has(worker)))) looks.set(worker, when);
    }
    for (const [worker, when] of looks) if (when === 'now') worker.wake();
  }

  /** A static pod begins. It is shown to the API, which need not be there. */
  #startStatic(pod: Pod): PodWorker {
    const worker = new PodWorker(this.#parts, pod, done => this.#done(done));
    this.#workers.set(pod.metadata.uid, worker);
    const {room} = this.#parts;
    const node = this.#parts.node();
    const rejection = node && !isCritical(pod) ? this.#admit(pod, node) : undefined;
    this.#mirrors.want(pod);
    if (rejection) worker.reject(rejection);
    else room.take(pod);
    if (this.#looked && !rejection) worker.wake();
    return worker;
  }

  #admit(pod: Pod, node: Node): Rejection | undefined {
    const {room, config} = this.#parts;
    if (this.#shutdown?.rejection) return this.#shutdown.rejection;
    return admitPod(pod, node, room, {pressures: this.#eviction, sysctls: config.allowedUnsafeSysctls ?? NO_SYSCTLS});
  }

  #added(pod: Pod): void {
    if (this.#mirrors.take(pod)) return;
    const {uid} = pod.metadata;
    const before = this.#workers.get(uid);
    if (before) {
      before.update(pod);
      return;
    }
    if (isTerminal(pod) && !isTerminating(pod)) return;
    const worker = new PodWorker(this.#parts, pod, done => this.#done(done));
    this.#workers.set(uid, worker);
    const {room} = this.#parts;
    const node = this.#parts.node();
    const isNew = pod.status?.startTime === undefined && !isTerminating(pod);
    const rejection = node && isNew ? this.#admit(pod, node) : undefined;
    if (rejection) {
      worker.reject(rejection);
      return;
    }
    room.take(pod);
    if (this.#adopted) worker.wake();
  }

  #updated(pod: Pod): void {
    if (this.#mirrors.take(pod)) return;
    const worker = this.#workers.get(pod.metadata.uid);
    if (worker) worker.update(pod);
    else this.#added(pod);
  }

  #deleted(pod: Pod): void {
    if (!this.#mirrors.lose(pod)) this.#workers.get(pod.metadata.uid)?.remove();
  }

  #done(worker: PodWorker): void {
    const {metadata, spec} = worker.pod;
    this.#workers.delete(metadata.uid);
    for (const {name} of [...spec.containers, ...(spec.initContainers ?? [])])
      this.#parts.crashes.forget(`${metadata.uid} ${name}`);
    this.#static.done(worker);
  }

  /** What runs here was found again: for static pods, and for those of the API. */
  #looked = false;
  #adopted = false;

  /** Finds again what runs already, after a start of the kubelet or of the runtime, and ends what belongs to no pod. */
  *#adopt(): Task {
    const {runtime, daemon} = this.#parts;
    const sandboxes = yield* runtime.ask<readonly SandboxStatus[]>({kind: 'sandboxes'});
    const containers = yield* runtime.ask<readonly ContainerStatus[]>({kind: 'containers'});
    if (isCriError(sandboxes) || isCriError(containers)) return;
    for (const status of sandboxes) {
      const worker = this.#workers.get(status.uid);
      if (worker) worker.known.take({kind: 'sandbox', status});
      else if (this.#pods.synced) daemon.scope.run(runtime.ask({kind: 'remove-sandbox', id: status.id}));
    }
    for (const status of containers) this.#workers.get(status.uid)?.adopt(status);
    this.#looked = true;
    this.#adopted ||= this.#pods.synced;
    this.#mirrors.lookAtAll();
    for (const worker of this.#workers.values()) worker.wake();
  }
}
