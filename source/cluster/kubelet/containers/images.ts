// Images, before a container starts: is it there, may it be pulled, does a failed pull still wait? Pulls go one after the other,
// as by default. The texts are the kubelet's.
import type {Container, EphemeralContainer, Pod} from '../../../api/kinds/core-v1.ts';
import {formatGoDuration} from '../../../api/meta/time.ts';
import {isCriError, type CriError, type ImageStatus} from '../../../api/wire/cri.ts';
import {parseImage} from '../../../api/wire/image-reference.ts';
import type {Happening} from '../../../client/events.ts';
import {wait, type Task} from '../../../sim/task.ts';
import type {WaitingReason} from '../knowledge.ts';
import {KeyedBackoff} from './keyed-backoff.ts';
import {plainError, type RuntimeClient} from '../runtime-client.ts';

export type ImageResult = {readonly image: ImageStatus} | {readonly failure: WaitingReason};

/** How a pull tells its pod. */
export type Tell = (happening: Omit<Happening, 'fieldPath'>) => void;

/** The pulls of one kubelet. */
export class ImagePuller {
  readonly #runtime: RuntimeClient;
  readonly #now: () => number;
  readonly #backoff = new KeyedBackoff();
  readonly #errors = new Map<string, string>();
  readonly #queue: (() => void)[] = [];
  /** What the runtime said it has; it is asked anew when an image is not among them. */
  readonly #present = new Map<string, ImageStatus>();
  #busy = false;

  constructor(runtime: RuntimeClient, now: () => number) {
    this.#runtime = runtime;
    this.#now = now;
  }

  /** The images that were seen, for the node's status. */
  get seen(): ReadonlyMap<string, ImageStatus> {
    return this.#present;
  }

  /** Somebody removed images behind the kubelet's back, or the runtime is another one. */
  forget(): void {
    this.#present.clear();
  }

  /** The image of a container, where it is known to be here and need not be pulled. */
  present({image = '', imagePullPolicy}: Container | EphemeralContainer, tell: Tell): ImageStatus | undefined {
    if (imagePullPolicy === 'Always') return undefined;
    const reference = parseImage(image);
    const seen = 'error' in reference ? undefined : this.#present.get(reference.name);
    if (seen) tell({type: 'Normal', reason: 'Pulled', message: presentText(image)});
    return seen;
  }

  /** Makes sure that the image of a container is there. */
  *ensure(pod: Pod, container: Container | EphemeralContainer, tell: Tell): Task<ImageResult> {
    const {image = '', imagePullPolicy: policy = 'IfNotPresent'} = container;
    const reference = parseImage(image);
    if ('error' in reference) {
      const message = `Failed to apply default image tag "${image}": couldn't parse image name "${image}": ${reference.error}`;
      tell({type: 'Warning', reason: 'InspectFailed', message});
      return {failure: {reason: 'InvalidImageName', message}};
    }
    const present = yield* this.#find(reference.name, image);
    if (isCriError(present)) {
      const message = `Failed to inspect image "${image}": ${plainError(present)}`;
      tell({type: 'Warning', reason: 'InspectFailed', message});
      return {failure: {reason: 'ImageInspectError', message}};
    }
    if (present && policy !== 'Always') {
      tell({type: 'Normal', reason: 'Pulled', message: presentText(image)});
      return {image: present};
    }
    if (policy === 'Never') {
      const message = `Container image "${image}" is not present with pull policy of Never`;
      tell({type: 'Warning', reason: 'ErrImageNeverPull', message});
      return {failure: {reason: 'ErrImageNeverPull', message}};
    }
    return yield* this.#pull(`${pod.metadata.uid}_${image}`, {image, name: reference.name, tell});
  }

  *#find(name: string, image: string): Task<ImageStatus | undefined | CriError> {
    const seen = this.#present.get(name);
    if (seen) return seen;
    const found = yield* this.#runtime.ask<ImageStatus | undefined>({kind: 'image-status', image});
    if (found && !isCriError(found)) this.#present.set(name, found);
    return found;
  }

  *#pull(
    key: string,
    {image, name, tell}: {readonly image: string; readonly name: string; readonly tell: Tell},
  ): Task<ImageResult> {
    const waiting = this.#backoff.waiting(key, this.#now());
    if (waiting) {
      const words = `Back-off pulling image "${image}"`;
      tell({type: 'Normal', reason: 'BackOff', message: words});
      const before = this.#errors.get(key);
      return {failure: {reason: 'ImagePullBackOff', message: before ? `${words}: ErrImagePull: ${before}` : words}};
    }
    tell({type: 'Normal', reason: 'Pulling', message: `Pulling image "${image}"`});
    const asked = this.#now();
    if (this.#busy) yield* wait<void>(wake => this.#queue.push(wake));
    this.#busy = true;
    const begun = this.#now();
    const result = yield* this.#runtime.ask<ImageStatus>({kind: 'pull-image', image});
    const next = this.#queue.shift();
    if (next) next();
    else this.#busy = false;
    if (isCriError(result)) this.#runtime.note('PullImage', result, ` image=${JSON.stringify(image)}`);
    if (isCriError(result)) return this.#failed(key, {image, result, tell});
    this.#errors.delete(key);
    this.#present.set(name, result);
    const spans = `in ${round(this.#now() - begun)} (${round(this.#now() - asked)} including waiting)`;
    tell({
      type: 'Normal',
      reason: 'Pulled',
      message: `Successfully pulled image "${image}" ${spans}. Image size: ${result.size} bytes.`,
    });
    return {image: result};
  }

  #failed(
    key: string,
    {image, result, tell}: {readonly image: string; readonly result: CriError; readonly tell: Tell},
  ): ImageResult {
    const message = plainError(result);
    this.#backoff.step(key, this.#now());
    this.#errors.set(key, message);
    tell({type: 'Warning', reason: 'Failed', message: `Failed to pull image "${image}": ${message}`});
    return {failure: {reason: 'ErrImagePull', message}};
  }
}

function presentText(image: string): string {
  return `Container image "${image}" already present on machine and can be accessed by the pod`;
}

/** To three digits or so, as the kubelet rounds spans for people. */
function round(ms: number): string {
  return formatGoDuration(ms < 1000 ? Math.round(ms) : ms < 60_000 ? Math.round(ms) : Math.round(ms / 1000) * 1000);
}
