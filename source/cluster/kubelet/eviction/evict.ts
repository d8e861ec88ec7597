// The eviction manager: while the node has too little memory or disk it says so, removes what nobody needs, and then sends pods away,
// one at a time, those first that use more than they asked for; and pods whose own folders outgrow their limits go as well.
//
// Not modelled: inodes, process ids, and a disk of its own for images.
import {isCriError, type ContainerUsage} from '../../../api/wire/cri.ts';
import type {Task} from '../../../sim/task.ts';
import {unitValue} from '../../../api/meta/quantity.ts';
import {isCritical} from '../node/admission.ts';
import type {PodWorker} from '../pod-worker.ts';
import {SYSTEM_USE} from '../server/server.ts';
import type {KubeletParts} from '../surroundings.ts';
import {hasDiskLimit, whyTooMuchWritten} from './disk-limits.ts';
import type {Disk, ImageGc} from './image-gc.ts';
import {rank, type Use} from './rank.ts';
import {
  bytesOf,
  metThresholds,
  resourceOf,
  shownThreshold,
  type EvictionSettings,
  type Observation,
  type Signal,
  type Threshold,
} from './thresholds.ts';

const LOOK_MS = 10_000;
/** With plenty left nobody needs to look often. */
const CALM_MS = 60_000;
const GRACE_SECONDS = 1;

export interface EvictionOptions {
  readonly parts: KubeletParts;
  readonly settings: EvictionSettings;
  readonly workers: () => Iterable<PodWorker>;
  /** A pressure began or is over. */
  readonly changed: () => void;
  /** Absent: the disk has no end. */
  readonly disk: Disk | undefined;
  readonly images: ImageGc | undefined;
}

type Pressure = ReturnType<typeof resourceOf>;

/** Looks after one node. */
export class EvictionManager {
  readonly #options: EvictionOptions;
  readonly #memory: number;
  /** Since when a threshold has been met without a break. */
  readonly #since = new Map<Threshold, number>();
  readonly #metAt = new Map<Pressure, number>();
  readonly #pressed = new Set<Pressure>();
  #lookAt = 0;

  constructor(options: EvictionOptions) {
    this.#options = options;
    this.#memory = unitValue(options.parts.config.capacity['memory'] ?? '0');
  }

  get memoryPressure(): boolean {
    return this.#pressed.has('memory');
  }

  get diskPressure(): boolean {
    return this.#pressed.has('ephemeral-storage');
  }

