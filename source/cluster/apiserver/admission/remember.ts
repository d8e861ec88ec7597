// Pods of one template share their spec, so what a plugin makes of a spec is made once: the next pod gets the same frozen object,
// and whoever reads it later (validation, the scheduler, a kubelet) can remember things about it in turn.

/** Remembers what was made of a frozen object for a given reason (the other inputs, as a text). */
export class SpecMemory<S extends object> {
  readonly #known = new WeakMap<S, {readonly reason: string; readonly made: S}>();

  /** What `make` makes of a spec; the same object again for the same reason. */
  of(spec: S, reason: string, make: () => S): S {
    const known = this.#known.get(spec);
    if (known?.reason === reason) return known.made;
    const made = make();
    if (Object.isFrozen(spec)) this.#known.set(spec, {reason, made});
    return made;
  }
}
