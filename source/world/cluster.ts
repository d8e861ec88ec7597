// Puts a cluster together: machines, control plane, nodes, registries, the laptop. Here and nowhere else the parts meet.
import type {Pod} from '../api/kinds/core-v1.ts';
import type {AnyObject} from '../api/meta/object.ts';
import {Client} from '../client/client.ts';
import {familiesOf} from '../cluster/runtime/catalogue/index.ts';
import {startRegistry} from '../cluster/runtime/registry.ts';
import {Clock} from '../sim/clock.ts';
import type {Dial} from '../sim/daemon.ts';
import {Dice} from '../sim/dice.ts';
import {DiskArray} from '../sim/disk-array.ts';
import {Network} from '../sim/network.ts';
import {Kernel} from '../sim/process/kernel.ts';
import type {Program} from '../sim/process/machine.ts';
import {Trace} from '../sim/trace.ts';
import {Authority} from './authority.ts';
import {ControlPlane} from './control-plane.ts';
import {API_ADDRESS, API_PORT, podNetworkOf, type NodeDescription, type WorldDescription} from './description.ts';
import {runFault, type Answer} from './faults.ts';
import {Host, type Physics} from './host.ts';
import {imagesOf, REGISTRIES, registryAddress} from './images.ts';
import {kubeadmObjects} from './kubeadm-objects.ts';
import {layLaptop} from './laptop.ts';
import {startLoadBalancer} from './load-balancer.ts';
import {NodeMachine} from './node-machine.ts';
import {equipNode, nodePrograms} from './node-programs.ts';
import {startNetworkPlugin} from './network-plugin.ts';
import {SiteNetwork} from './node-network.ts';
import {bash, programsFor} from './programs.ts';
import {rootEnvironment} from './root-environment.ts';
import {Visits} from './visits.ts';
import {componentsFor, plainProxy} from './components.ts';
import type {NetworkFacts} from '../tools/network/facts.ts';

/** Who a client is. */
export interface Identity {
  readonly user: string;
  readonly groups: readonly string[];
  /** Its user agent. */
  readonly agent: string;
}

/** A cluster's parts. */
export class Cluster {
  readonly physics: Physics;
  readonly authority: Authority;
  readonly hosts = new Map<string, Host>();
  readonly nodes = new Map<string, NodeMachine>();
  readonly laptop: Host;
  readonly controlPlane: ControlPlane;
  readonly bash: Program = bash;
  /** What can be typed on all machines of the cluster. */
  readonly nodePrograms: Map<string, Program> = nodePrograms(this);
  readonly #description: WorldDescription;
  readonly #observer: Host;
  readonly #network: SiteNetwork;
  readonly #podNetwork: string;
  /** Those who ask for URLs, from pods and from outside. */
  readonly visits: Visits;

