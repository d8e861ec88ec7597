// The node lifecycle controller, from the side of health: it hears signs of life, and on a grid of five seconds looks at the
// nodes that changed and at those whose time is up. Between such looks it does nothing: the next one is a timer for the
// earliest deadline of all nodes.
import type {Lease} from '../../../api/kinds/coordination-v1.ts';
import type {Node, Pod} from '../../../api/kinds/core-v1.ts';
import type {ObjectReference} from '../../../api/kinds/core-v1.ts';
import {findCondition} from '../../../api/meta/conditions.ts';
import {builtin} from '../../../api/meta/resources.ts';
import type {Informer} from '../../../client/informer.ts';
import {patch, update} from '../../../client/verbs.ts';
import type {Timer} from '../../../sim/clock.ts';
import type {Task} from '../../../sim/task.ts';
import type {Context} from '../context.ts';
import {podIndexes} from '../pod-index.ts';
import {sendAll} from '../send-all.ts';
import type {NodeTuning} from '../tuning.ts';
import {deadlineMs, observe, readyStatus, unknownConditions, type Health} from './health.ts';
import {isDriven, planNoExecute} from './taints.ts';
import {paceMs, zoneOf} from './zones.ts';

const nodes = builtin('nodes');
const pods = builtin('pods');
const leases = builtin('coordination.k8s.io', 'leases');
const LEASE_NAMESPACE = 'kube-node-lease';

interface Zone {
  readonly waiting: Set<string>;
  /** When the next node may be tainted. */
  nextMs: number;
  timer: Timer | undefined;
}

/** Watches over the nodes' health. */
export class HealthWatch {
  readonly #context: Context;
  readonly #tuning: NodeTuning;
  readonly #nodes: Informer<Node>;
  readonly #leases: Informer<Lease>;
  readonly #health = new Map<string, Health>();
  readonly #changed = new Set<string>();
  readonly #zones = new Map<string, Zone>();
  #begin = 0;
  #armedMs = Infinity;
  #timer: Timer | undefined;
  #started = false;

  constructor(context: Context) {
    this.#context = context;
    this.#tuning = context.settings.tuning.nodes;
    this.#nodes = context.informers.of<Node>(nodes);
    this.#leases = context.informers.of<Lease>(leases);
  }

