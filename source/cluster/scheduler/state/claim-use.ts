// Which pods on nodes use a claim: for claims that serve one pod alone.
import type {PodInfo} from './pod-info.ts';

const NOBODY: ReadonlyMap<string, PodInfo> = new Map();

/** Pods by the claims that they use. */
export class ClaimUse {
  readonly #pods = new Map<string, Map<string, PodInfo>>();

  /** The pods that use a claim, by uid. */
  of(namespace: string, claim: string): ReadonlyMap<string, PodInfo> {
    return this.#pods.get(`${namespace}/${claim}`) ?? NOBODY;
  }

  add(pod: PodInfo): void {
    for (const claim of pod.claims) {
      const key = `${pod.namespace}/${claim}`;
      const pods = this.#pods.get(key) ?? new Map<string, PodInfo>();
      pods.set(pod.uid, pod);
      this.#pods.set(key, pods);
    }
  }

  remove(pod: PodInfo): void {
    for (const claim of pod.claims) {
      const key = `${pod.namespace}/${claim}`;
      const pods = this.#pods.get(key);
      pods?.delete(pod.uid);
      if (pods?.size === 0) this.#pods.delete(key);
    }
  }
}
