// The referee of a level: what checks look at, taken from the world. It tries the probes that checks ask for once a second.
import type {AnyObject} from '../../api/meta/object.ts';
import type {ResourceFacts} from '../../api/meta/resources.ts';
import type {World} from '../../world/world.ts';
import type {ObjectReference, Probe, Referee, Sample} from '../goals/check.ts';

const EVERY_MS = 1000;
const SAMPLES_KEPT = 30;

/** Looks at a world for the checks of a level. */
export class WorldReferee implements Referee {
  readonly #world: World;
  readonly #samples = new Map<string, Sample[]>();
  readonly #listeners = new Set<() => void>();
  #original: ReturnType<World['spectator']['snapshot']> = () => undefined;
  #stopped = false;

  constructor(world: World) {
    this.#world = world;
  }

  get now(): number {
    return this.#world.now;
  }

  find({resource, namespace, name}: ObjectReference): AnyObject | undefined {
    return this.#world.spectator.find(resource, namespace, name);
  }

  all(resource: ResourceFacts, namespace?: string): readonly AnyObject[] {
    return this.#world.spectator.all(resource, namespace);
  }

  original({resource, namespace, name}: ObjectReference): AnyObject | undefined {
    return this.#original(resource, namespace, name);
  }

  samples(probe: Probe): readonly Sample[] {
    return this.#samples.get(nameOf(probe)) ?? [];
  }

  /** From now on, what is now is how it was. */
  remember(): void {
    this.#original = this.#world.spectator.snapshot();
  }

  /** Begins to try the probes; each once, however many checks ask for it. */
  startProbes(probes: readonly Probe[]): void {
    for (const [name, probe] of new Map(probes.map(each => [nameOf(each), each]))) this.#try(name, probe);
  }

  /** Calls `sampled` after each try. */
  onSample(sampled: () => void): void {
    this.#listeners.add(sampled);
  }

  stop(): void {
    this.#stopped = true;
  }

  #try(name: string, probe: Probe): void {
    if (this.#stopped) return;
    const {clock} = this.#world.physics;
    const began = clock.now;
    this.#world.reach(probe.fromNamespace, probe.fromPod, probe.url, reached => {
      const samples = this.#samples.get(name) ?? [];
      this.#samples.set(name, [...samples.slice(1 - SAMPLES_KEPT), {at: clock.now, ...reached}]);
      clock.at(began + EVERY_MS, () => this.#try(name, probe));
      for (const sampled of this.#listeners) sampled();
    });
  }
}

function nameOf({fromNamespace, fromPod, url}: Probe): string {
  return `${fromNamespace}/${fromPod} ${url}`;
}
