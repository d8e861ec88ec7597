// The pods of a StatefulSet: one at most of each ordinal that may run (the API holds names apart, so what counts is that no container
// of an old one lives when a new one is made), in order, and with the right claims.
import type {StatefulSet} from '../../../../source/api/kinds/apps-v1.ts';
import type {Pod} from '../../../../source/api/kinds/core-v1.ts';
import {controllerOf} from '../../../../source/api/meta/object.ts';
import {isReady} from '../../../../source/api/meta/pod.ts';
import type {State} from '../ledger.ts';
import type {Check} from './check.ts';
import {listOf, nameOf, ownedPods} from './reading.ts';

const KNOWN_MS = 3000;

function ordinal({metadata}: {readonly metadata: {readonly name?: string}}): number {
  return Number(/-(\d+)$/.exec(metadata.name ?? '')?.[1] ?? -1);
}

function outOfOrder(state: State, set: StatefulSet, pod: Pod): string | undefined {
  if (set.spec?.podManagementPolicy === 'Parallel') return undefined;
  const n = ordinal(pod);
  const pods = ownedPods(state, set);
  for (let i = 0; i < n; i++) {
    const earlier = pods.find(each => ordinal(each) === i);
    if (!earlier || !isReady(earlier)) return `${nameOf(pod)} is made before ${i} is ready`;
  }
  return undefined;
}

export const ORDINALS: Check = {
  change({resource, before, after}, {ledger}) {
    if (resource !== 'pods' || before || !after) return undefined;
    const pod = after as unknown as Pod;
    const owner = controllerOf(pod);
    if (owner?.kind !== 'StatefulSet') return undefined;
    let first: string | undefined;
    for (const state of ledger.recent(KNOWN_MS)) {
      const set = listOf<StatefulSet>(state, 'statefulsets').find(({metadata}) => metadata.uid === owner.uid);
      if (!set) return undefined;
      const wrong =
        ordinal(pod) >= (set.spec?.replicas ?? 1)
          ? `${nameOf(pod)} is beyond ${set.spec?.replicas}`
          : outOfOrder(state, set, pod);
      if (wrong === undefined) return undefined;
      first ??= wrong;
    }
    return first;
  },
};
