// The taint eviction controller: pods that do not bear a NoExecute taint of their node go, at once or when the time for which
// they bear it is over. Whatever ends the taint before that cancels it.
import type {Node, Pod} from '../../../api/kinds/core-v1.ts';
import {keyOf, splitKey} from '../../../api/meta/object.ts';
import {builtin} from '../../../api/meta/resources.ts';
import type {Informer} from '../../../client/informer.ts';
import type {Timer} from '../../../sim/clock.ts';
import {sleep, type Task} from '../../../sim/task.ts';
import type {Context, Controller} from '../context.ts';
import {disrupt} from '../disruption.ts';
import {podIndexes, type PodIndexes} from '../pod-index.ts';
import {drivingTaints, enduranceMs} from './plan.ts';

const nodes = builtin('nodes');
const TRIES = 5;
const RETRY_MS = 10;
const DISRUPTION = {
  why: {reason: 'DeletionByTaintManager', message: 'Taint manager: deleting due to NoExecute taint'},
  force: false,
} as const;

interface Eviction {
  readonly sinceMs: number;
  readonly timer: Timer;
}

/** Drives pods off tainted nodes. */
export const taintEvictionController: Controller = {
  name: 'taint-eviction-controller',
  account: 'node-controller',
  start: context => {
    const evictions = new Evictions(context);
    context.whenSynced(() => evictions.start());
  },
};

class Evictions {
  readonly #context: Context;
  readonly #nodes: Informer<Node>;
  readonly #indexes: PodIndexes;
  readonly #planned = new Map<string, Eviction>();

  constructor(context: Context) {
    this.#context = context;
    this.#nodes = context.informers.of<Node>(nodes);
    this.#indexes = podIndexes(context.informers);
  }

  start(): void {
    this.#nodes.on({
      added: node => this.#lookAtNode(node),
      updated: (node, old) => {
        if (node.spec.taints !== old.spec.taints) this.#lookAtNode(node);
      },
    });
    this.#indexes.pods.on({
      added: pod => this.#lookAt(pod),
      updated: (pod, old) => {
        if (pod.spec.nodeName !== old.spec.nodeName || pod.spec.tolerations !== old.spec.tolerations) this.#lookAt(pod);
      },
      deleted: pod => this.#cancel(keyOf(pod)),
    });
  }

  #lookAtNode(node: Node): void {
    if (drivingTaints(node.spec.taints).length === 0 && this.#planned.size === 0) return;
    for (const pod of this.#indexes.byNode.of(node.metadata.name).values()) this.#lookAt(pod);
  }

  #lookAt(pod: Pod): void {
    if (!pod.spec.nodeName) return;
    const taints = drivingTaints(this.#nodes.get(pod.spec.nodeName)?.spec.taints);
    if (taints.length === 0 && this.#planned.size === 0) return;
    const key = keyOf(pod);
    const bears = enduranceMs(pod.spec.tolerations, taints);
    if (bears === Infinity) {
      this.#cancel(key);
      return;
    }
    const {clock} = this.#context.daemon;
    const known = this.#planned.get(key);
    if (bears === 0) this.#cancel(key);
    // What was planned stands: the time that has passed counts.
    else if (known && known.sinceMs < clock.now) return;
    this.#plan(key, bears);
  }

  #plan(key: string, afterMs: number): void {
    const {clock, scope} = this.#context.daemon;
    const run = (): void => {
      this.#planned.delete(key);
      scope.run(this.#evict(key));
    };
    clock.cancel(this.#planned.get(key)?.timer);
    this.#planned.set(key, {sinceMs: clock.now, timer: scope.after(afterMs, run)});
  }

  #cancel(key: string): void {
    const planned = this.#planned.get(key);
    if (!planned) return;
    this.#context.daemon.clock.cancel(planned.timer);
    this.#planned.delete(key);
    this.#tell(key, `Cancelling deletion of Pod ${key}`);
  }

  *#evict(key: string): Task {
    this.#tell(key, `Marking for deletion Pod ${key}`);
    for (let tries = 0; tries < TRIES; tries++) {
      const pod = this.#indexes.pods.get(key);
      if (!pod || (yield* disrupt(this.#context.client, pod, DISRUPTION))) return;
      yield* sleep(RETRY_MS);
    }
  }

  #tell(key: string, message: string): void {
    const {name, namespace = ''} = splitKey(key);
    const involved = {apiVersion: 'v1', kind: 'Pod', name, namespace};
    this.#context.recorder.recordOn(involved, {type: 'Normal', reason: 'TaintManagerEviction', message});
  }
}
