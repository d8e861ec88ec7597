// Which pod goes first: one that uses more than it asked for, then the less important, then the one that is the furthest over.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {podRequests} from '../../../api/meta/pod-resources.ts';
import {unitValue} from '../../../api/meta/quantity.ts';
import type {PodWorker} from '../pod-worker.ts';

/** What one container uses of the resource in question. */
export interface Use {
  readonly uid: string;
  readonly name: string;
  readonly bytes: number;
}

export interface Ranked {
  readonly worker: PodWorker;
  readonly over: number;
  /** Containers that use more than they asked for. */
  readonly greedy: readonly {readonly name: string; readonly bytes: number; readonly request: string}[];
}

/** The pods of a node in the order of their eviction. */
export function rank(workers: readonly PodWorker[], uses: readonly Use[], resource: 'memory' | 'ephemeral-storage'): Ranked[] {
  const byPod = new Map<string, Use[]>();
  for (const each of uses) byPod.set(each.uid, [...(byPod.get(each.uid) ?? []), each]);
  const ranked = workers.flatMap(worker => {
    const used = byPod.get(worker.pod.metadata.uid);
    return used && !worker.known.failure ? [rankOf(worker, used, resource)] : [];
  });
  return ranked.sort(
    (a, b) =>
      Number(b.over > 0) - Number(a.over > 0) ||
      (a.worker.pod.spec.priority ?? 0) - (b.worker.pod.spec.priority ?? 0) ||
      b.over - a.over,
  );
}

function rankOf(worker: PodWorker, used: readonly Use[], resource: string): Ranked {
  const {spec}: Pod = worker.pod;
  const greedy = used.flatMap(({name, bytes}) => {
    const request = String(spec.containers.find(each => each.name === name)?.resources?.requests?.[resource] ?? '0');
    return bytes > unitValue(request) ? [{name, bytes, request}] : [];
  });
  const total = used.reduce((sum, each) => sum + each.bytes, 0);
  return {worker, over: total - (podRequests(spec)[resource] ?? 0), greedy};
}
