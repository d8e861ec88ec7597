// The referee of a level: what checks look at, taken from the world. It tries the probes that checks ask for once a second.
import type {AnyObject} from '../../../api/meta/object.ts';
import type {ResourceFacts} from '../../../api/meta/resources.ts';
import type {Machines, MemberView} from '../../../world/machines.ts';
import type {Reached, World} from '../../../world/world.ts';
import {referenceText} from '../../goals/references.ts';
import {Reviews} from './reviews.ts';
import type {ObjectReference, Probe, Referee, Sample} from '../../goals/check.ts';

const EVERY_MS = 1000;
const EVERY_WRITE_MS = 2000;
/** Probes do not all begin in the same instant, as customers do not. */
const APART_MS = 250;
const SAMPLES_KEPT = 30;

/** Looks at a world for the checks of a level. */
export class WorldReferee implements Referee {
  readonly #world: World;
  readonly #samples = new Map<string, Sample[]>();
  readonly #reviews: Reviews;
  readonly #listeners = new Set<() => void>();
  #original: ReturnType<World['spectator']['snapshot']> = () => undefined;
  #originalMembers: ReadonlyMap<string, Pick<MemberView, 'id' | 'clusterId'>> | undefined;
  readonly #failures = new Map<string, {failed: number; last: string}>();
  #stopped = false;

  constructor(world: World) {
    this.#world = world;
    this.#reviews = new Reviews(world);
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

  reviews(configuration: string, sinceMs: number): ReadonlySet<string> {
    return this.#reviews.since(configuration, sinceMs);
  }

  failures(probe: Probe): {readonly failed: number; readonly last: string} {
    return this.#failures.get(nameOf(probe)) ?? {failed: 0, last: ''};
  }

  get machines(): Machines {
    return this.#world.machines;
  }

  members(): readonly MemberView[] {
    return this.#world.machines.members();
  }

  originalMember(node: string): Pick<MemberView, 'id' | 'clusterId'> | undefined {
    return this.#originalMembers ? this.#originalMembers.get(node) : this.members().find(each => each.node === node);
  }

  /** From now on, what the members of etcd are is what they were: before anything befalls them. */
  rememberMembers(): void {
    this.#originalMembers = new Map(this.members().map(({node, id, clusterId}) => [node, {id, clusterId}]));
  }

  /** From now on, what is now is how it was. */
  remember(): void {
    this.#original = this.#world.spectator.snapshot();
  }

  /** Begins to try the probes; each once, however many checks ask for it. */
  startProbes(probes: readonly Probe[]): void {
    for (const [index, [name, probe]] of [...new Map(probes.map(each => [nameOf(each), each]))].entries())
      this.#world.physics.clock.after(index * APART_MS, () => this.#try(name, probe));
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
    const heard = (reached: Reached): void => {
      const samples = this.#samples.get(name) ?? [];
      const sample = {at: clock.now, tookMs: clock.now - began, ...reached};
      this.#samples.set(name, [...samples.slice(1 - SAMPLES_KEPT), sample]);
      if (sample.status === undefined || sample.status >= 400) {
        const failed = (this.#failures.get(name)?.failed ?? 0) + 1;
        this.#failures.set(name, {failed, last: sample.failure ?? String(sample.status)});
      }
      const everyMs = 'write' in probe ? EVERY_WRITE_MS : EVERY_MS;
      clock.at(Math.max(clock.now, began + everyMs), () => this.#try(name, probe));
      for (const sampled of this.#listeners) sampled();
    };
    if ('write' in probe) this.#world.touch(probe.write, heard);
    else if ('outside' in probe) this.#world.reachOutside(probe.outside, heard);
    else this.#world.reach(probe.fromNamespace, probe.fromPod, probe.url, heard);
  }
}

function nameOf(probe: Probe): string {
  if ('outside' in probe) return probe.outside;
  return 'write' in probe ? `write ${referenceText(probe.write)}` : `${probe.fromNamespace}/${probe.fromPod} ${probe.url}`;
}
