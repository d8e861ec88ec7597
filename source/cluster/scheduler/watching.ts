// What the scheduler hears of the cluster, turned into its state, its queue and news for the pods that sleep.
import type {Namespace, Node, Pod} from '../../api/kinds/core-v1.ts';
import {isTerminal} from '../../api/meta/pod.ts';
import type {ClusterEvent} from './cluster-event.ts';
import type {ClusterState} from './state/cluster-state.ts';
import type {Profile} from './framework.ts';
import type {NodeFacts} from './state/node-facts.ts';
import type {PodInfo} from './state/pod-info.ts';
import type {Queue} from './queue/queue.ts';
import {shapeOf} from './state/shape.ts';

export interface WatchingOptions {
  readonly cluster: ClusterState;
  readonly queue: Queue;
  readonly profiles: ReadonlyMap<string, Profile>;
  /** Called after each piece of news: the queue may have something to do. */
  readonly wake: () => void;
}

/** Takes news of pods, nodes and namespaces. */
export class Watching {
  readonly #options: WatchingOptions;
  readonly #pods = new Map<string, PodInfo>();

  constructor(options: WatchingOptions) {
    this.#options = options;
  }

  /** A pod came or changed. */
  pod(pod: Pod): void {
    const known = this.#pods.get(pod.metadata.uid);
    if (isTerminal(pod)) {
      if (known) this.podGone(pod);
      return;
    }
    if (!known) this.#newPod(pod);
    else if (pod.spec.nodeName && !known.pod.spec.nodeName) this.#bound(known, pod);
    else this.#changed(known, pod);
    this.#options.wake();
  }

  /** A pod is gone, or has ended. */
  podGone(pod: Pod): void {
    const {cluster, queue, wake} = this.#options;
    const known = this.#pods.get(pod.metadata.uid);
    if (!known) return;
    this.#pods.delete(known.uid);
    const promised = cluster.nominations.nodeOf(known.uid) !== undefined;
    cluster.nominations.delete(known.uid);
    cluster.preempting.delete(known.uid);
    queue.delete(known.uid);
    const stood = cluster.unplace(known.uid) !== undefined;
    if (stood || promised) queue.hear({about: 'placed', before: known});
    cluster.release(known);
    wake();
  }

  /** A node came or changed. */
  node(node: Node): void {
    const {cluster, queue, wake} = this.#options;
    const before = cluster.node(node.metadata.name)?.facts;
    const after = cluster.setNode(node).facts;
    if (queue.sleeping === 0 || (before && sameFacts(before, after))) return;
    queue.hear({about: 'node', after, ...(before ? {before} : {})});
    wake();
  }

  nodeGone(node: Node): void {
    const {cluster, queue, wake} = this.#options;
    const before = cluster.node(node.metadata.name)?.facts;
    cluster.removeNode(node.metadata.name);
    if (before) queue.hear({about: 'node', before});
    wake();
  }

  namespace({metadata}: Namespace): void {
    this.#options.cluster.setNamespace(metadata.name, metadata.labels);
  }

  namespaceGone({metadata}: Namespace): void {
    this.#options.cluster.setNamespace(metadata.name, undefined);
  }

  /** News about claims, volumes, classes or devices. */
  hear(event: ClusterEvent): void {
    this.#options.queue.hear(event);
    this.#options.wake();
  }

  #newPod(pod: Pod): void {
    const {cluster, queue, profiles} = this.#options;
    const {nodeName, schedulerName} = pod.spec;
    const profile = profiles.get(schedulerName ?? 'default-scheduler');
    if (!nodeName && !profile) return;
    const info = cluster.describe(pod);
    this.#pods.set(info.uid, info);
    if (nodeName) {
      cluster.place(info, nodeName, false);
      queue.hear({about: 'placed', after: info});
    } else if (profile) {
      if (pod.status?.nominatedNodeName) cluster.nominations.set(info, pod.status.nominatedNodeName);
      if (!pod.metadata.deletionTimestamp) queue.add(info, profile);
    }
  }

  /** A pod that waited has a node now: mostly the one that was decided here. */
  #bound(known: PodInfo, pod: Pod): void {
    const {cluster, queue} = this.#options;
    queue.delete(known.uid);
    cluster.nominations.delete(known.uid);
    const info = this.#renewed(known, pod);
    cluster.place(info, pod.spec.nodeName ?? '', false);
    queue.hear({about: 'placed', after: info});
  }

  #changed(known: PodInfo, pod: Pod): void {
    const {cluster, queue} = this.#options;
    const before = {...known};
    const info = this.#renewed(known, pod);
    if (pod.spec.nodeName) {
      if (info === known) return;
      cluster.place(info, pod.spec.nodeName, false);
      queue.hear({about: 'placed', before, after: info});
      return;
    }
    const {nominatedNodeName} = pod.status ?? {};
    if (nominatedNodeName && !cluster.placed(info.uid)) cluster.nominations.set(info, nominatedNodeName);
    if (pod.metadata.deletionTimestamp && !cluster.placed(info.uid)) queue.delete(info.uid);
    // Of the status it is the names of generated claims alone that somebody may wait for.
    else if (before.pod.spec !== pod.spec || info !== known || claimsOf(before.pod) !== claimsOf(pod)) queue.update(info, before);
  }

  /** What is known of the pod, with its newest version; the same when nothing that matters to plugins changed. */
  #renewed(known: PodInfo, pod: Pod): PodInfo {
    const {cluster} = this.#options;
    const {metadata} = pod;
    const old = known.pod.metadata;
    const sameLabels =
      old.labels === metadata.labels && (old.deletionTimestamp === undefined) === (metadata.deletionTimestamp === undefined);
    if (sameLabels && shapeOf(pod) === known.shape) {
      known.pod = pod;
      return known;
    }
    const info = cluster.describe(pod);
    cluster.release(known);
    this.#pods.set(info.uid, info);
    if (info.labels === known.labels && info.shape === known.shape) {
      known.pod = pod;
      this.#pods.set(info.uid, known);
      return known;
    }
    return info;
  }
}

function claimsOf({status}: Pod): unknown {
  return status?.resourceClaimStatuses;
}

function sameFacts(a: NodeFacts, b: NodeFacts): boolean {
  if (a.unschedulable !== b.unschedulable || a.allowedPods !== b.allowedPods) return false;
  return (
    JSON.stringify([a.labels, a.hardTaints, a.allocatable, [...(a.allocatable.others ?? [])]]) ===
    JSON.stringify([b.labels, b.hardTaints, b.allocatable, [...(b.allocatable.others ?? [])]])
  );
}
