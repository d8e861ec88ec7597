// Services and the pods that they select, found from either side without going through all of them.
import type {Pod, Service} from '../../api/kinds/core-v1.ts';
import {keyOf} from '../../api/meta/object.ts';
import {isReady, isTerminal} from '../../api/meta/pod.ts';
import {builtin} from '../../api/meta/resources.ts';
import {mapMatcher} from '../../api/meta/selector.ts';
import type {Index, Informer, Informers} from '../../client/informer.ts';
import {labelKeys, podIndexes} from './pod-index.ts';

const services = builtin('services');
const known = new WeakMap<Informers, ServiceIndex>();

/** Services by the first label that their selector asks for. */
export class ServiceIndex {
  readonly services: Informer<Service>;
  readonly #byFirst: Index<Service>;
  readonly #pods: Index<Pod>;

  constructor(informers: Informers) {
    this.services = informers.of<Service>(services);
    this.#byFirst = this.services.index(service => {
      const first = firstLabel(service);
      return first === undefined ? [] : [first];
    });
    this.#pods = podIndexes(informers).byLabel;
  }

  /** The pods that a Service selects. */
  podsOf(service: Service): readonly Pod[] {
    const first = firstLabel(service);
    if (first === undefined) return [];
    const matches = mapMatcher(service.spec.selector);
    const found: Pod[] = [];
    for (const pod of this.#pods.of(first).values()) if (matches(pod.metadata.labels)) found.push(pod);
    return found;
  }

  /** Calls `wake` with the key of each Service that selects the pod. */
  wakeFor(pod: Pod, wake: (serviceKey: string) => void): void {
    for (const label of labelKeys(pod)) {
      for (const [key, service] of this.#byFirst.of(label)) {
        if (mapMatcher(service.spec.selector)(pod.metadata.labels)) wake(key);
      }
    }
  }

  /** Calls `wake` with the key of each Service whose endpoints a change of pods touches, `begin` with that of a new one. */
  listen(pods: Informer<Pod>, wake: (serviceKey: string) => void, begin = wake): void {
    pods.on({
      added: pod => this.wakeFor(pod, wake),
      updated: (pod, old) => {
        const relabelled = pod.metadata.labels !== old.metadata.labels;
        if (!relabelled && !isTouched(pod, old)) return;
        this.wakeFor(pod, wake);
        if (relabelled) this.wakeFor(old, wake);
      },
      deleted: pod => this.wakeFor(pod, wake),
    });
    this.services.on({
      added: service => begin(keyOf(service)),
      updated: service => wake(keyOf(service)),
      deleted: service => wake(keyOf(service)),
    });
  }
}

/** The index of a process. */
export function serviceIndex(informers: Informers): ServiceIndex {
  const made = known.get(informers) ?? new ServiceIndex(informers);
  known.set(informers, made);
  return made;
}

function firstLabel({metadata: {namespace = ''}, spec: {selector}}: Service): string | undefined {
  const [label] = Object.entries(selector ?? {});
  return label ? `${namespace}/${label[0]}=${label[1]}` : undefined;
}

function isTouched(pod: Pod, old: Pod): boolean {
  return (
    pod.metadata.deletionTimestamp !== old.metadata.deletionTimestamp ||
    isReady(pod) !== isReady(old) ||
    isTerminal(pod) !== isTerminal(old) ||
    pod.status?.podIP !== old.status?.podIP ||
    pod.spec.nodeName !== old.spec.nodeName ||
    pod.spec.hostname !== old.spec.hostname
  );
}
