// Which attached volumes the pods of a node use: the Node tells of them, so that nobody takes a disk away that is mounted.

/** The volumes in use on one node. */
export class VolumesInUse {
  readonly #pods = new Map<string, Set<string>>();
  /** Another list is to be told. */
  onChange: (() => void) | undefined;

  /** The volumes by the names that a Node gives them, sorted. */
  get names(): readonly string[] {
    return this.#pods.size === 0 ? NONE : [...this.#pods.keys()].sort();
  }

  /** A pod uses a volume from now on. */
  use(volume: string, pod: string): void {
    const known = this.#pods.get(volume);
    if (known) {
      known.add(pod);
      return;
    }
    this.#pods.set(volume, new Set([pod]));
    this.onChange?.();
  }

  /** A pod uses nothing any more. */
  release(pod: string): void {
    if (this.#pods.size === 0) return;
    let last = false;
    for (const [volume, pods] of this.#pods) if (pods.delete(pod) && pods.size === 0) last = this.#pods.delete(volume);
    if (last) this.onChange?.();
  }
}

const NONE: readonly string[] = Object.freeze([]);
