// Pods that were promised a node: preemption is making room for them there. Others see them on that node when they are as
// important or more, so that nobody less important takes the place that was cleared.
import type {PodInfo} from './pod-info.ts';

const NOBODY: ReadonlyMap<string, PodInfo> = new Map();

/** Who is promised which node. */
export class Nominations {
  readonly #byNode = new Map<string, Map<string, PodInfo>>();
  readonly #nodeOf = new Map<string, string>();

  /** Promises a node, in place of any promise before. */
  set(pod: PodInfo, node: string): void {
    this.delete(pod.uid);
    const pods = this.#byNode.get(node) ?? new Map<string, PodInfo>();
    pods.set(pod.uid, pod);
    this.#byNode.set(node, pods);
    this.#nodeOf.set(pod.uid, node);
  }

  delete(uid: string): void {
    const node = this.#nodeOf.get(uid);
    if (node === undefined) return;
    this.#nodeOf.delete(uid);
    const pods = this.#byNode.get(node);
    pods?.delete(uid);
    if (pods?.size === 0) this.#byNode.delete(node);
  }

  /** The node that a pod was promised. */
  nodeOf(uid: string): string | undefined {
    return this.#nodeOf.get(uid);
  }

  /** Whom a node was promised to. */
  on(node: string): ReadonlyMap<string, PodInfo> {
    return this.#byNode.get(node) ?? NOBODY;
  }

  get isEmpty(): boolean {
    return this.#nodeOf.size === 0;
  }
}
