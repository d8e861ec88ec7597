// A node's share of the API: the Node is registered, its status kept, its lease renewed. The status is written when it has changed
// (seen within ten seconds) and every five minutes; the lease, one small request, every ten seconds.
//
// Idle nodes cost just that: nothing is looked at in between, since the runtime and the CNI tell when they change.
import type {Lease} from '../../../api/kinds/coordination-v1.ts';
import type {Node, NodeStatus} from '../../../api/kinds/core-v1.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {formatGoDuration, formatMicroTime} from '../../../api/meta/time.ts';
import {failedAs, type Client} from '../../../client/client.ts';
import {create, get, patch, update} from '../../../client/verbs.ts';
import {sleep, type Task} from '../../../sim/task.ts';
import {newNode, nodeStatus, statusChanged, type NodeFacts} from './object.ts';
import type {KubeletParts} from '../surroundings.ts';
import {untilNext} from '../../../sim/grid.ts';

const leases = builtin('coordination.k8s.io', 'leases');
const nodes = builtin('nodes');
const LEASE_NAMESPACE = 'kube-node-lease';
const LEASE_SECONDS = 40;
const RENEW_MS = 10_000;
const LEASE_ANSWER_MS = 10_000;
const STATUS_MS = 10_000;
const HEARTBEAT_MS = 300_000;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 7000;

export interface NodeLoopFacts {
  readonly parts: KubeletParts;
  readonly facts: () => NodeFacts;
  /** The Node is registered. */
  readonly registered: (node: Node) => void;
}

/** Keeps a Node. */
export class NodeLoop {
  readonly #options: NodeLoopFacts;
  #node: Node | undefined;
  #written = 0;
  #wanted = false;
  #ready: string | undefined;
  #wasReady = false;
  #pressed = '';

  constructor(options: NodeLoopFacts) {
    this.#options = options;
  }

  /** Registers the node, then keeps status and lease. */
  start(): void {
    const {scope, dice} = this.#options.parts.daemon;
    scope.run(this.#register(), node => {
      this.#node = node;
      this.#options.registered(node);
      scope.run(this.#keepLease(RENEW_MS * dice.fraction()));
      this.#beat();
    });
  }

  /** The informer has another Node. */
  take(node: Node): void {
    this.#node = node;
    // Whom the node controller had not heard of for a while, it calls Unknown; the kubelet knows better, and says so again.
    const ready = node.status?.conditions?.find(condition => condition.type === 'Ready')?.status;
    if (ready !== undefined && this.#ready !== undefined && ready !== this.#ready) this.changed();
  }

  /** Something that the status tells of has changed: it is looked at within ten seconds. */
  changed(): void {
    if (this.#wanted || !this.#node) return;
    // A node that was never ready is waited for: its first good news is told at once.
    if (this.#ready !== 'True' && !this.#wasReady) {
      this.sync();
      return;
    }
    this.#wanted = true;
    const {scope, clock} = this.#options.parts.daemon;
    scope.after(untilNext(clock.now, STATUS_MS), () => {
      this.#wanted = false;
      this.sync();
    });
  }

  /** Looks at the status at once. */
  sync(): void {
    const {parts, facts} = this.#options;
    const {clock} = parts.daemon;
    const node = this.#node;
    if (!node) return;
    const status = nodeStatus(parts.config, node.status, facts());
    if (!statusChanged(node.status, status) && clock.now - this.#written < HEARTBEAT_MS) return;
    this.#written = clock.now;
    this.#tellReady(status.conditions?.find(condition => condition.type === 'Ready')?.status);
    this.#tellPressures(status);
    const {addresses, allocatable, capacity, conditions, daemonEndpoints, images, nodeInfo} = status;
    const {volumesInUse = null} = status;
    const inUse = (volumesInUse ?? node.status?.volumesInUse) ? {volumesInUse} : {};
    const body = {status: {addresses, allocatable, capacity, conditions, daemonEndpoints, images, nodeInfo, ...inUse}};
    parts.client.send<Node>(patch(nodes, {name: node.metadata.name, subresource: 'status'}, 'strategic', body), result => {
      if (result.ok) {
        this.#node = result.value;
        return;
      }
      parts.daemon.print(
        `E kubelet_node_status.go:474] "Error updating node status, will retry" err="error getting node \\"${node.metadata.name}\\": ${result.status.message}"`,
      );
      this.#written = 0;
      this.changed();
    });
  }

  #tellReady(status: string | undefined): void {
    const turned = this.#ready !== status && (status === 'True' || this.#ready === 'True');
    this.#ready = status;
    this.#wasReady ||= status === 'True';
    if (turned) this.#tellStatus(status === 'True' ? 'NodeReady' : 'NodeNotReady');
  }

  #tellPressures({conditions = []}: NodeStatus): void {
    const isOn = (type: string) => conditions.some(each => each.type === type && each.status === 'True');
    const [memory, disk] = [isOn('MemoryPressure'), isOn('DiskPressure')];
    const [hadMemory, hadDisk] = [this.#pressed.includes('memory'), this.#pressed.includes('disk')];
    if (memory !== hadMemory) this.#tellStatus(memory ? 'NodeHasInsufficientMemory' : 'NodeHasSufficientMemory');
    if (disk !== hadDisk) this.#tellStatus(disk ? 'NodeHasDiskPressure' : 'NodeHasNoDiskPressure');
    this.#pressed = `${memory ? 'memory' : ''} ${disk ? 'disk' : ''}`;
  }

  #tellStatus(reason: string): void {
    this.#tell(reason, `Node ${this.#options.parts.config.name} status is now: ${reason}`);
  }

  #tell(reason: string, message: string): void {
    const {recorder, config} = this.#options.parts;
    recorder.recordOn({kind: 'Node', name: config.name, uid: config.name}, {type: 'Normal', reason, message});
  }

