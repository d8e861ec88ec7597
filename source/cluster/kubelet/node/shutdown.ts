// Graceful shutdown of the node. The machine tells before it goes down, and waits until the kubelet has ended its pods: group by group,
// the least important first, each with the time that its group has; a pod that needs less gets no more than that. Meanwhile the node
// is not ready, and takes no pods. What does not end in its time is left to the machine.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {sleep, type Task} from '../../../sim/task.ts';
import type {PodFailure} from '../knowledge.ts';
import type {PodWorker} from '../pod-worker.ts';
import type {KubeletParts} from '../surroundings.ts';
import type {Rejection} from './admission.ts';

/** Pods of at least that priority, and how long they may take. */
export interface ShutdownGroup {
  readonly priority: number;
  readonly graceSeconds: number;
}

/** What the machine gives to a kubelet that wants to be told. */
export interface ShutdownSettings {
  readonly groups: readonly ShutdownGroup[];
  /** Asks to be called before the machine goes down, which waits until `done` is called. */
  readonly inhibit: (prepare: (done: () => void) => void) => void;
}

const LOOK_MS = 100;
const TERMINATED: PodFailure = Object.freeze({
  reason: 'Terminated',
  message: 'Pod was terminated in response to imminent node shutdown.',
  disrupts: true,
});
const REJECTED: Rejection = Object.freeze({reason: 'NodeShutdown', message: 'Pod was rejected as the node is shutting down.'});

export interface NodeShutdownOptions {
  readonly parts: KubeletParts;
  readonly settings: ShutdownSettings;
  readonly workers: () => Iterable<PodWorker>;
  /** The node's status is another one. */
  readonly changed: () => void;
}

/** Sees to the pods when the machine goes down. */
export class NodeShutdown {
  readonly #options: NodeShutdownOptions;
  #isUnderWay = false;

  constructor(options: NodeShutdownOptions) {
    this.#options = options;
    const {settings, parts} = options;
    settings.inhibit(done => parts.daemon.scope.run(this.#run(), done));
  }

  /** Why the node is not ready. */
  get notReady(): string | undefined {
    return this.#isUnderWay ? 'node is shutting down' : undefined;
  }

  /** Why a new pod is not taken. */
  get rejection(): Rejection | undefined {
    return this.#isUnderWay ? REJECTED : undefined;
  }

  *#run(): Task {
    const {parts, settings, workers, changed} = this.#options;
    const {recorder, config} = parts;
    const message = 'Shutdown manager detected shutdown event';
    recorder.recordOn({kind: 'Node', name: config.name, uid: config.name}, {type: 'Normal', reason: 'Shutdown', message});
    this.#isUnderWay = true;
    changed();
    const all = [...workers()];
    for (const group of settings.groups)
      yield* this.#end(
        group,
        all.filter(({pod}) => groupOf(settings.groups, pod) === group),
      );
  }

  *#end({graceSeconds}: ShutdownGroup, workers: readonly PodWorker[]): Task {
    const {clock} = this.#options.parts.daemon;
    const until = clock.now + graceSeconds * 1000;
    for (const worker of workers)
      worker.evict(TERMINATED, Math.min(graceSeconds, worker.pod.spec.terminationGracePeriodSeconds ?? graceSeconds), false);
    while (clock.now < until && !workers.every(worker => worker.hasEnded)) yield* sleep(LOOK_MS);
  }
}

/** The last group whose priority the pod has reached; one that reaches none is in the first. */
function groupOf(groups: readonly ShutdownGroup[], {spec}: Pod): ShutdownGroup | undefined {
  return groups.findLast(({priority}) => priority <= (spec.priority ?? 0)) ?? groups[0];
}
