// The machines of a cluster as the game may look at them and lay hands on them: files, processes, members of etcd, links, power.
import type {AnyObject} from '../api/meta/object.ts';
import {resourceOfKind, type ResourceFacts} from '../api/meta/resources.ts';
import type {MemberInfo} from '../api/wire/etcd.ts';
import {create} from '../client/verbs.ts';
import type {Result} from '../client/client.ts';
import {prefixOf} from '../cluster/apiserver/index.ts';
import type {Files} from '../sim/files.ts';
import type {Cluster} from './cluster.ts';
import {fillDisk, powerOff, powerOn} from './power.ts';
import {unitValue} from '../api/meta/quantity.ts';

/** etcd on one machine of the control plane. */
export interface MemberView {
  readonly node: string;
  readonly alive: boolean;
  /** It serves clients, and knows a leader. */
  readonly healthy: boolean;
  readonly id: string;
  readonly clusterId: string;
  readonly leads: boolean;
  readonly members: readonly MemberInfo[];
}

const BALANCER = 'load-balancer';

/** All machines. */
export class Machines {
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Is there a machine of that name? */
  has(node: string): boolean {
    return this.#cluster.hosts.has(node);
  }

  files(node: string): Files | undefined {
    return this.#cluster.hosts.get(node)?.files;
  }

  /** Does a process of that name run there? */
  runs(node: string, process: string): boolean {
    const daemon = this.#cluster.hosts.get(node)?.daemons.get(process);
    return daemon !== undefined && daemon.exitCode === undefined;
  }

  /** The machines on which a process of that name runs. */
  where(process: string): readonly string[] {
    return [...this.#cluster.hosts.keys()].filter(node => this.runs(node, process));
  }

  /** The command line of a component of the control plane that runs there. */
  commandLine(node: string, process: string): readonly string[] | undefined {
    return this.runs(node, process) ? this.#cluster.controlPlane.commandLine(node, process) : undefined;
  }

  /** Has any process of that machine logged these words? */
  hasLogged(node: string, words: string): boolean {
    const host = this.#cluster.hosts.get(node);
    return [...(host?.daemons.keys() ?? [])].some(name => host?.logOf(name, false).some(line => line.includes(words)));
  }

  /** etcd on each machine of the control plane. */
  members(): readonly MemberView[] {
    const {hosts, controlPlane} = this.#cluster;
    return [...hosts.values()]
      .filter(host => controlPlane.runsOn(host))
      .map(({name}) => {
        const member = controlPlane.member(name);
        const alive = this.runs(name, 'etcd');
        const {id = '', leader = '', ready = false} = (alive && member) || {};
        const clusterId = (alive && member?.status?.header.clusterId) || '';
        const members = (alive && member?.members) || [];
        return {
          node: name,
          alive,
          healthy: alive && ready && leader !== '',
          id,
          clusterId,
          leads: id !== '' && leader === id,
          members,
        };
      });
  }

  /** Does the cluster hold an object? The leader of etcd knows; without one whoever runs; undefined while no member does. */
  holds({
    resource,
    namespace,
    name,
  }: {
    resource: ResourceFacts;
    namespace: string | undefined;
    name: string;
  }): boolean | undefined {
    const running = this.members().filter(each => each.alive && each.id !== '');
    const leader = running.find(each => each.leads && each.healthy);
    const key = `${prefixOf(resource)}${namespace === undefined ? '' : `${namespace}/`}${name}`;
    const asked = leader ? [leader] : running;
    if (asked.length === 0) return undefined;
    return asked.some(({node}) => this.#cluster.controlPlane.member(node)?.has(key));
  }

  /** No packet passes between a machine and some others; `lb` is the load balancer. */
  partition(node: string, others: readonly string[]): void {
    for (const other of others) this.#cluster.physics.network.cut(node, other === 'lb' ? BALANCER : other);
  }

  /** All links of a machine pass packets again; without a name all links. */
  heal(node?: string): void {
    this.#cluster.physics.network.heal(node);
  }

  power(node: string, on: boolean): void {
    const host = this.#cluster.hosts.get(node);
    if (!host) return;
    if (on) powerOn(this.#cluster, host);
    else powerOff(this.#cluster, host);
  }

  /** Somebody sets a clock wrong, or right again. */
  moveClock(node: string, ms: number): void {
    const host = this.#cluster.hosts.get(node);
    if (host) host.clockErrorMs += ms;
  }

  fillDisk(node: string, size: string): void {
    const host = this.#cluster.hosts.get(node);
    const bytes = unitValue(size);
    if (host) fillDisk(host, bytes);
  }

  /** Somebody fills the disk that was made for a claim, `namespace/name`. */
  fillClaim(claim: string, size: string): void {
    const {disks} = this.#cluster.physics;
    const disk = disks.findFor(claim);
    if (disk) disks.fill(disk.name, unitValue(size));
  }

  service(node: string, unit: string, what: 'start' | 'stop'): void {
    this.#cluster.hosts.get(node)?.units[what](unit);
  }

  /** Creates an object at the API server of one machine, past the load balancer. */
  create(node: string, object: AnyObject, done: (result: Result<unknown>) => void): void {
    const host = this.#cluster.hosts.get(node);
    const resource = resourceOfKind(object.apiVersion, object.kind);
    if (!host || !resource) return;
    this.#cluster
      .clientFor({user: 'system:admin', groups: ['system:masters'], agent: 'faults'}, host.address)
      .send(create(resource, object), done);
  }
}
