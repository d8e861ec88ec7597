// A cluster that runs, and the doors into it: what the game, `serve` and the line mode may do with it. `Cluster` puts the
// parts together; this class is the face of the whole.
import type {Pod} from '../api/kinds/core-v1.ts';
import type {AnyObject} from '../api/meta/object.ts';
import {builtin, resourceOfKind, type ResourceFacts} from '../api/meta/resources.ts';
import type {Certificate, ClientCertificate} from '../api/pki/certificate.ts';
import type {Answer, HttpReceiver, Request} from '../api/wire/http.ts';
import {Client, failedAs, type Result} from '../client/client.ts';
import {create, get, patch} from '../client/verbs.ts';
import type {Caller, Receiver} from '../sim/network.ts';
import type {Entry} from '../sim/trace.ts';
import {Cluster} from './cluster.ts';
import {API_ADDRESS, API_PORT, type WorldDescription} from './description.ts';
import type {Physics} from './host.ts';
import {addOnsOf} from './add-ons.ts';
import {isRestricted} from './node-machine.ts';
import {Machines} from './machines.ts';
import {Player} from './player.ts';
import {assert} from '../sim/assert.ts';
import {Pump} from './pump.ts';
import {hasNodes, isReady} from './readiness.ts';
import {Spectator} from './spectator.ts';

const pods = builtin('pods');

export interface WorldOptions {
  readonly description: WorldDescription;
  /** Milliseconds of the host from any start: for the pump's budget alone. */
  readonly hostNow: () => number;
}

/** What a try to reach a URL from a pod gave. */
export interface Reached {
  readonly status: number | undefined;
  readonly body: string;
  readonly failure: string | undefined;
}

/** The object of a write that is tried. */
interface Touched {
  readonly resource: ResourceFacts;
  readonly namespace: string | undefined;
  readonly name: string;
}

/** The longest that a new cluster may take to be ready, in virtual milliseconds. */
const READY_WITHIN_MS = 300_000;

/** A cluster and its player. */
export class World {
  readonly description: WorldDescription;
  readonly physics: Physics;
  readonly pump: Pump;
  readonly player: Player;
  /** Sees everything. */
  readonly spectator: Spectator;
  /** The machines themselves. */
  readonly machines: Machines;
  #playerView: Spectator | undefined;
  readonly #cluster: Cluster;
  readonly #administrator: Client;
  /** The customers' tools, where a level watches how they fare. */
  #pipeline: Client | undefined;
  /** A client that has no rights of its own: requests from outside bring theirs. */
  readonly #stranger: Client;

