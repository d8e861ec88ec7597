// The scheduler's copy of the cluster: nodes with their sums, placed pods, and those it has just placed itself. It is changed
// bit by bit as news comes in; a decision reads it as it is, since a decision takes no time in which it could change.
//
// A pod that was decided on is *assumed*: it counts on its node at once. When the informer shows it bound it counts on; when the
// binding fails it is forgotten.
import type {Node, Pod} from '../../../api/kinds/core-v1.ts';
import type {Labels} from '../../../api/meta/selector.ts';
import {ClaimUse} from './claim-use.ts';
import {Ledger} from './ledger.ts';
import {NO_LOOKUPS, type Lookups} from '../lookups.ts';
import {nodeFacts, type NodeFacts} from './node-facts.ts';
import {NodeInfo} from './node-info.ts';
import {NodeOrder} from './node-order.ts';
import {Nominations} from './nominations.ts';
import {podInfo, type PodInfo} from './pod-info.ts';
import {Population} from './population.ts';

interface Placed {
  readonly pod: PodInfo;
  readonly node: NodeInfo;
  readonly assumed: boolean;
}

/** Where images are: the first size that was seen of a name, and on how many nodes it is. */
export interface ImageState {
  readonly size: number;
  nodes: number;
}

/** Who took something, for which node; a claim may be taken together with the volume that it is to get. */
export interface Taking {
  readonly uid: string;
  readonly node: string;
  readonly volume?: string;
}

/** All that a decision reads. */
export class ClusterState {
  readonly lookups: Lookups;
  readonly population: Population;
  readonly nominations = new Nominations();
  /** Pods for which victims are being ended. */
  readonly preempting = new Set<string>();
  readonly images = new Map<string, ImageState>();
  /** Pods on nodes by the claims that they use. */
  readonly claimUse = new ClaimUse();
  /** Volumes and devices of decisions that are being carried out, and the claims that they are for. */
  readonly taken = new Map<string, Taking>();
  readonly #ledger = new Ledger(64);
  readonly #nodes = new Map<string, NodeInfo>();
  readonly #order = new NodeOrder();
  readonly #placed = new Map<string, Placed>();
  readonly #namespaces = new Map<string, Labels>();
  /** How many nodes have a PreferNoSchedule taint. */
  softlyTainted = 0;
  /** How many nodes are cordoned. */
  cordoned = 0;
  /** Counts up when labels or taints of a node change, or a node comes or goes. */
  topologyVersion = 0;

  constructor(lookups: Lookups = NO_LOOKUPS) {
    this.lookups = lookups;
    this.population = new Population(namespace => this.namespaceLabels(namespace));
  }

  /** The nodes that exist, zone by zone in turn, so that the first ones of the list are spread over the zones. */
  get nodes(): readonly NodeInfo[] {
    return this.#order.list;
  }

  /** A node that exists. */
  node(name: string): NodeInfo | undefined {
    const node = this.#nodes.get(name);
    return node?.exists ? node : undefined;
  }

  /** Works out a pod. Whoever keeps the result gives it back with `release`. */
  describe(pod: Pod): PodInfo {
    return podInfo(pod, this.population);
  }

  /** The result of `describe` is not needed any more. */
  release(pod: PodInfo): void {
    this.population.release(pod.labels);
  }

  /** A Node object came or changed. */
  setNode(node: Node): NodeInfo {
    const info = this.#nodeOf(node.metadata.name);
    const before = info.exists ? info.facts : undefined;
    const facts = nodeFacts(node);
    for (const name of before?.images.keys() ?? []) if (!facts.images.has(name)) this.#dropImage(name);
    for (const [name, size] of facts.images) if (!before?.images.has(name)) this.#addImage(name, size);
    this.#countKinds(before, -1);
    this.#countKinds(facts, 1);
    info.set(facts);
    if (!before) this.#order.add(info);
    else if (before.labels !== facts.labels) this.#order.moved(info);
    if (!before || !sameTopology(before, facts)) this.#topologyChanged();
    return info;
  }

  /** A Node object is gone. Pods that name it stay known. */
  removeNode(name: string): void {
    const info = this.#nodes.get(name);
    if (!info?.exists) return;
    for (const image of info.facts.images.keys()) this.#dropImage(image);
    this.#countKinds(info.facts, -1);
    this.#order.remove(info);
    info.set(undefined);
    if (info.pods.size === 0) this.#forget(info);
    this.#topologyChanged();
  }

  /** Puts a pod on a node: assumed by a decision of ours, or shown by the informer. */
  place(pod: PodInfo, nodeName: string, assumed: boolean): void {
    this.unplace(pod.uid);
    const node = this.#nodeOf(nodeName);
    node.add(pod);
    if (pod.claims.length > 0) this.claimUse.add(pod);
    this.population.add(pod, node);
    this.#placed.set(pod.uid, {pod, node, assumed});
  }

  /** Takes a pod away from its node. */
  unplace(uid: string): PodInfo | undefined {
    const placed = this.#placed.get(uid);
    if (!placed) return undefined;
    const {pod, node} = placed;
    this.#placed.delete(uid);
    node.remove(pod);
    if (pod.claims.length > 0) this.claimUse.remove(pod);
    this.population.remove(pod, node);
    if (!node.exists && node.pods.size === 0) this.#forget(node);
    return pod;
  }

  /** A placed pod, and whether that is only assumed. */
  placed(uid: string): {readonly pod: PodInfo; readonly node: NodeInfo; readonly assumed: boolean} | undefined {
    return this.#placed.get(uid);
  }

  /** A Namespace came, changed or (without labels) went. */
  setNamespace(name: string, labels: Labels): void {
    if (this.#namespaces.get(name) === labels) return;
    if (labels) this.#namespaces.set(name, labels);
    else this.#namespaces.delete(name);
    this.population.namespaceChanged();
  }

  namespaceLabels(name: string): Labels {
    return this.#namespaces.get(name);
  }

  /** All namespaces that are known. */
  get namespaces(): Iterable<string> {
    return this.#namespaces.keys();
  }

  #nodeOf(name: string): NodeInfo {
    const known = this.#nodes.get(name);
    if (known) return known;
    const made = new NodeInfo(name, this.#ledger);
    this.#nodes.set(name, made);
    return made;
  }

  #forget(node: NodeInfo): void {
    this.#nodes.delete(node.name);
    this.#ledger.give(node.row);
  }

  #topologyChanged(): void {
    this.topologyVersion++;
    this.population.nodeChanged();
  }

  #countKinds(facts: NodeFacts | undefined, by: 1 | -1): void {
    if (facts?.unschedulable) this.cordoned += by;
    if (facts && facts.softTaints.length > 0) this.softlyTainted += by;
  }

  #addImage(name: string, size: number): void {
    const known = this.images.get(name);
    if (known) known.nodes++;
    else this.images.set(name, {size, nodes: 1});
  }

  #dropImage(name: string): void {
    const known = this.images.get(name);
    if (!known) return;
    known.nodes--;
    if (known.nodes === 0) this.images.delete(name);
  }
}

function sameTopology(a: NodeInfo['facts'], b: NodeInfo['facts']): boolean {
  if (a.unschedulable !== b.unschedulable) return false;
  if (a.labels !== b.labels && JSON.stringify(a.labels) !== JSON.stringify(b.labels)) return false;
  return JSON.stringify(a.hardTaints) === JSON.stringify(b.hardTaints);
}