  #beat(): void {
    const {daemon} = this.#options.parts;
    this.#written = daemon.clock.now;
    this.#tell('Starting', 'Starting kubelet.');
    for (const reason of ['NodeHasSufficientMemory', 'NodeHasNoDiskPressure', 'NodeHasSufficientPID']) this.#tellStatus(reason);
    this.#ready = 'Unknown';
    const ready = this.#node?.status?.conditions?.find(condition => condition.type === 'Ready')?.status;
    if (ready === 'True') this.#tellReady(ready);
    this.sync();
    daemon.scope.every(HEARTBEAT_MS, () => this.sync(), HEARTBEAT_MS * (0.75 + daemon.dice.fraction() / 4));
  }

  *#register(): Task<Node> {
    const {parts, facts} = this.#options;
    const {client, config, daemon} = parts;
    let wait = FIRST_RETRY_MS;
    daemon.print(`I kubelet_node_status.go:74] "Attempting to register node" node="${config.name}"`);
    for (;;) {
      const made = yield* client.ask<Node>(create(nodes, newNode(config, facts())));
      if (made.ok) {
        daemon.print(`I kubelet_node_status.go:77] "Successfully registered node" node="${config.name}"`);
        return made.value;
      }
      if (failedAs(made, 'AlreadyExists')) {
        const found = yield* client.ask<Node>(get(nodes, {name: config.name}));
        if (found.ok) return found.value;
      }
      daemon.print(
        `E kubelet_node_status.go:106] "Unable to register node with API server" err=${JSON.stringify(made.status.message)} node="${config.name}"`,
      );
      yield* sleep(wait);
      wait = Math.min(LONGEST_RETRY_MS, wait * 2);
    }
  }

  *#keepLease(firstMs: number): Task {
    const {daemon} = this.#options.parts;
    const client = this.#options.parts.client.withTimeout(LEASE_ANSWER_MS);
    let lease: Lease | undefined;
    let wait = 0;
    for (;;) {
      const renewed = lease
        ? yield* client.ask<Lease>(update(leases, {...lease, spec: {...lease.spec, renewTime: formatMicroTime(daemon.wall())}}))
        : yield* this.#ensureLease(client);
      if (renewed.ok) {
        if (wait > 0) yield* this.#lookAnew(client);
        yield* sleep(lease === undefined && firstMs > 0 ? firstMs : RENEW_MS);
        lease = renewed.value;
        wait = 0;
        continue;
      }
      const what = lease
        ? 'controller.go:251] "Failed to update lease"'
        : 'controller.go:201] "Failed to ensure lease exists, will retry"';
      wait = Math.min(LONGEST_RETRY_MS, Math.max(200, wait * 2));
      const interval = lease ? '' : ` interval="${formatGoDuration(wait)}"`;
      daemon.print(`E ${what} err=${JSON.stringify(renewed.status.message)}${interval}`);
      lease = undefined;
      yield* sleep(wait);
    }
  }

  /** The API server is back: what it says of the node may have aged, and the watch that would tell is still asleep. */
  *#lookAnew(client: Client): Task {
    const found = yield* client.ask<Node>(get(nodes, {name: this.#options.parts.config.name}));
    if (found.ok) this.take(found.value);
  }

  *#ensureLease(client: Client) {
    const {config, daemon} = this.#options.parts;
    const {name} = config;
    const found = yield* client.ask<Lease>(get(leases, {namespace: LEASE_NAMESPACE, name}));
    if (found.ok || !failedAs(found, 'NotFound')) return found;
    const owner = {apiVersion: 'v1', kind: 'Node', name, uid: this.#node?.metadata.uid ?? ''};
    const spec = {holderIdentity: name, leaseDurationSeconds: LEASE_SECONDS, renewTime: formatMicroTime(daemon.wall())};
    const draft = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: {name, namespace: LEASE_NAMESPACE, ownerReferences: [owner]},
      spec,
    };
    return yield* client.ask<Lease>(create(leases, draft));
  }
}
