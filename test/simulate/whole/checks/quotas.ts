// At rest a quota says what is used in truth, and never is more used than it allows by things that came after it.
import type {PersistentVolumeClaim, Pod, ResourceQuota, Service} from '../../../../source/api/kinds/core-v1.ts';
import {isTerminal} from '../../../../source/api/meta/pod.ts';
import {podLists} from '../../../../source/api/meta/pod-resources.ts';
import {milliValue, unitValue} from '../../../../source/api/meta/quantity.ts';
import type {State} from '../ledger.ts';
import type {Check} from './check.ts';
import {differ, listOf, nameOf, podsOf} from './reading.ts';

function used(state: State, namespace: string | undefined, name: string): number {
  const here = <T extends {readonly metadata: {readonly namespace?: string}}>(objects: readonly T[]) =>
    objects.filter(({metadata}) => metadata.namespace === namespace);
  const pods = here(podsOf(state)).filter((pod: Pod) => !isTerminal(pod));
  const sum = (resource: string) => pods.reduce((total, pod) => total + milliValue(podLists(pod.spec).requests[resource]), 0);
  if (name === 'pods') return pods.length * 1000;
  if (name === 'requests.cpu') return sum('cpu');
  if (name === 'requests.memory') return sum('memory');
  if (name === 'services') return here(listOf<Service>(state, 'services')).length * 1000;
  if (name === 'persistentvolumeclaims') return here(listOf<PersistentVolumeClaim>(state, name)).length * 1000;
  return here(listOf<Service>(state, 'jobs')).length * 1000;
}

export const QUOTAS: Check = {
  late: state =>
    listOf<ResourceQuota>(state, 'resourcequotas').flatMap(quota =>
      Object.keys(quota.spec?.hard ?? {}).flatMap(name =>
        differ(
          `${nameOf(quota)} used ${name}`,
          milliValue(quota.status?.used?.[name] ?? '-1'),
          used(state, quota.metadata.namespace, name),
        ),
      ),
    ),
  change({resource, before, after}, {ledger}) {
    if (resource !== 'pods' || before || !after) return undefined;
    for (const quota of listOf<ResourceQuota>(ledger, 'resourcequotas')) {
      const hard = quota.status?.hard?.['pods'];
      if (quota.metadata.namespace !== after.metadata.namespace || hard === undefined) continue;
      const count = used(ledger, quota.metadata.namespace, 'pods') / 1000;
      if (count > unitValue(hard)) return `${count} pods where ${nameOf(quota)} allows ${hard}`;
    }
    return undefined;
  },
};
