// A workload is ready: its newest generation is observed, and as many of its newest pods are ready as are wanted, and no more.
import {needed, number, optional, record, text} from '../level/reader.ts';
import type {CheckKind} from './check.ts';
import {resourceOf} from './references.ts';

interface Counted {
  readonly metadata: {readonly generation?: number};
  readonly spec?: {readonly replicas?: number};
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly readyReplicas?: number;
    readonly updatedReplicas?: number;
    readonly numberReady?: number;
    readonly desiredNumberScheduled?: number;
    readonly updatedNumberScheduled?: number;
  };
}

interface Arguments {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly replicas?: number;
}

export const ready: CheckKind<Arguments> = {
  name: 'ready',
  arguments: record({kind: needed(text()), namespace: needed(text()), name: needed(text()), replicas: optional(number())}),
  judge({kind, namespace, name, replicas}, referee) {
    const resource = resourceOf(kind);
    const object = resource && (referee.find({resource, namespace, name}) as Counted | undefined);
    if (!object) return {met: false, note: `no ${kind} ${name}`};
    const wanted = replicas ?? object.spec?.replicas ?? object.status?.desiredNumberScheduled ?? 1;
    const {
      observedGeneration = 0,
      updatedReplicas,
      readyReplicas,
      numberReady,
      updatedNumberScheduled,
      replicas: all,
    } = object.status ?? {};
    const up = readyReplicas ?? numberReady ?? 0;
    const updated = updatedReplicas ?? updatedNumberScheduled ?? up;
    const settled = observedGeneration >= (object.metadata.generation ?? 0) && (all === undefined || all === wanted);
    return {met: settled && up === wanted && updated === wanted, note: `${Math.min(up, updated)}/${wanted}`};
  },
};
