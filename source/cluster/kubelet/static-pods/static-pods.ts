// The static pods of one node: those that its manifests describe, each with a worker. A pod that is changed or removed ends in
// order before another of its name begins.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {keyOf} from '../../../api/meta/object.ts';
import type {PodWorker} from '../pod-worker.ts';

export interface StaticPodsOptions {
  /** Makes the worker of a pod, and shows the pod to the API. */
  readonly start: (pod: Pod) => PodWorker;
  /** The pod runs no more. */
  readonly over: (pod: Pod) => void;
}

/** All of them, by name. */
export class StaticPods {
  readonly #options: StaticPodsOptions;
  #wanted = new Map<string, Pod>();
  readonly #workers = new Map<string, PodWorker>();
  readonly #ending = new Set<PodWorker>();

  constructor(options: StaticPodsOptions) {
    this.#options = options;
  }

  /** These and no others are to run. */
  set(pods: readonly Pod[]): void {
    this.#wanted = new Map(pods.map(pod => [keyOf(pod), pod]));
    for (const [key, worker] of this.#workers) {
      if (this.#wanted.get(key)?.metadata.uid === worker.pod.metadata.uid || this.#ending.has(worker)) continue;
      this.#ending.add(worker);
      worker.remove();
    }
    for (const [key, pod] of this.#wanted) if (!this.#workers.has(key)) this.#start(key, pod);
  }

  /** A worker has ended. */
  done(worker: PodWorker): void {
    const key = keyOf(worker.pod);
    if (this.#workers.get(key) !== worker) return;
    this.#workers.delete(key);
    this.#ending.delete(worker);
    const next = this.#wanted.get(key);
    if (next) this.#start(key, next);
    else this.#options.over(worker.pod);
  }

  #start(key: string, pod: Pod): void {
    this.#workers.set(key, this.#options.start(pod));
  }
}
