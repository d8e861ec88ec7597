// Starts the control plane on its machines: an etcd member, an API server, a controller-manager and a scheduler on each. They are
// plain processes for now; with static pods the kubelet will start them.
import {startApiServer} from '../cluster/apiserver/index.ts';
import {startControllerManager} from '../cluster/controllers/start.ts';
import {Disk} from '../cluster/etcd/disk.ts';
import {startEtcd} from '../cluster/etcd/start.ts';
import {startScheduler} from '../cluster/scheduler/start.ts';
import {certificatePem} from '../api/meta/certificate.ts';
import {Client} from '../client/client.ts';
import type {Daemon} from '../sim/daemon.ts';
import type {Authority} from './authority.ts';
import {API_ADDRESS, API_PORT, POD_NETWORK, SERVICE_NETWORK} from './description.ts';
import type {Host} from './host.ts';

export type ComponentName = 'etcd' | 'apiserver' | 'kcm' | 'scheduler';

/** The machines that run the control plane, and what they share. */
export interface ControlPlaneOptions {
  readonly hosts: readonly Host[];
  readonly authority: Authority;
  readonly tokenSeed: string;
  readonly clusterCidr?: string;
}

/** The control plane of a cluster. */
export class ControlPlane {
  readonly #options: ControlPlaneOptions;
  readonly #disks = new Map<string, Disk>();

  constructor(options: ControlPlaneOptions) {
    this.#options = options;
    for (const host of options.hosts) this.#disks.set(host.name, new Disk());
  }

  /** Starts everything, as at boot. */
  start(): void {
    for (const component of ['etcd', 'apiserver', 'kcm', 'scheduler'] as const)
      for (const {name} of this.#options.hosts) this.startComponent(component, name);
  }

  /** Starts a component on a machine; one that runs already is ended first. Undefined when there is no such machine. */
  startComponent(component: ComponentName, hostName: string): Daemon | undefined {
    const host = this.#options.hosts.find(each => each.name === hostName);
    if (!host) return undefined;
    const daemon = host.newDaemon(NAMES[component]);
    if (component === 'etcd') this.#etcd(daemon, host);
    else if (component === 'apiserver') this.#apiServer(daemon, host);
    else if (component === 'kcm') this.#controllerManager(daemon, host);
    else this.#scheduler(daemon, host);
    return daemon;
  }

  #etcd(daemon: Daemon, host: Host): void {
    const peers = this.#options.hosts.map(each => `${each.name}=https://${each.address}:2380`);
    const disk = this.#disks.get(host.name);
    if (!disk) return;
    startEtcd({
      daemon,
      disk,
      name: host.name,
      initialCluster: peers.join(','),
      initialAdvertisePeerUrls: [`https://${host.address}:2380`],
      advertiseClientUrls: [`https://${host.address}:2379`],
    });
  }

  #apiServer(daemon: Daemon, host: Host): void {
    const {authority, tokenSeed} = this.#options;
    startApiServer({
      daemon,
      etcd: [{host: host.address, port: 2379}],
      port: API_PORT,
      clientAuthority: authority.id,
      tokenSeed,
      advertiseAddress: this.#options.hosts.length === 1 ? API_ADDRESS : host.address,
      serviceRange: SERVICE_NETWORK,
      authorityText: certificatePem(authority.certificate),
      kubeletClient: authority.issue('kube-apiserver-kubelet-client', ['kubeadm:cluster-admins']),
    });
  }

  #controllerManager(daemon: Daemon, host: Host): void {
    const {authority, clusterCidr = POD_NETWORK} = this.#options;
    startControllerManager({
      daemon,
      host: host.address,
      port: API_PORT,
      credentials: {certificate: authority.issue('system:kube-controller-manager')},
      identity: `${host.name}_${daemon.dice.uuid()}`,
      rootCa: certificatePem(authority.certificate),
      clusterCidr,
    });
  }

  #scheduler(daemon: Daemon, host: Host): void {
    startScheduler({
      daemon,
      client: this.#client(daemon, host, {user: 'system:kube-scheduler', userAgent: 'kube-scheduler'}),
      identity: `${host.name}_${daemon.dice.uuid()}`,
    });
  }

  #client(daemon: Daemon, host: Host, {user, userAgent}: {user: string; userAgent: string}): Client {
    const certificate = this.#options.authority.issue(user);
    return new Client({daemon, host: host.address, port: API_PORT, credentials: {certificate}, userAgent});
  }
}

const NAMES: Readonly<Record<ComponentName, string>> = {
  etcd: 'etcd',
  apiserver: 'kube-apiserver',
  kcm: 'kube-controller-manager',
  scheduler: 'kube-scheduler',
};
