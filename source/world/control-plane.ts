// The machines of the control plane: etcd, API server, controller-manager and scheduler on each, with the flags of their kubeadm
// manifests. Where the kubelet is to start them as static pods, only the files are laid here; else they are plain processes. etcd's
// disks are those of a cluster that grew as kubeadm grows one, as after a reboot.
import type {KubeadmMachine} from '../api/kubeadm/certificates.ts';
import {commandOf, manifestText, type StaticPodName} from '../api/kubeadm/manifests.ts';
import {grownDisks} from '../cluster/etcd/grown.ts';
import type {Member} from '../cluster/etcd/start.ts';
import type {Daemon} from '../sim/daemon.ts';
import type {Authority} from './authority.ts';
import {API_ADDRESS, SERVICE_ADDRESS} from './description.ts';
import type {Host} from './host.ts';
import {layControlPlane} from './machine-files.ts';
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

  /** Starts a component as a plain process; one that runs already is ended first. Undefined when there is no such machine. */
  startComponent(component: ComponentName, hostName: string, flags: readonly string[] = []): Daemon | undefined {
    const host = this.#hosts.find(each => each.name === hostName);
    if (!host) return undefined;
    const argv = withFlags(this.#commandOf(component, host), flags);
    this.#wanted.set(`${component} ${hostName}`, argv);
    return this.#launch(component, host, argv);
  }

  #launch(component: ComponentName, host: Host, argv: readonly string[]): Daemon {
    const daemon = host.newDaemon(BINARIES[component]);
    this.launch({daemon, argv, files: host.files, machine: host});
    return daemon;
  }

  /** Runs one of the components by its command line, in a process that somebody has made for it. */
  launch(launch: Launch): void {
    const {daemon, argv, machine} = launch;
    switch (argv[0]?.replace(/^.*\//, '')) {
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

  /** Is it one of the machines of the control plane? */
  runsOn(host: Host): boolean {
    return this.#hosts.includes(host);
  }

  /** The etcd member on a machine, if one was started there and did not fail at once. */
  member(hostName: string): Member | undefined {
    return this.#members.get(hostName);
  }

  /** Ends a plain process in order, as on SIGTERM, and for good. */
  stopComponent(component: ComponentName, host: Host): void {
    this.#wanted.delete(`${component} ${host.name}`);
    host.daemons.get(BINARIES[component])?.terminate();
  }

  /** Ends it at once, without a word, and for good. */
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

  #commandOf(component: ComponentName, host: Host): string[] {
    const members = this.#hosts.slice(0, this.#hosts.indexOf(host) + 1);
    const machine = machineOf(host, this.#options.podNetwork);
    const command = commandOf(manifestText(BINARIES[component], {machine, members}));
    // A single server is reached under the address of the cluster, wherever it runs.
    return component === 'apiserver' && this.#hosts.length === 1
      ? withFlags(command, [`--advertise-address=${API_ADDRESS}`])
      : command;
  }
}

function machineOf({name, address}: Host, podNetwork: string): KubeadmMachine {
  return {name, address, endpoint: API_ADDRESS, serviceAddress: SERVICE_ADDRESS, podNetwork};
}

/** A command line with other flags in the place of its own of the same names. */
export function withFlags(command: readonly string[], flags: readonly string[]): string[] {
  const names = new Set(flags.map(flagName));
  return [...command.filter(word => !names.has(flagName(word))), ...flags];
}

function flagName(word: string): string {
  return word.replace(/=.*$/s, '');
}