  /** Begins to listen. */
  start(): void {
    const context = this.#context;
    this.#nodes.on({
      added: node => this.#added(node),
      updated: (node, old) => this.#updated(node, old),
      deleted: node => this.#deleted(node),
    });
    const heard = ({metadata: {name, namespace}}: Lease): void => {
      if (namespace === LEASE_NAMESPACE) this.#sign(name);
    };
    this.#leases.on({added: heard, updated: heard});
    context.whenSynced(() => {
      this.#started = true;
      this.#begin = context.daemon.clock.now;
      // Signs count from now on: what was missed while nobody led is no node's fault.
      this.#health.clear();
      for (const name of this.#nodes.store.keys()) {
        this.#sign(name);
        this.#changed.add(name);
      }
      this.#arm(this.#begin);
    });
  }

  #added(node: Node): void {
    const {name} = node.metadata;
    this.#tell(node, 'RegisteredNode', `Registered Node ${name} in Controller`);
    this.#sign(name);
    this.#change(name);
  }

  #updated(node: Node, old: Node): void {
    const {name} = node.metadata;
    this.#sign(name);
    if (readyStatus(node) !== readyStatus(old) || isDriven(node) !== isDriven(old)) this.#change(name);
  }

  #deleted(node: Node): void {
    const {name} = node.metadata;
    this.#tell(node, 'RemovingNode', `Removing Node ${name} from Controller`);
    this.#health.delete(name);
    this.#changed.delete(name);
    this.#zones.get(zoneOf(node))?.waiting.delete(name);
  }

  #tell(node: Node, reason: string, what: string): void {
    const {name} = node.metadata;
    this.#context.recorder.recordOn(nodeReference(node), {type: 'Normal', reason, message: `Node ${name} event: ${what}`});
  }

  #sign(name: string): void {
    const node = this.#nodes.get(name);
    if (!node || !this.#started) return;
    const {clock, wall} = this.#context.daemon;
    const old = this.#health.get(name);
    const lease = this.#leases.get(`${LEASE_NAMESPACE}/${name}`);
    const health = observe(old, node, {lease, nowMs: clock.now, wallMs: wall()});
    if (health === old) return;
    this.#health.set(name, health);
    if (!old) this.#arm(deadlineMs(health, this.#tuning));
  }

  #change(name: string): void {
    this.#changed.add(name);
    this.#arm(this.#context.daemon.clock.now);
  }

  /** Makes sure of a pass on the first point of the grid at or after a time. */
  #arm(atMs: number): void {
    if (!this.#started || atMs === Infinity) return;
    const {daemon} = this.#context;
    const due = Math.max(atMs, daemon.clock.now) - this.#begin;
    const point = this.#begin + Math.ceil(due / this.#tuning.periodMs) * this.#tuning.periodMs;
    if (point >= this.#armedMs) return;
    daemon.clock.cancel(this.#timer);
    this.#armedMs = point;
    this.#timer = daemon.scope.after(point - daemon.clock.now, () => daemon.scope.run(this.#pass()));
  }

  *#pass(): Task {
    const {clock} = this.#context.daemon;
    const names = new Set(this.#changed);
    this.#changed.clear();
    for (const [name, health] of this.#health) if (clock.now > deadlineMs(health, this.#tuning)) names.add(name);
    this.#armedMs = Infinity;
    for (const name of names) {
      const node = this.#nodes.get(name);
      if (node) yield* this.#look(node);
    }
    this.#armNext();
  }

  #armNext(): void {
    let next = Infinity;
    for (const [name, health] of this.#health) {
      const node = this.#nodes.get(name);
      const settled = node && readyStatus(node) === 'Unknown' && health.hasReady;
      // One past the deadline: the time is up when it has passed.
      if (!settled) next = Math.min(next, deadlineMs(health, this.#tuning) + 1);
    }
    this.#arm(next);
  }

  *#look(node: Node): Task {
    const {clock} = this.#context.daemon;
    const health = this.#health.get(node.metadata.name);
    const observed = readyStatus(node);
    if (health && clock.now > deadlineMs(health, this.#tuning)) yield* this.#giveUp(node, observed);
    if (observed === 'True') {
      this.#zones.get(zoneOf(node))?.waiting.delete(node.metadata.name);
      yield* this.#taint(node, 'True');
    } else if (isDriven(node)) {
      yield* this.#taint(node, observed);
    } else {
      this.#enqueue(node);
    }
  }

  /** Writes Unknown, and takes the readiness of the node's pods away. */
  *#giveUp(node: Node, observed: string): Task {
    const {client, daemon, recorder} = this.#context;
    const conditions = unknownConditions(node, daemon.now());
    if (!conditions) return;
    const {name} = node.metadata;
    const result = yield* client.ask(update(nodes, {...node, status: {...node.status, conditions}} as Node, 'status'));
    if (!result.ok) {
      this.#change(name);
      return;
    }
    if (observed !== 'True') return;
    const message = `Node ${name} status is now: NodeNotReady`;
    recorder.recordOn(nodeReference(node), {type: 'Normal', reason: 'NodeNotReady', message});
    yield* this.#unready(name);
  }

  *#unready(name: string): Task {
    const {client, daemon, informers, recorder} = this.#context;
    const ready = [...podIndexes(informers).byNode.of(name).values()].flatMap(pod => unreadyPod(pod, daemon.now()));
    const results = yield* sendAll<Pod>(
      client,
      ready.map(each => each.request),
    );
    for (const [index, result] of results.entries()) {
      const pod = ready[index]?.pod;
      if (result.ok && pod) recorder.record(pod, {type: 'Warning', reason: 'NodeNotReady', message: 'Node is not ready'});
    }
  }

  *#taint(node: Node, ready: string): Task {
    const {client, daemon} = this.#context;
    const taints = planNoExecute(node, ready, daemon.now());
    if (!taints) return;
    const result = yield* client.ask(taintRequest(node, taints));
    if (!result.ok) this.#change(node.metadata.name);
  }

  /** Queues a node for its NoExecute taint. */
  #enqueue(node: Node): void {
    const key = zoneOf(node);
    const zone = this.#zones.get(key) ?? {waiting: new Set<string>(), nextMs: 0, timer: undefined};
    this.#zones.set(key, zone);
    zone.waiting.add(node.metadata.name);
    this.#drive(key, zone);
  }

  /** Taints the first that waits, when the zone's pace allows; the next one later. */
  #drive(key: string, zone: Zone): void {
    const {clock, scope} = this.#context.daemon;
    clock.cancel(zone.timer);
    const [name] = zone.waiting;
    if (name === undefined) return;
    if (zone.nextMs > clock.now) {
      zone.timer = scope.after(zone.nextMs - clock.now, () => this.#drive(key, zone));
      return;
    }
    const pace = paceMs(this.#census(key), this.#tuning);
    if (pace === Infinity) {
      zone.timer = scope.after(this.#tuning.periodMs, () => this.#drive(key, zone));
      return;
    }
    zone.waiting.delete(name);
    zone.nextMs = clock.now + pace;
    const node = this.#nodes.get(name);
    if (node && readyStatus(node) !== 'True') scope.run(this.#taint(node, readyStatus(node)));
    this.#drive(key, zone);
  }

  #census(key: string): {nodes: number; notReady: number} {
    let count = 0;
    let notReady = 0;
    for (const node of this.#nodes.store.values()) {
      if (zoneOf(node) !== key) continue;
      count++;
      if (readyStatus(node) !== 'True') notReady++;
    }
    return {nodes: count, notReady};
  }
}

/** The request that sets a node's taints, if nobody else changed the node meanwhile. */
export function taintRequest(node: Node, taints: Node['spec']['taints']) {
  const {name, resourceVersion} = node.metadata;
  return patch(nodes, {name}, 'strategic', {metadata: {resourceVersion}, spec: {taints: taints?.length ? taints : null}});
}

/** How events refer to a node. */
function nodeReference(node: Node): ObjectReference {
  return {apiVersion: 'v1', kind: 'Node', name: node.metadata.name, uid: node.metadata.uid};
}

function unreadyPod(pod: Pod, now: string) {
  const ready = findCondition(pod.status?.conditions, 'Ready');
  if (!ready || ready.status === 'False') return [];
  const {name, namespace, uid} = pod.metadata;
  const condition = {...ready, status: 'False', lastTransitionTime: now};
  const body = {metadata: {uid}, status: {conditions: [condition]}};
  return [{pod, request: patch(pods, {name, namespace, subresource: 'status'}, 'strategic', body)}];
}
