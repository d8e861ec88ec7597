// A node as plugins see it: the facts of its Node object, compiled, and the pods that stand on it (or are assumed to), as sums.
import {
  ALLOCATABLE_CPU,
  ALLOCATABLE_MEMORY,
  ASSUMED_CPU,
  ASSUMED_MEMORY,
  FREE_PODS,
  HARD_TAINTS,
  Ledger,
  REQUESTED_CPU,
  REQUESTED_MEMORY,
} from './ledger.ts';
import {NOWHERE, type NodeFacts} from './node-facts.ts';
import type {PodInfo} from './pod-info.ts';
import {Resources} from './resources.ts';
import type {HostPort} from './shape.ts';

const HOSTNAME = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';

/** One node and what stands on it. */
export class NodeInfo {
  readonly name: string;
  /** False while only pods name it: before its Node object came, or after it went. */
  exists = false;
  facts: NodeFacts = NOWHERE;
  labels: Readonly<Record<string, string>> = NOWHERE.labels;
  #host: string | undefined;
  #zone: string | undefined;
  /** A note of the spreading plugin for one decision: how many pods it counts here. */
  tallyTicket = 0;
  tallyCount = 0;
  readonly requested = new Resources();
  /** Like `requested`, but each container counts with at least 100m and 200Mi where it asks for nothing. */
  readonly assumed = new Resources();
  readonly pods = new Map<string, PodInfo>();
  ports: Map<string, {readonly port: HostPort; count: number}> | undefined;

  /** Where its numbers stand for the hottest loops. */
  readonly ledger: Ledger;
  readonly row: number;

  constructor(name: string, ledger: Ledger = new Ledger()) {
    this.name = name;
    this.ledger = ledger;
    this.row = ledger.take();
  }

  /** Takes the facts of its Node object; undefined when that is gone. */
  set(facts: NodeFacts | undefined): void {
    this.exists = facts !== undefined;
    this.facts = facts ?? NOWHERE;
    this.labels = this.facts.labels;
    this.#host = this.labels[HOSTNAME];
    this.#zone = this.labels[ZONE];
    this.#note();
  }

  /** The value of a label; the two that are asked for most are kept apart. */
  domain(topologyKey: string): string | undefined {
    if (topologyKey === HOSTNAME) return this.#host;
    return topologyKey === ZONE ? this.#zone : this.labels[topologyKey];
  }

  add(pod: PodInfo): void {
    this.pods.set(pod.uid, pod);
    this.#sum(pod, 1);
  }

  remove(pod: PodInfo): void {
    if (this.pods.delete(pod.uid)) this.#sum(pod, -1);
  }

  /** Is a port taken that collides? An address of 0.0.0.0 collides with every address. */
  hasPort(wanted: HostPort): boolean {
    if (!this.ports) return false;
    for (const {port} of this.ports.values()) if (portsCollide(port, wanted)) return true;
    return false;
  }

  /** A copy to try things on. */
  copy(): NodeInfo {
    const copy = new NodeInfo(this.name);
    copy.set(this.exists ? this.facts : undefined);
    copy.requested.add(this.requested);
    copy.assumed.add(this.assumed);
    for (const [uid, pod] of this.pods) copy.pods.set(uid, pod);
    copy.#note();
    if (this.ports) copy.ports = new Map([...this.ports].map(([key, held]) => [key, {...held}]));
    return copy;
  }

  #sum(pod: PodInfo, times: 1 | -1): void {
    const {shape} = pod;
    this.requested.add(shape.requests, times);
    this.assumed.add(shape.assumed, times);
    for (const port of shape.hostPorts) this.#holdPort(port, times);
    this.#note();
  }

  /** Brings its row of the ledger up to date. */
  #note(): void {
    const {ledger, row, facts, requested, assumed} = this;
    ledger.write(row, ALLOCATABLE_CPU, facts.allocatable.cpu);
    ledger.write(row, ALLOCATABLE_MEMORY, facts.allocatable.memory);
    ledger.write(row, REQUESTED_CPU, requested.cpu);
    ledger.write(row, REQUESTED_MEMORY, requested.memory);
    ledger.write(row, ASSUMED_CPU, assumed.cpu);
    ledger.write(row, ASSUMED_MEMORY, assumed.memory);
    ledger.write(row, FREE_PODS, facts.allowedPods - this.pods.size);
    ledger.write(row, HARD_TAINTS, facts.hardTaints.length);
  }

  #holdPort(port: HostPort, times: 1 | -1): void {
    const key = `${port.address}/${port.protocol}/${port.port}`;
    this.ports ??= new Map();
    const held = this.ports.get(key) ?? {port, count: 0};
    held.count += times;
    if (held.count > 0) this.ports.set(key, held);
    else this.ports.delete(key);
    if (this.ports.size === 0) this.ports = undefined;
  }
}

/** Would two pods that want these ports be in each other's way on one node? */
export function portsCollide(a: HostPort, b: HostPort): boolean {
  if (a.port !== b.port || a.protocol !== b.protocol) return false;
  return a.address === b.address || a.address === '0.0.0.0' || b.address === '0.0.0.0';
}
