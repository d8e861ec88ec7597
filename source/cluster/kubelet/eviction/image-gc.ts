// Images that no container needs are removed when the disk runs full: down to the low threshold once it is fuller than the high one,
// and all of them when the node is short of disk. An image that was seen first a moment ago is left alone.
import {isCriError, type ContainerStatus, type ImageStatus} from '../../../api/wire/cri.ts';
import type {Task} from '../../../sim/task.ts';
import type {KubeletParts} from '../surroundings.ts';

/** What the kubelet's configuration says of images. */
export interface ImageGcSettings {
  readonly highPercent: number;
  readonly lowPercent: number;
  readonly leastAgeMs: number;
}

export const STANDARD_IMAGE_GC: ImageGcSettings = {highPercent: 85, lowPercent: 80, leastAgeMs: 120_000};

/** The disk of a node. */
export type Disk = () => {readonly sizeBytes: number; readonly usedBytes: number};

const EVERY_MS = 300_000;

/** The images of one node. */
export class ImageGc {
  readonly #parts: KubeletParts;
  readonly #disk: Disk;
  readonly #settings: ImageGcSettings;
  /** When an image was seen first, and when it was last in use, by the clock. */
  readonly #known = new Map<string, {readonly seen: number; used: number}>();
  #failed = false;

  constructor(parts: KubeletParts, disk: Disk, settings: ImageGcSettings) {
    this.#parts = parts;
    this.#disk = disk;
    this.#settings = settings;
  }

  start(): void {
    const {daemon} = this.#parts;
    daemon.scope.run(this.#unused());
    daemon.scope.every(EVERY_MS, () => daemon.scope.run(this.#collect()));
  }

  *#collect(): Task {
    const {highPercent, lowPercent} = this.#settings;
    const {sizeBytes, usedBytes} = this.#disk();
    const unused = yield* this.#unused();
    const usage = Math.floor((usedBytes * 100) / Math.max(1, sizeBytes));
    if (highPercent >= 100 || usage < highPercent) {
      this.#failed = false;
      return;
    }
    const {daemon, recorder, config} = this.#parts;
    const amount = Math.floor((sizeBytes * (100 - lowPercent)) / 100) - (sizeBytes - usedBytes);
    daemon.print(
      `I image_gc_manager.go:383] "Disk usage on image filesystem is over the high threshold, trying to free bytes down to the low threshold" usage=${usage} highThreshold=${highPercent} amountToFree=${amount} lowThreshold=${lowPercent}`,
    );
    const freed = yield* this.#free(unused, amount);
    if (freed >= amount) {
      this.#failed = false;
      return;
    }
    const why = `Failed to garbage collect required amount of images. Attempted to free ${amount} bytes, but only found ${freed} bytes eligible to free.`;
    recorder.recordOn(
      {kind: 'Node', name: config.name, uid: config.name},
      {type: 'Warning', reason: 'FreeDiskSpaceFailed', message: why},
    );
    const times = this.#failed ? 'multiple times in a row' : 'once. Stats initialization may not have completed yet';
    daemon.print(`E kubelet.go:1613] "Image garbage collection failed ${times}" err=${JSON.stringify(why)}`);
    this.#failed = true;
  }

  /** Removes all that nothing needs. */
  *deleteUnused(): Task {
    this.#parts.daemon.print('I image_gc_manager.go:441] "Attempting to delete unused images"');
    yield* this.#free(yield* this.#unused(), Infinity);
  }

  *#free(unused: readonly ImageStatus[], amount: number): Task<number> {
    const {daemon, runtime, images} = this.#parts;
    const {now} = daemon.clock;
    let freed = 0;
    for (const {id, size} of unused) {
      if (freed >= amount) break;
      if (now - (this.#known.get(id)?.seen ?? now) < this.#settings.leastAgeMs) continue;
      daemon.print(`I image_gc_manager.go:487] "Removing image to free bytes" imageID="${id}" size=${size} runtimeHandler=""`);
      const removed = yield* runtime.ask({kind: 'remove-image', image: id});
      if (isCriError(removed)) continue;
      this.#known.delete(id);
      freed += size;
    }
    if (freed > 0) images.forget();
    return freed;
  }

  /** The images that no container was made from, those first that have been unused for longest. */
  *#unused(): Task<readonly ImageStatus[]> {
    const {runtime, daemon} = this.#parts;
    const images = yield* runtime.ask<readonly ImageStatus[]>({kind: 'images'});
    const containers = yield* runtime.ask<readonly ContainerStatus[]>({kind: 'containers'});
    if (isCriError(images) || isCriError(containers)) return [];
    const needed = new Set(containers.flatMap(({imageId, imageRef}) => [imageId, imageRef]));
    const {now} = daemon.clock;
    const isNeeded = ({id, digests}: ImageStatus) => needed.has(id) || digests.some(digest => needed.has(digest));
    for (const image of images) {
      const known = this.#known.get(image.id) ?? {seen: now, used: -Infinity};
      if (isNeeded(image)) known.used = now;
      this.#known.set(image.id, known);
    }
    const rest = images.filter(image => !isNeeded(image) && !image.tags.some(tag => tag.includes('/pause:')));
    const of = ({id}: ImageStatus) => this.#known.get(id) ?? {seen: now, used: -Infinity};
    return rest.sort((a, b) => of(a).used - of(b).used || of(a).seen - of(b).seen || (a.id < b.id ? -1 : 1));
  }
}