  constructor(description: WorldDescription) {
    this.#description = description;
    this.#podNetwork = podNetworkOf(description);
    this.physics = physicsOf(description);
    this.authority = new Authority(this.physics.dice, description.startMs);
    for (const {name, address} of description.nodes) this.hosts.set(name, new Host(this.physics, name, address));
    const controlHosts = this.#controlHosts();
    this.#observer = new Host(this.physics, 'observer', '10.0.0.254');
    this.#network = new SiteNetwork(this.physics, this.#podNetwork);
    for (const host of this.hosts.values()) {
      this.#network.connect(host);
      equipNode(host, this);
    }
    this.#network.connect(this.#observer);
    const {clock} = this.physics;
    this.visits = new Visits({clock, outside: this.#observer.dial, ofPod: pod => this.#dialOf(pod)});
    this.#registries();
    this.controlPlane = new ControlPlane({
      hosts: controlHosts,
      authority: this.authority,
      staticPods: description.staticPods === true,
      podNetwork: this.#podNetwork,
    });
    this.#nodes();
    this.laptop = layLaptop({physics: this.physics, authority: this.authority, description, api: this.#apiAddress(controlHosts)});
    this.#network.connect(this.laptop);
    this.#sitAtTheOnlyNode();
    this.controlPlane.start();
    for (const node of this.nodes.values()) node.start();
    for (const host of controlHosts) this.#startProxy(host);
    for (const {host} of this.nodes.values()) this.#startNetworkPlugin(host);
  }

  /** A machine by its name; of a bare cluster also the spare ones, cp-4 and on, that are there once somebody speaks of them. */
  machine(name: string): Host | undefined {
    const known = this.hosts.get(name);
    if (known) return known;
    const [, digit] = /^cp-([4-9])$/.exec(name) ?? [];
    const address = `10.0.0.1${digit}`;
    if (digit === undefined || !this.hosts.has('cp-1') || this.physics.network.hostOf(address) !== undefined) return undefined;
    const host = new Host(this.physics, name, address);
    this.hosts.set(name, host);
    this.#network.connect(host);
    this.controlPlane.join(host);
    equipNode(host, this);
    return host;
  }

  // Who has a bare cluster of one machine sits at that machine as far as its sockets go: crictl finds the runtime.
  #sitAtTheOnlyNode(): void {
    const [only, ...others] = this.nodes.values();
    if (!only || others.length > 0 || this.#description.kubeadm) return;
    const {dial} = this.laptop;
    this.laptop.dial = (to, port, request, receiver) =>
      to.startsWith('/') ? only.host.dialAddress(to, port, {request, receiver}) : dial(to, port, request, receiver);
  }

  /** What kubeadm has left in the API, where it has laid out machines that people know. */
  kubeadmObjects(): readonly AnyObject[] {
    if (!this.#description.nodes.some(node => node.controlPlane)) return [];
    return kubeadmObjects({authority: this.authority.certificate, podNetwork: this.#podNetwork});
  }

  /** A machine as it was described. */
  describe(name: string): NodeDescription | undefined {
    return this.#description.nodes.find(node => node.name === name);
  }

  /** What can be seen of a machine's network. */
  networkFacts(host: Host): NetworkFacts {
    const own = this.nodes.get(host.name)?.containers;
    const sandboxes = [...(own?.sandboxes.values() ?? [])].filter(({status}) => status.state === 'ready' && status.ip !== '');
    return {
      address: host.address,
      podRange: own?.addresses.range,
      pods: sandboxes.map(({id, status}) => ({id, address: status.ip})),
      routes: [...this.nodes.values()].flatMap(node => {
        const {range} = node.containers.addresses;
        return node.host === host || range === undefined ? [] : [{range, via: node.host.address}];
      }),
      ports: host.ports,
      rules: this.#network.stackOf(host).rules.table?.text() ?? '',
    };
  }

  /** The machine has power again. */
  boot(host: Host): void {
    this.controlPlane.boot(host);
    host.units.boot();
    if (this.controlPlane.runsOn(host)) this.#startProxy(host);
    if (this.nodes.has(host.name)) this.#startNetworkPlugin(host);
  }

  #startNetworkPlugin(host: Host): void {
    startNetworkPlugin({host, network: this.#network, authority: this.authority, isBare: !this.#description.kubeadm});
  }

  // Without kubeadm's add-ons nothing else would bring the control plane to the cluster's Services, behind which webhooks are.
  #startProxy(host: Host): void {
    if (!this.#description.kubeadm) plainProxy({host, network: this.#network, podNetwork: this.#podNetwork}, this.authority);
  }

  /** The machines of the control plane: those that say so; where none does, one of its own that is no node. */
  #controlHosts(): readonly Host[] {
    const chosen = this.#description.nodes.filter(node => node.controlPlane).flatMap(node => this.hosts.get(node.name) ?? []);
    if (chosen.length > 0) return chosen;
    const alone = new Host(this.physics, 'control-plane', API_ADDRESS);
    this.hosts.set(alone.name, alone);
    return [alone];
  }

  /** Clients reach the API server at one address: of the only one, or of a load balancer before several. */
  #apiAddress(controlHosts: readonly Host[]): string {
    if (controlHosts.some(host => host.address === API_ADDRESS)) return API_ADDRESS;
    const balancer = new Host(this.physics, 'load-balancer', API_ADDRESS);
    this.#network.connect(balancer);
    startLoadBalancer(
      balancer,
      API_PORT,
      controlHosts.map(host => host.address),
    );
    return API_ADDRESS;
  }

  #registries(): void {
    const catalogue = imagesOf(this.#description);
    for (const {name, address, secretive} of REGISTRIES) {
      const host = new Host(this.physics, name, address);
      startRegistry({daemon: host.newDaemon('registry'), name, catalogue, families: familiesOf(name), secretive});
    }
  }

  #nodes(): void {
    for (const description of this.#description.nodes) {
      const host = this.hosts.get(description.name);
      if (!host) continue;
      const dialFrom = this.#network.dialOfPods(host);
      const place = {host, network: this.#network, podNetwork: this.#podNetwork};
      const components = componentsFor({...place, controlPlane: this.controlPlane});
      this.nodes.set(
        host.name,
        new NodeMachine({
          host,
          description,
          authority: this.authority,
          server: `https://${description.controlPlane ? host.address : API_ADDRESS}:${API_PORT}`,
          dialFrom,
          addressGiven: (address, pod) => this.#network.give(address, pod),
          resolve: registryAddress,
          programsFor,
          components,
          managed: this.#description.kubeadm,
          images: this.#description.staticPods && description.controlPlane ? CONTROL_PLANE_IMAGES : NODE_IMAGES,
        }),
      );
    }
  }

  /** A client for somebody, on a machine outside of the cluster; of the load balancer, or of another address. */
  clientFor({user, groups, agent}: Identity, address = API_ADDRESS): Client {
    const daemon = this.#observer.newDaemon(agent);
    return new Client({
      daemon,
      host: address,
      port: API_PORT,
      credentials: {certificate: this.authority.issue(user, groups)},
      userAgent: agent,
    });
  }

  /** What a program in a pod dials with, where the pod has an address. */
  #dialOf({metadata, spec, status}: Pod): Dial | undefined {
    const host = this.hosts.get(spec.nodeName ?? '');
    if (!status?.podIP || !host) return undefined;
    const resolvConf = podResolvConf(metadata.namespace ?? '');
    return this.#network.dialOfPods(host)(status.podIP, {hosts: () => undefined, resolvConf: () => resolvConf});
  }

  /** The environment of root on a node. */
  rootEnvironment(host: string): ReadonlyMap<string, string> {
    return rootEnvironment(host, this.#description.player.hostEnvironment);
  }

  /** What a machine does, as `stop etcd cp-2` says it. */
  fault(words: string): Answer {
    return runFault(this, words);
  }
}

/** The image of sandboxes, which every node has before its first pod. */
const NODE_IMAGES: readonly string[] = ['registry.k8s.io/pause:3.10'];
/** As the manifests of the control plane name them. */
const CONTROL_PLANE_IMAGES: readonly string[] = [
  ...NODE_IMAGES,
  'registry.k8s.io/etcd:3.6.6-0',
  ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].map(name => `registry.k8s.io/${name}:v1.35.4`),
];

/** As the kubelet writes it for a pod with the policy ClusterFirst. */
function podResolvConf(namespace: string): string {
  return `search ${namespace}.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n`;
}

function physicsOf({seed, startMs, storage}: WorldDescription): Physics {
  const clock = new Clock();
  const disks = new DiskArray(() => startMs + clock.now, storage?.capacityBytes);
  return {
    clock,
    trace: new Trace(clock),
    dice: new Dice(seed),
    network: new Network(clock),
    kernel: new Kernel(clock),
    disks,
    startMs,
  };
}