  start(): void {
    const {daemon} = this.#options.parts;
    this.#lookAt = daemon.clock.now;
    daemon.scope.every(LOOK_MS, () => this.#look(), LOOK_MS * daemon.dice.of('eviction').fraction());
  }

  #look(): void {
    const {daemon} = this.#options.parts;
    const bounded: PodWorker[] = [];
    for (const worker of this.#options.workers()) {
      const why = worker.volumes.whyTooLarge();
      if (why !== undefined) this.#evict(worker, {message: why, disrupts: false}, GRACE_SECONDS);
      else if (hasDiskLimit(worker.pod)) bounded.push(worker);
    }
    if (bounded.length > 0) daemon.scope.run(this.#lookAtDiskOf(bounded));
    const diskIsMet = metThresholds(this.#options.settings.thresholds, this.#seen(undefined)).length > 0;
    if (daemon.clock.now < this.#lookAt && !diskIsMet && !this.diskPressure) return;
    daemon.scope.run(this.#synchronize());
  }

  /** Pods whose containers may write only so much. */
  *#lookAtDiskOf(workers: readonly PodWorker[]): Task {
    const {runtime} = this.#options.parts;
    for (const worker of workers) {
      const {pod, volumes} = worker;
      const usage = yield* runtime.ask<readonly ContainerUsage[]>({kind: 'usage', uid: pod.metadata.uid});
      const why = isCriError(usage) ? undefined : whyTooMuchWritten(pod, usage, volumes.usedBytes);
      if (why !== undefined) this.#evict(worker, {message: why, disrupts: false}, GRACE_SECONDS);
    }
  }

  /** What is left of memory, where its use is known, and of the disk. */
  #seen(usage: readonly ContainerUsage[] | undefined): Map<Signal, Observation> {
    const seen = new Map<Signal, Observation>();
    if (usage && this.#memory > 0) {
      const used = usage.reduce((sum, each) => sum + each.memoryBytes, SYSTEM_USE.memoryBytes);
      seen.set('memory.available', {available: Math.max(0, this.#memory - used), capacity: this.#memory});
    }
    const disk = this.#options.disk?.();
    if (disk && disk.sizeBytes > 0) {
      const observed = {available: Math.max(0, disk.sizeBytes - disk.usedBytes), capacity: disk.sizeBytes};
      seen.set('nodefs.available', observed).set('imagefs.available', observed);
    }
    return seen;
  }

  *#synchronize(): Task {
    const {parts, settings} = this.#options;
    const {daemon, runtime} = parts;
    const usage = yield* runtime.ask<readonly ContainerUsage[]>({kind: 'usage'});
    if (isCriError(usage)) return;
    const seen = this.#seen(usage);
    const met = metThresholds(settings.thresholds, seen);
    const {now} = daemon.clock;
    this.#lookAt = now + (this.#pressed.size > 0 || met.length > 0 || this.#isClose(seen) ? 0 : CALM_MS);
    this.#note(met);
    const due = met.find(threshold => now - (this.#since.get(threshold) ?? now) >= threshold.graceMs);
    if (due) yield* this.#reclaim(due, usage);
  }

  /** Is memory so short that it should be looked at often? */
  #isClose(seen: ReadonlyMap<Signal, Observation>): boolean {
    const {thresholds} = this.#options.settings;
    const observed = seen.get('memory.available');
    const memory = thresholds.filter(({signal}) => signal === 'memory.available');
    return (
      observed !== undefined && memory.some(each => observed.available < bytesOf(each, observed.capacity) + observed.capacity / 2)
    );
  }

  /** Keeps since when what is met, and which pressures the node tells of. */
  #note(met: readonly Threshold[]): void {
    const {settings, changed, parts} = this.#options;
    const {now} = parts.daemon.clock;
    for (const threshold of settings.thresholds) {
      if (!met.includes(threshold)) this.#since.delete(threshold);
      else if (!this.#since.has(threshold)) this.#since.set(threshold, now);
    }
    const before = [...this.#pressed].sort().join(' ');
    for (const resource of ['memory', 'ephemeral-storage'] as const) {
      if (met.some(({signal}) => resourceOf(signal) === resource)) this.#metAt.set(resource, now);
      const lasts = now - (this.#metAt.get(resource) ?? -Infinity) < settings.transitionMs;
      if (this.#metAt.get(resource) === now || (lasts && this.#pressed.has(resource))) this.#pressed.add(resource);
      else this.#pressed.delete(resource);
    }
    if (before !== [...this.#pressed].sort().join(' ')) changed();
  }

  *#reclaim(threshold: Threshold, usage: readonly ContainerUsage[]): Task {
    const {parts, settings, images} = this.#options;
    const {daemon, recorder, config} = parts;
    const resource = resourceOf(threshold.signal);
    daemon.print(`I eviction_manager.go:381] "Eviction manager: attempting to reclaim" resourceName="${resource}"`);
    recorder.recordOn(
      {kind: 'Node', name: config.name, uid: config.name},
      {type: 'Warning', reason: 'EvictionThresholdMet', message: `Attempting to reclaim ${resource}`},
    );
    if (resource === 'ephemeral-storage' && images) {
      yield* images.deleteUnused();
      if (metThresholds(settings.thresholds, this.#seen(undefined)).length === 0) {
        const words = 'Eviction manager: able to reduce resource pressure without evicting pods.';
        daemon.print(`I eviction_manager.go:388] "${words}" resourceName="${resource}"`);
        return;
      }
    }
    daemon.print(`I eviction_manager.go:392] "Eviction manager: must evict pod(s) to reclaim" resourceName="${resource}"`);
    this.#evictOne(threshold, usage);
  }

  #evictOne(threshold: Threshold, usage: readonly ContainerUsage[]): void {
    const {daemon} = this.#options.parts;
    const resource = resourceOf(threshold.signal);
    const workers = [...this.#options.workers()];
    const ranked = rank(workers, resource === 'memory' ? usage.map(memoryUse) : diskUses(workers, usage), resource);
    const names = ranked.map(({worker: {pod}}) => `"${pod.metadata.namespace}/${pod.metadata.name}"`);
    daemon.print(`I eviction_manager.go:410] "Eviction manager: pods ranked for eviction" pods=[${names.join(',')}]`);
    const chosen = ranked.find(({worker}) => !isCritical(worker.pod));
    const observed = this.#seen(usage).get(threshold.signal);
    if (!chosen || !observed) {
      daemon.print('I eviction_manager.go:438] "Eviction manager: unable to evict any pods from the node"');
      return;
    }
    const more = chosen.greedy.map(
      ({name, bytes, request}) =>
        `Container ${name} was using ${Math.ceil(bytes / 1024)}Ki, request is ${request}, has larger consumption of ${resource}. `,
    );
    const quantity = shownThreshold(threshold, observed.capacity);
    const limits = `Threshold quantity: ${quantity}, available: ${Math.floor(observed.available / 1024)}Ki. `;
    const message = `The node was low on resource: ${resource}. ${limits}${more.join('')}`;
    this.#evict(chosen.worker, {message, disrupts: true}, this.#graceFor(threshold, chosen.worker));
    const {namespace, name} = chosen.worker.pod.metadata;
    daemon.print(`I eviction_manager.go:635] "Eviction manager: pod is evicted successfully" pod="${namespace}/${name}"`);
  }

  /** A soft eviction leaves a pod its own time, up to a bound. */
  #graceFor({graceMs}: Threshold, {pod}: PodWorker): number {
    if (graceMs === 0) return GRACE_SECONDS;
    return Math.min(pod.spec.terminationGracePeriodSeconds ?? 30, this.#options.settings.mostGraceSeconds);
  }

  #evict(worker: PodWorker, why: {readonly message: string; readonly disrupts: boolean}, graceSeconds: number): void {
    worker.evict({reason: 'Evicted', ...why}, graceSeconds);
  }
}

function memoryUse({uid, name, memoryBytes}: ContainerUsage): Use {
  return {uid, name, bytes: memoryBytes};
}

/** What containers have written, and, counted with the first of them, what lies in the folders of their pod. */
function diskUses(workers: readonly PodWorker[], usage: readonly ContainerUsage[]): Use[] {
  const folders = new Map(workers.map(({pod, volumes}) => [pod.metadata.uid, volumes.usedBytes]));
  return usage.map(({uid, name, diskBytes}) => {
    const own = folders.get(uid) ?? 0;
    folders.delete(uid);
    return {uid, name, bytes: diskBytes + own};
  });
}
