// All that etcd holds, revision by revision: a watch on every key at one member, from outside. Each change says what was there before
// and who wrote it, so that a check can judge the very step in which something went wrong, and not only what is left of it.
import {readPair} from '../../../source/world/processes/secrets.ts';
import {prefixOf} from '../../../source/cluster/apiserver/index.ts';
import type {AnyObject} from '../../../source/api/meta/object.ts';
import {RESOURCES} from '../../../source/api/meta/resources.ts';
import type {WatchFrame, WatchedEvent} from '../../../source/api/wire/etcd.ts';
import type {ClientHello} from '../../../source/api/wire/tls.ts';
import type {World} from '../../../source/world/world.ts';

/** One write. */
export interface Change {
  /** Plural name of the resource. */
  readonly resource: string;
  /** `namespace/name`, or the name. */
  readonly key: string;
  readonly before: AnyObject | undefined;
  readonly after: AnyObject | undefined;
  readonly revision: number;
  /** Virtual milliseconds. */
  readonly at: number;
  /** Whose request it was, and of which kind: `kube-controller-manager create`. */
  readonly who: string;
  readonly verb: string;
}

export type Objects = ReadonlyMap<string, AnyObject>;

/** Everything at one moment. */
export interface State {
  all(resource: string): Objects;
}

const NONE: Objects = new Map();
/** So many changes are kept, to look back. */
const KEPT = 4000;
const PREFIXES = RESOURCES.map(facts => ({prefix: prefixOf(facts), resource: facts.resource})).sort(
  (a, b) => b.prefix.length - a.prefix.length,
);

/** The ledger of a world. */
export class Ledger implements State {
  readonly #world: World;
  readonly #state = new Map<string, Map<string, AnyObject>>();
  readonly #listeners: ((change: Change) => void)[] = [];
  #changes: Change[] = [];
  #revision = 0;

  constructor(world: World, node: string, address: string) {
    this.#world = world;
    const files = world.machines.files(node);
    const pair = files && readPair(files, `${PKI}.crt`, `${PKI}.key`);
    if (!pair?.ok) throw new Error(`no certificate for etcd on ${node}`);
    const tls: ClientHello = {trusts: undefined, name: address, certificate: pair.value, now: world.wall};
    const request = {tls, request: {kind: 'watch', key: '/registry/', end: '/registry0', from: 1}};
    world.physics.network.call('10.0.0.254', address, 2379, request, {
      answer: () => undefined,
      frame: frame => this.#take(frame as WatchFrame),
      end: failure => {
        throw new Error(`the ledger lost its watch: ${String(failure)}`);
      },
    });
  }

  all(resource: string): Objects {
    return this.#state.get(resource) ?? NONE;
  }

  /** Hears of every change, after the state has it. */
  on(listener: (change: Change) => void): void {
    this.#listeners.push(listener);
  }

  /** What changed since a moment, oldest first. */
  since(at: number): readonly Change[] {
    const first = this.#changes.findLastIndex(change => change.at < at);
    return this.#changes.slice(first + 1);
  }

  /** The states of the last so many milliseconds, newest first: for those who decide by what they knew a moment ago. */
  *recent(ms: number): Generator<State> {
    yield this;
    const state = new Map([...this.#state].map(([resource, objects]) => [resource, new Map(objects)]));
    const past: State = {all: resource => state.get(resource) ?? NONE};
    for (const {resource, key, before} of this.since(this.#world.now - ms).toReversed()) {
      const objects = state.get(resource);
      if (before) objects?.set(key, before);
      else objects?.delete(key);
      yield past;
    }
  }

  #take({events, compactRevision, error}: WatchFrame): void {
    if (compactRevision !== undefined || error) throw new Error('the ledger missed revisions');
    for (const event of events) this.#apply(event);
  }

  #apply({type, current, cause}: WatchedEvent): void {
    const place = PREFIXES.find(({prefix}) => current.key.startsWith(prefix));
    if (!place || current.modRevision < this.#revision) return;
    this.#revision = current.modRevision;
    const key = current.key.slice(place.prefix.length);
    let objects = this.#state.get(place.resource);
    if (!objects) this.#state.set(place.resource, (objects = new Map()));
    const before = objects.get(key);
    const after = type === 'put' ? (current.value as AnyObject) : undefined;
    if (after) objects.set(key, after);
    else objects.delete(key);
    const {who = '?', verb = '?'} = this.#world.physics.trace.get(cause) ?? {};
    const change: Change = {
      resource: place.resource,
      key,
      before,
      after,
      revision: current.modRevision,
      at: this.#world.now,
      who,
      verb,
    };
    this.#changes.push(change);
    if (this.#changes.length > KEPT * 2) this.#changes = this.#changes.slice(-KEPT);
    for (const listener of this.#listeners) listener(change);
  }
}

const PKI = '/etc/kubernetes/pki/apiserver-etcd-client';
