// The eviction manager: while the node has too little memory it says so and sends pods away, one at a time, those first that use
// more than they asked for; and pods whose own folders outgrow their limits go as well.
//
// Not modelled: soft thresholds, inodes, process ids, the disk of images.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {podRequests} from '../../../api/meta/pod.ts';
import {unitValue} from '../../../api/meta/quantity.ts';
import {isCriError, type ContainerUsage} from '../../../api/wire/cri.ts';
import type {Task} from '../../../sim/task.ts';
import {isCritical} from './admission.ts';
import type {PodWorker} from '../pod-worker.ts';
import {SYSTEM_USE} from '../server/server.ts';
import type {KubeletParts} from '../surroundings.ts';

/** What the kubelet's configuration says of eviction. */
export interface EvictionSettings {
  /** `memory.available` below which pods are evicted: a quantity or a percentage. */
  readonly memoryAvailable: string;
  /** How long a pressure is still told of after it has gone. */
  readonly transitionMs: number;
}

export const STANDARD_EVICTION: EvictionSettings = {memoryAvailable: '100Mi', transitionMs: 300_000};

const LOOK_MS = 10_000;
/** With plenty left nobody needs to look often. */
const CALM_MS = 60_000;
const GRACE_SECONDS = 1;

export interface EvictionOptions {
  readonly parts: KubeletParts;
  readonly settings: EvictionSettings;
  readonly workers: () => Iterable<PodWorker>;
  /** The pressure began or is over. */
  readonly changed: () => void;
}

/** Looks after one node. */
export class EvictionManager {
  readonly #options: EvictionOptions;
  readonly #capacity: number;
  readonly #threshold: number;
  #metAt = -Infinity;
  #pressure = false;
  #lookAt = 0;

  constructor(options: EvictionOptions) {
    this.#options = options;
    const {memoryAvailable} = options.settings;
    this.#capacity = unitValue(options.parts.config.capacity['memory'] ?? '0');
    const share = /^([\d.]+)%$/.exec(memoryAvailable)?.[1];
    this.#threshold = share === undefined ? unitValue(memoryAvailable) : Math.floor((this.#capacity * Number(share)) / 100);
  }

  get memoryPressure(): boolean {
    return this.#pressure;
  }

  start(): void {
    const {daemon} = this.#options.parts;
    this.#lookAt = daemon.clock.now;
    daemon.scope.every(LOOK_MS, () => this.#look(), LOOK_MS * daemon.dice.of('eviction').fraction());
  }

  #look(): void {
    const {daemon} = this.#options.parts;
    for (const worker of this.#options.workers()) {
      const why = worker.volumes.whyTooLarge();
      if (why !== undefined) this.#evict(worker, {message: why, disrupts: false});
    }
    if (daemon.clock.now < this.#lookAt) return;
    daemon.scope.run(this.#synchronize());
  }

  *#synchronize(): Task {
    const {parts, changed} = this.#options;
    const {daemon, runtime, recorder, config} = parts;
    const usage = yield* runtime.ask<readonly ContainerUsage[]>({kind: 'usage'});
    if (isCriError(usage) || this.#capacity === 0) return;
    const used = usage.reduce((sum, each) => sum + each.memoryBytes, SYSTEM_USE.memoryBytes);
    const available = Math.max(0, this.#capacity - used);
    const {now} = daemon.clock;
    this.#lookAt = now + (this.#pressure || available < this.#threshold + this.#capacity / 2 ? 0 : CALM_MS);
    const met = available < this.#threshold;
    if (met) this.#metAt = now;
    const before = this.#pressure;
    this.#pressure = met || (before && now - this.#metAt < this.#options.settings.transitionMs);
    if (before !== this.#pressure) changed();
    if (!met) return;
    daemon.print('I eviction_manager.go:381] "Eviction manager: attempting to reclaim" resourceName="memory"');
    recorder.recordOn(
      {kind: 'Node', name: config.name, uid: config.name},
      {type: 'Warning', reason: 'EvictionThresholdMet', message: 'Attempting to reclaim memory'},
    );
    daemon.print('I eviction_manager.go:392] "Eviction manager: must evict pod(s) to reclaim" resourceName="memory"');
    this.#evictOne(usage, available);
  }

  #evictOne(usage: readonly ContainerUsage[], available: number): void {
    const {daemon} = this.#options.parts;
    const ranked = rank([...this.#options.workers()], usage);
    const names = ranked.map(({worker: {pod}}) => `"${pod.metadata.namespace}/${pod.metadata.name}"`);
    daemon.print(`I eviction_manager.go:410] "Eviction manager: pods ranked for eviction" pods=[${names.join(',')}]`);
    const chosen = ranked.find(({worker}) => !isCritical(worker.pod));
    if (!chosen) {
      daemon.print('I eviction_manager.go:438] "Eviction manager: unable to evict any pods from the node"');
      return;
    }
    const {worker, greedy} = chosen;
    const quantity = this.#options.settings.memoryAvailable.endsWith('%')
      ? String(this.#threshold)
      : this.#options.settings.memoryAvailable;
    const more = greedy.map(
      ({name, bytes, request}) =>
        `Container ${name} was using ${Math.ceil(bytes / 1024)}Ki, request is ${request}, has larger consumption of memory. `,
    );
    const threshold = `Threshold quantity: ${quantity}, available: ${Math.floor(available / 1024)}Ki. `;
    this.#evict(worker, {message: `The node was low on resource: memory. ${threshold}${more.join('')}`, disrupts: true});
    const {namespace, name} = worker.pod.metadata;
    daemon.print(`I eviction_manager.go:635] "Eviction manager: pod is evicted successfully" pod="${namespace}/${name}"`);
  }

  #evict(worker: PodWorker, {message, disrupts}: {readonly message: string; readonly disrupts: boolean}): void {
    worker.evict({reason: 'Evicted', message, disrupts}, GRACE_SECONDS);
  }
}

interface Ranked {
  readonly worker: PodWorker;
  readonly over: number;
  /** Containers that use more than they asked for. */
  readonly greedy: readonly {readonly name: string; readonly bytes: number; readonly request: string}[];
}

/** Who goes first: who uses more than it asked for, then the less important, then by how much. */
function rank(workers: readonly PodWorker[], usage: readonly ContainerUsage[]): Ranked[] {
  const byPod = new Map<string, ContainerUsage[]>();
  for (const each of usage) byPod.set(each.uid, [...(byPod.get(each.uid) ?? []), each]);
  const ranked = workers.flatMap(worker => {
    const used = byPod.get(worker.pod.metadata.uid);
    return used && !worker.known.failure ? [rankOf(worker, used)] : [];
  });
  return ranked.sort(
    (a, b) =>
      Number(b.over > 0) - Number(a.over > 0) ||
      (a.worker.pod.spec.priority ?? 0) - (b.worker.pod.spec.priority ?? 0) ||
      b.over - a.over,
  );
}

function rankOf(worker: PodWorker, used: readonly ContainerUsage[]): Ranked {
  const {spec}: Pod = worker.pod;
  const greedy = used.flatMap(({name, memoryBytes}) => {
    const request = String(spec.containers.find(each => each.name === name)?.resources?.requests?.['memory'] ?? '0');
    return memoryBytes > unitValue(request) ? [{name, bytes: memoryBytes, request}] : [];
  });
  const total = used.reduce((sum, each) => sum + each.memoryBytes, 0);
  return {worker, over: total - (podRequests(spec)['memory'] ?? 0), greedy};
}
