// A machine that is a node: containerd and a kubelet on it.
import {parseImage} from '../api/wire/image-reference.ts';
import {installNetworkPlugin} from '../cluster/runtime/addresses.ts';
import {wellKnown} from '../cluster/runtime/catalogue/index.ts';
import type {ContainerLogFile} from '../cluster/host/machine-files.ts';
import {ContainerHost} from '../cluster/runtime/container-host.ts';
import {CONTENT, manifestOf} from '../cluster/runtime/image.ts';
import {startRuntime} from '../cluster/runtime/start-runtime.ts';
import type {ContainerSurroundings, StartComponent} from '../cluster/runtime/surroundings.ts';
import {startKubelet} from '../cluster/kubelet/start-kubelet.ts';
import {Client} from '../client/client.ts';
import type {Daemon} from '../sim/daemon.ts';
import {unitValue} from '../api/meta/quantity.ts';
import type {Authority} from './authority.ts';
import type {NodeDescription} from './description.ts';
import {diskUsed} from './hardware.ts';
import type {Host} from './host.ts';
import {KUBELET_CONFIG, layNode} from './machine-files.ts';
import {withRoom} from './processes/kubelet-room.ts';
import {wholeKubeletConfig} from './processes/kubelet-whole-config.ts';
import {kubeletSettings} from './processes/kubelet.ts';

export interface NodeMachineOptions {
  readonly host: Host;
  readonly description: NodeDescription;
  readonly authority: Authority;
  /** The API server that its kubelet speaks to, as a URL. */
  readonly server: string;
  /** How somebody at an address of this node reaches others. */
  /** Hears whose an address is now. */
  readonly addressGiven: (address: string, pod: string | undefined) => void;
  readonly dialFrom: ContainerSurroundings['dialFrom'];
  readonly resolve: (name: string) => string | undefined;
  readonly programsFor: ContainerSurroundings['programsFor'];
  readonly components: ReadonlyMap<string, StartComponent>;
  /** The kubelet leaves it to the controller to attach volumes, as kubelets do. */
  readonly managed: boolean;
  /** Images that somebody has pulled before, as `kubeadm config images pull` does. */
  readonly images: readonly string[];
}

const MANAGED = {'volumes.kubernetes.io/controller-managed-attach-detach': 'true'};

/** A node's containers and the processes that look after them. */
export class NodeMachine {
  readonly host: Host;
  readonly containers: ContainerHost;
  readonly #options: NodeMachineOptions;

  constructor(options: NodeMachineOptions) {
    this.#options = options;
    const {host, authority, dialFrom, programsFor, components} = options;
    const {clock, trace, dice, kernel, network} = host.physics;
    this.host = host;
    layNode(host.files, {authority, name: host.name, address: host.address, server: options.server});
    installNetworkPlugin(host.files);
    this.containers = new ContainerHost({
      clock,
      trace,
      dice,
      kernel,
      host: host.name,
      address: host.address,
      wall: host.wall,
      files: host.files,
      dialFrom,
      programsFor,
      components,
      attachAddress(address, {namespace, name}) {
        network.attach(host.name, address);
        options.addressGiven(address, `${namespace}/${name}`);
      },
      detachAddress(address) {
        network.detach(address);
        options.addressGiven(address, undefined);
      },
      listen: (address, port, listener) => host.listen(port, listener, address),
      node: host.machine,
      processes: () => host.machine.services?.() ?? [],
    });
    for (const image of options.images) this.#bring(image);
    host.files.containerLogs = () => this.#logFiles();
    host.diskBytes = unitValue(options.description.capacity['ephemeral-storage'] ?? '100Gi') || host.diskBytes;
    host.usedDiskBytes = () => diskUsed(host, this.#imageBytes());
    this.#addUnits();
  }

  #logFiles(): ContainerLogFile[] {
    return [...this.containers.containers.values()].map(({sandbox, status, log}) => ({
      namespace: sandbox.config.namespace,
      pod: sandbox.config.name,
      uid: sandbox.config.uid,
      container: status.name,
      attempt: status.attempt,
      id: status.id,
      read: () => log.lines.map(line => `${criTime(line.at)} ${line.stream} F ${line.text}\n`).join(''),
    }));
  }

