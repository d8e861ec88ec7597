// What a quota demands of a pod: that each container says what it wants of all that is limited.
import type {PodSpec} from '../../../api/kinds/core-v1.ts';
import type {Quantities} from '../../../api/meta/pod-resources.ts';

const COMPUTE = new Set([
  'cpu',
  'memory',
  'requests.cpu',
  'requests.memory',
  'limits.cpu',
  'limits.memory',
  'requests.ephemeral-storage',
  'limits.ephemeral-storage',
  'ephemeral-storage',
]);

/** What a quota's hard limits make each container say: a text for each resource that some do not. */
export function missingOf(hard: Quantities, spec: PodSpec): readonly string[] {
  // A pod that says what it wants as a whole need not say it of each container.
  if (Object.keys({...spec.resources?.requests, ...spec.resources?.limits}).length > 0) return [];
  const containers = [...spec.containers, ...(spec.initContainers ?? [])];
  return Object.keys(hard)
    .filter(name => COMPUTE.has(name))
    .sort()
    .flatMap(name => {
      const [side, resource] = name.includes('.')
        ? [name.slice(0, name.indexOf('.')), name.slice(name.indexOf('.') + 1)]
        : ['requests', name];
      const list = side === 'limits' ? 'limits' : 'requests';
      const without = containers.filter(each => each.resources?.[list]?.[resource ?? ''] === undefined).map(each => each.name);
      return without.length === 0 ? [] : [`${name} for: ${[...new Set(without)].sort().join(',')}`];
    });
}
