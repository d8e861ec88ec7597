// One who sees the whole cluster, whatever the player may read: goals, panels and the debrief look through it. It is a client
// with an administrator's certificate on a machine of its own, so it sees what the API server says, and goes on showing the last
// of that while the API server is down (`stale`).
import type {AnyObject} from '../api/meta/object.ts';
import {builtin, type ResourceFacts} from '../api/meta/resources.ts';
import type {Client} from '../client/client.ts';
import type {Clock} from '../sim/clock.ts';
import {Informers, type Informer} from '../client/informer.ts';

/** What is always looked at; other resources when somebody asks for them. */
const ALWAYS: readonly ResourceFacts[] = [
  builtin('pods'),
  builtin('nodes'),
  builtin('services'),
  builtin('events'),
  builtin('apps', 'deployments'),
  builtin('apps', 'replicasets'),
  builtin('discovery.k8s.io', 'endpointslices'),
];

/** Looks at all objects. */
export class Spectator {
  readonly #informers: Informers;
  readonly #known = new Map<ResourceFacts, Informer<AnyObject>>();
  readonly #across = new Map<ResourceFacts, Informer<AnyObject>>();
  readonly #listeners = new Set<() => void>();
  readonly #later: (run: () => void) => void;
  readonly #namespace: string | undefined;
  readonly #clock: Clock;
  #told = false;
  #lost: number | undefined;

  /** With a namespace it looks only there, at what is in namespaces. */
  constructor(client: Client, namespace?: string) {
    this.#namespace = namespace;
    this.#clock = client.daemon.clock;
    this.#informers = new Informers(client);
    this.#later = run => void client.daemon.scope.soon(run);
    this.#informers.start();
    for (const resource of ALWAYS) this.#informer(resource);
  }

  /** One object; undefined when there is none (or nothing is known yet). */
  find(resource: ResourceFacts, namespace: string | undefined, name: string): AnyObject | undefined {
    return this.#informer(resource).get(namespace ? `${namespace}/${name}` : name);
  }

  /** All objects of a resource, of one namespace where given. */
  all(resource: ResourceFacts, namespace?: string): readonly AnyObject[] {
    const objects = [...this.#informer(resource).store.values()];
    return namespace === undefined ? objects : objects.filter(object => object.metadata.namespace === namespace);
  }

  /** The same over all namespaces, for one who looks at a single one otherwise; undefined where that is not allowed. */
  across(resource: ResourceFacts): readonly AnyObject[] | undefined {
    const known = this.#across.get(resource);
    if (known) return known.synced ? [...known.store.values()] : undefined;
    const asked = this.#informers.of<AnyObject>(resource);
    this.#across.set(resource, asked);
    this.#hear(asked);
    return undefined;
  }

  /** All that is known now, for a later comparison. Objects are frozen: nothing is copied but the keys. */
  snapshot(): (resource: ResourceFacts, namespace: string | undefined, name: string) => AnyObject | undefined {
    const stores = new Map([...this.#known].map(([resource, informer]) => [resource, new Map(informer.store)]));
    return (resource, namespace, name) => stores.get(resource)?.get(namespace ? `${namespace}/${name}` : name);
  }

  /** Calls `changed` after every instant in which something changed. The answer takes it back. */
  onChange(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  /** Have all resources that are looked at been listed once? */
  get isReady(): boolean {
    return [...this.#known.values()].every(informer => informer.synced);
  }

  /** For how many milliseconds the API server has not been heard; undefined while it is. */
  get staleMs(): number | undefined {
    const connected = [...this.#known.values()].some(informer => informer.connected);
    if (connected) this.#lost = undefined;
    else this.#lost ??= this.#clock.now;
    return this.#lost === undefined ? undefined : this.#clock.now - this.#lost;
  }

  #informer(resource: ResourceFacts): Informer<AnyObject> {
    const known = this.#known.get(resource);
    if (known) return known;
    const informer = this.#informers.of<AnyObject>(
      resource,
      this.#namespace !== undefined && resource.namespaced ? {namespace: this.#namespace} : {},
    );
    this.#known.set(resource, informer);
    this.#hear(informer);
    return informer;
  }

  #hear(informer: Informer<AnyObject>): void {
    const tell = () => this.#tell();
    informer.on({added: tell, updated: tell, deleted: tell});
  }

  #tell(): void {
    if (this.#told) return;
    this.#told = true;
    this.#later(() => {
      this.#told = false;
      for (const changed of this.#listeners) changed();
    });
  }
}