  private constructor({description, hostNow}: WorldOptions) {
    this.description = description;
    this.#cluster = new Cluster(description);
    this.physics = this.#cluster.physics;
    this.machines = new Machines(this.#cluster);
    this.pump = new Pump({kernel: this.physics.kernel, hostNow});
    this.#administrator = this.#cluster.clientFor({user: 'system:admin', groups: ['system:masters'], agent: 'system:admin'});
    this.#stranger = this.#cluster.clientFor({user: 'stranger', groups: [], agent: 'outside'});
    this.spectator = new Spectator(
      this.#cluster.clientFor({user: 'system:admin', groups: ['system:masters'], agent: 'spectator'}),
    );
    this.player = new Player(this.#cluster, description.player);
  }

  /** Builds a cluster and lets it run until its nodes are ready and its add-ons are up. */
  static async open(options: WorldOptions): Promise<World> {
    const world = new World(options);
    const count = world.#cluster.nodes.size;
    const ready = () => isReady(world.spectator, count);
    await world.until(() => hasNodes(world.spectator, count), READY_WITHIN_MS, 250);
    await world.#markNodes();
    for (const object of world.#cluster.kubeadmObjects()) await world.apply(object);
    for (const object of addOnsOf(options.description)) await world.apply(object);
    await world.until(ready, READY_WITHIN_MS, 250);
    await world.#settled();
    return world;
  }

  /** Every namespace gets the cluster's certificate, once: a cluster without it in `default` is younger than any that people meet. */
  async #settled(): Promise<void> {
    const request = get(builtin('configmaps'), {namespace: 'default', name: 'kube-root-ca.crt'});
    for (let tries = 0; tries < 40 && !(await this.ask(request)).ok; tries++) await this.advance(250);
  }

  /** Gives nodes the labels that only an administrator may give, as kubeadm does for control planes. */
  async #markNodes(): Promise<void> {
    for (const {name, labels} of this.description.nodes) {
      const restricted = Object.fromEntries(Object.entries(labels).filter(([label]) => isRestricted(label)));
      if (Object.keys(restricted).length > 0)
        await this.ask(patch(builtin('nodes'), {name}, 'merge', {metadata: {labels: restricted}}));
    }
  }

  /** Begins to look at what the player may read, in the player's namespace, for a screen to show; a cluster without one does without. */
  beginPlayerView(): void {
    const {user, identity = user, groups, namespace} = this.description.player;
    this.#playerView ??= new Spectator(this.#cluster.clientFor({user: identity, groups, agent: 'panels'}), namespace);
  }

  /** What the player may read, once that is looked at. */
  get playerView(): Spectator {
    assert(this.#playerView, 'nobody looks with the eyes of the player yet');
    return this.#playerView;
  }

  /** Virtual milliseconds since the start of the world. */
  get now(): number {
    return this.physics.clock.now;
  }

  /** The true time in the cluster, in milliseconds since 1970. */
  get wall(): number {
    return this.physics.startMs + this.now;
  }

  /** Lets virtual time pass. */
  async advance(ms: number): Promise<void> {
    await this.pump.run(this.now + ms);
  }

  /** Lets time pass up to a moment, in virtual milliseconds since the start; at once where it is past. */
  async runTo(moment: number): Promise<void> {
    if (moment > this.now) await this.pump.run(moment);
  }

  /** Lets time pass until nothing has changed for `forMs`, or `mostMs` have passed. */
  async quiet(forMs: number, mostMs: number): Promise<void> {
    let changed = this.now;
    const forget = this.spectator.onChange(() => (changed = this.now));
    const deadline = this.now + mostMs;
    while (this.now < deadline && this.now - changed < forMs) await this.advance(Math.min(250, forMs));
    forget();
  }

  /** Lets time pass until something holds; false when it does not within `mostMs`. */
  async until(holds: () => boolean, mostMs: number, stepMs = 100): Promise<boolean> {
    const deadline = this.now + mostMs;
    while (!holds()) {
      if (this.now >= deadline) return false;
      await this.advance(stepMs);
    }
    return true;
  }

  /** Sends a request as the administrator and lets time pass until it is answered. */
  async ask<T>(request: Request): Promise<Result<T>> {
    let result: Result<T> | undefined;
    this.#administrator.send<T>(request, answer => (result = answer));
    await this.until(() => result !== undefined, 120_000, 1);
    return (
      result ?? {
        ok: false,
        failure: 'timeout',
        status: {kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'the API server did not answer', code: 0},
      }
    );
  }

  /** Creates an object as the administrator; one that is there already is left as it is. Answers what went wrong. */
  async apply(object: AnyObject): Promise<string | undefined> {
    const resource = resourceOfKind(object.apiVersion, object.kind);
    if (!resource) return `no kind ${object.kind} in ${object.apiVersion}`;
    const strict = {...create(resource, object), query: {fieldValidation: 'Strict'}};
    const result = await this.ask(strict);
    return result.ok || failedAs(result, 'AlreadyExists') ? undefined : result.status.message;
  }

  /** Creates an object as the administrator, without waiting for the answer. */
  send(object: AnyObject): void {
    const resource = resourceOfKind(object.apiVersion, object.kind);
    if (resource) this.#administrator.send(create(resource, object));
  }

  /** A request from outside of the cluster, with a certificate or a token of its own; the answer comes as virtual time passes. */
  request(request: Request, receiver: HttpReceiver): Caller {
    return this.#stranger.daemon.dial(API_ADDRESS, API_PORT, {...request, scheme: 'https'}, receiver as Receiver);
  }

  /** The certificate of the authority that signs for the API server's clients. */
  get authority(): Certificate {
    return this.#cluster.authority.certificate;
  }

  /** A client certificate as the cluster's authority would issue it. */
  issue(commonName: string, organizations: readonly string[]): ClientCertificate {
    return this.#cluster.authority.issue(commonName, organizations);
  }

  /** Asks for a URL from a pod, as a program in it would. */
  reach(namespace: string, pod: string, url: string, done: (reached: Reached) => void): void {
    const found = this.spectator.find(pods, namespace, pod) as Pod | undefined;
    this.#cluster.visits.fromPod(found, url, answer => done(reachedBy(answer)));
  }

  /** Asks for a URL from outside of the cluster, as a customer would. */
  reachOutside(url: string, done: (reached: Reached) => void): void {
    this.#cluster.visits.fromOutside(url, answer => done(reachedBy(answer)));
  }

  /** Tries to change an object, as the customers' pipeline would: a dry run, which passes all gates and stores nothing. */
  touch({resource, namespace, name}: Touched, done: (reached: Reached) => void): void {
    const place = {name, ...(namespace === undefined ? {} : {namespace})};
    const change = {metadata: {annotations: {'crashloop.dev/tried-at': String(Math.round(this.now))}}};
    const request = {...patch(resource, place, 'merge', change), query: {dryRun: 'All'}};
    this.#pipeline ??= this.#cluster.clientFor({user: 'pipeline', groups: ['system:masters'], agent: 'pipeline'});
    this.#pipeline.send(request, result => {
      if (result.ok) done({status: 200, body: '', failure: undefined});
      else done({status: result.status.code ?? 0, body: result.status.message ?? '', failure: undefined});
    });
  }

  /** What happened since an entry of the trace. */
  traceSince(entry: number): Iterable<Entry> {
    return this.physics.trace.since(entry);
  }

  get traceCount(): number {
    return this.physics.trace.count;
  }

  /** A machine's fault, as `@stop etcd cp-2` says it; time passes until what it is about has come to pass. */
  async fault(words: string): Promise<{readonly out?: string} | {readonly error: string}> {
    const answer = this.#cluster.fault(words);
    if (!('holds' in answer)) return answer;
    await this.until(answer.holds, answer.mostMs);
    return {};
  }
}

function reachedBy(answer: Answer | string): Reached {
  if (typeof answer === 'string') return {status: undefined, body: '', failure: answer};
  const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? '');
  return {status: answer.status, body, failure: undefined};
}