  #imageBytes(): number {
    return this.containers.images.list().reduce((sum, each) => sum + each.size, 0);
  }

  #bring(image: string): void {
    const reference = parseImage(image);
    const entry = wellKnown(image);
    if (entry && !('error' in reference)) this.containers.images.add(reference, manifestOf(entry)[CONTENT]);
  }

  /** Starts containerd, then the kubelet, as at boot. */
  start(): void {
    this.host.units.boot(true);
  }

  #addUnits(): void {
    const {units, files} = this.host;
    /** A program is there as long as its file is, wherever somebody has put it. */
    const isThere = (argv: readonly string[], program: string) =>
      argv[0]?.endsWith(`/${program}`) === true && files.info(argv[0])?.kind === 'file';
    units.add({name: 'containerd', start: argv => (isThere(argv, 'containerd') ? this.#startRuntime() : undefined)});
    units.add({name: 'kubelet', start: argv => (isThere(argv, 'kubelet') ? this.#startKubelet(argv) : undefined)});
  }

  #startRuntime(): Daemon {
    const daemon = this.host.newDaemon('containerd', 'containerd.service');
    startRuntime({daemon, host: this.containers, resolve: this.#options.resolve});
    return daemon;
  }

  #startKubelet(argv: readonly string[]): Daemon {
    const {host, description} = this.#options;
    const {name, address, capacity, allocatable, labels, taints, nodeInfo} = description;
    const daemon = host.newDaemon('kubelet', 'kubelet.service');
    const launch = {daemon, argv, files: host.files, machine: host};
    const settings = kubeletSettings(launch, KUBELET_CONFIG);
    if (!settings) return daemon;
    const {api, socket, names, staticPodPath, eviction, imageGc, clientAuthorities, room, crashMostMs, configText, shutdown} =
      settings;
    const client = new Client({
      daemon,
      host: api.host,
      port: api.port,
      trusts: api.trusts,
      credentials: api.certificate ? {certificate: api.certificate} : {},
      userAgent: 'kubelet/v1.35.4',
    });
    const addresses = [
      {type: 'InternalIP' as const, address},
      {type: 'Hostname' as const, address: name},
    ];
    const annotations = this.#options.managed ? MANAGED : undefined;
    startKubelet({
      daemon,
      client,
      files: host.files,
      disks: host.physics.disks,
      socket,
      names,
      eviction,
      imageGc,
      clientAuthorities,
      configuration: () => wholeKubeletConfig(configText),
      crashMostMs,
      disk: () => ({sizeBytes: host.diskBytes, usedBytes: host.usedDiskBytes()}),
      ...(staticPodPath === undefined ? {} : {manifests: staticPodPath}),
      ...(shutdown.length === 0 ? {} : {shutdown: {groups: shutdown, inhibit: prepare => host.inhibitors.set(daemon, prepare)}}),
      node: {
        name,
        addresses,
        ...withRoom({capacity, allocatable}, room),
        allowedUnsafeSysctls: room.allowedUnsafeSysctls,
        labels: ownLabels(labels),
        taints,
        nodeInfo,
        ...(annotations ? {annotations} : {}),
      },
    });
    return daemon;
  }
}

/** The labels that a kubelet may give its own node; the others are an administrator's, as `kubeadm` marks control planes. */
export function ownLabels(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => !isRestricted(name)));
}

/** Labels of the project's own domains are refused by NodeRestriction, but for a list. */
export function isRestricted(name: string): boolean {
  return (
    /(^|\.)(kubernetes|k8s)\.io\//.test(name) &&
    !/^(kubernetes\.io\/(hostname|os|arch)|beta\.kubernetes\.io\/(os|arch|instance-type)|topology\.kubernetes\.io\/(zone|region)|(node|kubelet)\.kubernetes\.io\/.*)$/.test(
      name,
    )
  );
}

/** RFC 3339 with nanoseconds, as a runtime stamps lines. */
function criTime(ms: number): string {
  const nanos = String(Math.round((ms % 1) * 1e6)).padStart(6, '0');
  return `${new Date(Math.floor(ms)).toISOString().slice(0, -1)}${nanos}Z`;
}
