// What webhooks were asked about, read off the trace as it grows: for each configuration the last time of each resource.
import type {World} from '../../../world/world.ts';

const NONE: ReadonlyMap<string, number> = new Map();

/** Follows the reviews of a world. */
export class Reviews {
  readonly #world: World;
  readonly #latest = new Map<string, Map<string, number>>();
  #read = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** The resources that a configuration's webhooks heard of since then. */
  since(configuration: string, sinceMs: number): ReadonlySet<string> {
    this.#follow();
    const latest = this.#latest.get(configuration) ?? NONE;
    return new Set([...latest].filter(([, at]) => at >= sinceMs).map(([about]) => about));
  }

  #follow(): void {
    const world = this.#world;
    if (world.traceCount === this.#read) return;
    for (const {verb, at, detail} of world.traceSince(this.#read)) {
      if (verb !== 'review') continue;
      const {configuration, about} = detail as {readonly configuration: string; readonly about: string};
      const latest = this.#latest.get(configuration) ?? new Map<string, number>();
      this.#latest.set(configuration, latest.set(about, at));
    }
    this.#read = world.traceCount;
  }
}
