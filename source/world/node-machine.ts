// A machine that is a node: containerd and a kubelet on it.
import {installNetworkPlugin} from '../cluster/runtime/addresses.ts';
import {ContainerHost} from '../cluster/runtime/container-host.ts';
import {startRuntime} from '../cluster/runtime/start-runtime.ts';
import type {ComponentContext, ContainerSurroundings} from '../cluster/runtime/surroundings.ts';
import {startKubelet} from '../cluster/kubelet/start-kubelet.ts';
import {Client} from '../client/client.ts';
import type {Authority} from './authority.ts';
import {API_ADDRESS, API_PORT, type NodeDescription} from './description.ts';
import type {Host} from './host.ts';

export interface NodeMachineOptions {
  readonly host: Host;
  readonly description: NodeDescription;
  readonly authority: Authority;
  /** How somebody at an address of this node reaches others. */
  readonly dialFrom: ContainerSurroundings['dialFrom'];
  readonly resolve: (name: string) => string | undefined;
  readonly programsFor: ContainerSurroundings['programsFor'];
  readonly components: ReadonlyMap<string, (context: ComponentContext) => void>;
}

/** A node's containers and the processes that look after them. */
export class NodeMachine {
  readonly host: Host;
  readonly containers: ContainerHost;
  readonly #options: NodeMachineOptions;

  constructor(options: NodeMachineOptions) {
    this.#options = options;
    const {host, dialFrom, programsFor, components} = options;
    const {clock, trace, dice, kernel, network} = host.physics;
    this.host = host;
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
      attachAddress: address => network.attach(host.name, address),
      detachAddress: address => network.detach(address),
      listen: (address, port, listener) => network.listen(address, port, listener),
    });
  }

  /** Starts containerd, then the kubelet, as at boot. */
  start(): void {
    this.startRuntime();
    this.startKubelet();
  }

  startRuntime(): void {
    startRuntime({daemon: this.host.newDaemon('containerd'), host: this.containers, resolve: this.#options.resolve});
  }

  startKubelet(): void {
    const {host, description, authority} = this.#options;
    const {name, address, capacity, allocatable, labels, taints, nodeInfo} = description;
    const daemon = host.newDaemon('kubelet');
    const certificate = authority.issue(`system:node:${name}`, ['system:nodes']);
    const client = new Client({
      daemon,
      host: API_ADDRESS,
      port: API_PORT,
      credentials: {certificate},
      userAgent: 'kubelet/v1.35.4',
    });
    const addresses = [
      {type: 'InternalIP' as const, address},
      {type: 'Hostname' as const, address: name},
    ];
    startKubelet({
      daemon,
      client,
      files: host.files,
      node: {name, addresses, capacity, allocatable, labels: ownLabels(labels), taints, nodeInfo},
    });
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
