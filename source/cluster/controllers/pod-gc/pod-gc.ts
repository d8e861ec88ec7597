// The pod garbage collector. It looks every 20 seconds, but only while there is something to look at: what could become its
// business is noted when it happens. A node that is gone gets 40 seconds of quarantine, and is asked for once more before its
// pods go.
import type {Node, Pod} from '../../../api/kinds/core-v1.ts';
import {keyOf} from '../../../api/meta/object.ts';
import {isTerminal, isTerminating} from '../../../api/meta/pod.ts';
import {builtin} from '../../../api/meta/resources.ts';
import type {Index, Informer} from '../../../client/informer.ts';
import {get} from '../../../client/verbs.ts';
import type {Task} from '../../../sim/task.ts';
import type {Context, Controller} from '../context.ts';
import {disrupt, type Disruption} from '../disruption.ts';
import {podIndexes, type PodIndexes} from '../pod-index.ts';
import {isStuck, surplusOf} from './plan.ts';
import {untilNext} from '../../../sim/grid.ts';

const nodes = builtin('nodes');
const PERIOD_MS = 20_000;
const QUARANTINE_MS = 40_000;
const ENDED = ['ended'];
const TERMINATING = ['terminating'];
const NEITHER: readonly string[] = [];

const NODE_GONE: Disruption = {why: {reason: 'DeletionByPodGC', message: 'PodGC: node no longer exists'}, force: true};
const OUT_OF_SERVICE: Disruption = {why: {reason: 'DeletionByPodGC', message: 'PodGC: node is out of service'}, force: true};
const UNDISRUPTED: Disruption = {force: true};

/** Ends pods that nobody else will. */
export const podGcController: Controller = {
  name: 'pod-garbage-collector-controller',
  account: 'pod-garbage-collector',
  start: context => {
    const collector = new PodCollector(context);
    context.whenSynced(() => collector.start());
  },
};

class PodCollector {
  readonly #context: Context;
  readonly #mostEnded: number;
  readonly #nodes: Informer<Node>;
  readonly #indexes: PodIndexes;
  /** Pods that have ended, all under one value. */
  readonly #ended: Index<Pod>;
  /** Pods that are being deleted. */
  readonly #terminating: Index<Pod>;
  /** Names of nodes with pods but without an object, and when they were first missed. */
  readonly #missed = new Map<string, number>();
  #beginMs = 0;
  #waiting = false;

  constructor(context: Context) {
    this.#context = context;
    // None at all is no bound.
    this.#mostEnded = context.settings.tuning.endedPods || Infinity;
    this.#nodes = context.informers.of<Node>(nodes);
    this.#indexes = podIndexes(context.informers);
    this.#ended = this.#indexes.pods.index(pod => (isTerminal(pod) ? ENDED : NEITHER));
    this.#terminating = this.#indexes.pods.index(pod => (isTerminating(pod) ? TERMINATING : NEITHER));
  }

  start(): void {
    this.#beginMs = this.#context.daemon.clock.now;
    const notice = (pod: Pod): void => {
      const {nodeName} = pod.spec;
      const homeless = nodeName !== undefined && nodeName !== '' && !this.#nodes.get(nodeName);
      if (homeless || isTerminating(pod) || this.#ended.of('ended').size > this.#mostEnded) this.#arm();
      if (homeless) this.#miss(nodeName);
    };
    this.#indexes.pods.on({
      added: notice,
      updated: (pod, old) => {
        if (pod.spec.nodeName !== old.spec.nodeName || isTerminating(pod) || isTerminal(pod)) notice(pod);
      },
    });
    this.#nodes.on({
      deleted: ({metadata: {name}}) => {
        if (this.#indexes.byNode.of(name).size === 0) return;
        this.#miss(name);
        this.#arm();
      },
    });
  }

  #miss(name: string): void {
    if (!this.#missed.has(name)) this.#missed.set(name, this.#context.daemon.clock.now);
  }

  /** Looks at the next point of the grid. */
  #arm(): void {
    if (this.#waiting) return;
    this.#waiting = true;
    const {clock, scope} = this.#context.daemon;
    scope.after(untilNext(clock.now, PERIOD_MS, this.#beginMs), () => scope.run(this.#pass()));
  }

  *#pass(): Task {
    this.#waiting = false;
    const ended = this.#ended.of('ended');
    if (ended.size > this.#mostEnded) yield* this.#endAll(surplusOf([...ended.values()], this.#mostEnded), UNDISRUPTED);
    yield* this.#endOrphans();
    const terminating = [...this.#terminating.of('terminating').values()];
    const stuck = terminating.filter(pod => isStuck(pod, this.#nodes.get(pod.spec.nodeName ?? '')));
    for (const pod of stuck) yield* this.#end(pod, pod.spec.nodeName ? OUT_OF_SERVICE : UNDISRUPTED);
    if (this.#missed.size > 0 || terminating.length > 0 || this.#ended.of('ended').size > this.#mostEnded) this.#arm();
  }

  *#endOrphans(): Task {
    const {client, daemon} = this.#context;
    for (const [name, since] of this.#missed) {
      const pods = [...this.#indexes.byNode.of(name).values()];
      if (pods.length === 0 || this.#nodes.get(name)) {
        this.#missed.delete(name);
        continue;
      }
      if (daemon.clock.now - since < QUARANTINE_MS) continue;
      const found = yield* client.ask(get(nodes, {name}));
      if (!found.ok && found.status.code === 404) yield* this.#endAll(pods, NODE_GONE);
    }
  }

  *#endAll(pods: readonly Pod[], how: Disruption): Task {
    for (const pod of pods) yield* this.#end(pod, how);
  }

  *#end(pod: Pod, how: Disruption): Task {
    const latest = this.#indexes.pods.get(keyOf(pod));
    if (latest) yield* disrupt(this.#context.client, latest, how);
  }
}
