// The machines of the control plane: etcd, API server, controller-manager and scheduler on each, with the flags of their kubeadm
// manifests. Where the kubelet is to start them as static pods, only the files are laid here; else they are plain processes. etcd's
// disks are those of a cluster that grew as kubeadm grows one, as after a reboot.
import type {KubeadmMachine} from '../api/kubeadm/certificates.ts';
import {commandOf, manifestText, withCommand, type StaticPodName} from '../api/kubeadm/manifests.ts';
import {grownDisks} from '../cluster/etcd/grown.ts';
import type {Member} from '../cluster/etcd/start.ts';
import type {Authority} from './authority.ts';
import {API_ADDRESS, SERVICE_ADDRESS} from './description.ts';
import type {Host} from './host.ts';
import {layControlPlane, MANIFESTS} from './machine-files.ts';
import {launchApiServer} from './processes/api-server.ts';
import {launchControllerManager} from './processes/controller-manager.ts';
import {layDisk} from './processes/data-directory.ts';
import {launchEtcd} from './processes/etcd.ts';
import type {Launch} from './processes/launch.ts';
import {launchScheduler} from './processes/scheduler.ts';

export type ComponentName = 'etcd' | 'apiserver' | 'kcm' | 'scheduler';

/** The machines that run the control plane, and what they share. */
export interface ControlPlaneOptions {
  readonly hosts: readonly Host[];
  readonly authority: Authority;
  /** The kubelets start the components. */
  readonly staticPods: boolean;
  readonly podNetwork: string;
}

/** The components by their short names. */
export const BINARIES: Readonly<Record<ComponentName, StaticPodName>> = {
  etcd: 'etcd',
  apiserver: 'kube-apiserver',
  kcm: 'kube-controller-manager',
  scheduler: 'kube-scheduler',
};

const COMPONENTS = Object.keys(BINARIES) as ComponentName[];
const DATA = '/var/lib/etcd';
/** Between two members that joined, in seconds, and before the start of the world. */
const JOINED_APART_S = 40;
const JOINED_BEFORE_S = 3600;

/** The control plane of a cluster. */
export class ControlPlane {
  readonly #options: ControlPlaneOptions;
  readonly #hosts: Host[];
  readonly #members = new Map<string, Member>();
  /** Plain processes that are meant to run: they come up with their machine. */
  readonly #wanted = new Map<string, readonly string[]>();
  /** Manifests that were taken away, by path. */
  readonly #setAside = new Map<string, string>();

  constructor(options: ControlPlaneOptions) {
    this.#options = options;
    this.#hosts = [...options.hosts];
    for (const [i, host] of this.#hosts.entries()) this.#lay(host, this.#hosts.slice(0, i + 1));
    this.#layDisks();
  }

  #lay(host: Host, members: readonly Host[]): void {
    const {authority, staticPods, podNetwork} = this.#options;
    layControlPlane(host.files, {authority, machine: machineOf(host, podNetwork), members, manifests: staticPods});
  }

  #layDisks(): void {
    const [first] = this.#hosts;
    if (!first) return;
    const start = Math.floor(first.physics.startMs / 1000) - JOINED_BEFORE_S;
    const grown = this.#hosts.map(({name, address}, i) => ({
      name,
      peerUrls: [`https://${address}:2380`],
      clientUrls: [`https://${address}:2379`],
      addedSecond: start + i * JOINED_APART_S,
    }));
    for (const [i, disk] of grownDisks(grown).entries()) {
      const host = this.#hosts[i];
      if (host) layDisk(host.files, DATA, disk);
    }
  }

  /** Starts everything, as at boot. */
  start(): void {
    if (this.#options.staticPods) return;
    for (const component of COMPONENTS) for (const {name} of this.#hosts) this.startComponent(component, name);
  }

  /** A machine that comes to the control plane later: laid out as one that joins, with nothing running. */
  join(host: Host): void {
    this.#hosts.push(host);
    this.#lay(host, this.#hosts);
  }

  /**
   * Starts a component as a plain process; one that runs already is ended first. Of a static pod the manifest is laid, with the
   * given flags in the place of its own. False when there is no such machine.
   */
  startComponent(component: ComponentName, hostName: string, flags: readonly string[] = []): boolean {
    const host = this.#hosts.find(each => each.name === hostName);
    if (!host) return false;
    if (this.#options.staticPods) {
      const path = `${MANIFESTS}/${BINARIES[component]}.yaml`;
      const text = host.files.read(path) ?? this.#setAside.get(path) ?? this.#manifestOf(component, host);
      host.files.place(path, withCommand(text, withFlags(commandOf(text), flags)), 0o600);
      return true;
    }
    const argv = withFlags(this.#commandOf(component, host), flags);
    this.#wanted.set(`${component} ${hostName}`, argv);
    this.#launch(component, host, argv);
    return true;
  }

  #launch(component: ComponentName, host: Host, argv: readonly string[]): void {
    this.launch({daemon: host.newDaemon(BINARIES[component]), argv, files: host.files, machine: host});
  }

  /** Runs one of the components by its command line, in a process that somebody has made for it. */
  launch(launch: Launch): void {
    const {daemon, argv, machine} = launch;
    machine.commandLines.set(nameOfProgram(argv), argv);
    switch (nameOfProgram(argv)) {
      case 'etcd': {
        const member = launchEtcd(launch);
        this.#members.delete(machine.name);
        if (member) this.#members.set(machine.name, member);
        return;
      }
      case 'kube-apiserver':
        return launchApiServer(launch);
      case 'kube-controller-manager':
        return launchControllerManager(launch);
      case 'kube-scheduler':
        return launchScheduler(launch);
      default:
        daemon.print(`exec: "${argv[0] ?? ''}": executable file not found in $PATH`);
        daemon.exit(127);
    }
  }

  /** The command line that a component was last started with on a machine. */
  commandLine(hostName: string, program: string): readonly string[] | undefined {
    return this.#hosts.find(({name}) => name === hostName)?.commandLines.get(program);
  }

  /** Is it one of the machines of the control plane? */
  runsOn(host: Host): boolean {
    return this.#hosts.includes(host);
  }

  /** The etcd member on a machine, if one was started there and did not fail at once. */
  member(hostName: string): Member | undefined {
    return this.#members.get(hostName);
  }

  /** Ends a plain process in order, as on SIGTERM, and for good; a static pod by taking its manifest away. */
  stopComponent(component: ComponentName, host: Host): void {
    if (this.#options.staticPods) {
      const path = `${MANIFESTS}/${BINARIES[component]}.yaml`;
      const text = host.files.read(path);
      if (text !== undefined) this.#setAside.set(path, text);
      host.files.remove(path);
      return;
    }
    this.#wanted.delete(`${component} ${host.name}`);
    host.daemons.get(BINARIES[component])?.terminate();
  }

  /** Ends it at once, without a word; a plain process for good, a static pod until its kubelet starts it again. */
  killComponent(component: ComponentName, host: Host): void {
    this.#wanted.delete(`${component} ${host.name}`);
    host.daemons.get(BINARIES[component])?.exit(137);
  }

  /** The machine has power again: what ran as a plain process runs again. */
  boot(host: Host): void {
    for (const component of COMPONENTS) {
      const argv = this.#wanted.get(`${component} ${host.name}`);
      if (argv) this.#launch(component, host, argv);
    }
  }

  #manifestOf(component: ComponentName, host: Host): string {
    const members = this.#hosts.slice(0, this.#hosts.indexOf(host) + 1);
    const machine = machineOf(host, this.#options.podNetwork);
    return manifestText(BINARIES[component], {machine, members});
  }

  #commandOf(component: ComponentName, host: Host): string[] {
    const command = commandOf(this.#manifestOf(component, host));
    // A single server is reached under the address of the cluster, wherever it runs.
    return component === 'apiserver' && this.#hosts.length === 1
      ? withFlags(command, [`--advertise-address=${API_ADDRESS}`])
      : command;
  }
}

function machineOf({name, address}: Host, podNetwork: string): KubeadmMachine {
  return {name, address, endpoint: API_ADDRESS, serviceAddress: SERVICE_ADDRESS, podNetwork};
}

/** The program of a command line, without its folder. */
export function nameOfProgram([program = '']: readonly string[]): string {
  return program.replace(/^.*\//, '');
}

/** A command line with other flags in the place of its own of the same names. */
export function withFlags(command: readonly string[], flags: readonly string[]): string[] {
  const names = new Set(flags.map(flagName));
  return [...command.filter(word => !names.has(flagName(word))), ...flags];
}

function flagName(word: string): string {
  return word.replace(/=.*$/s, '');
}
