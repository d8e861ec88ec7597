// ExtendedResourceToleration: nodes with rare devices are tainted by the device's name; a pod that asks for one tolerates that taint.
import type {PodSpec, Toleration} from '../../../api/kinds/core-v1.ts';
import type {Plugin} from './plugin.ts';
import {specOf, withSpec} from './pod-object.ts';
import {SpecMemory} from './remember.ts';

const memory = new SpecMemory<PodSpec>();

export const extendedResourceToleration: Plugin = {
  name: 'ExtendedResourceToleration',
  optional: true,
  resources: ['pods'],
  operations: ['CREATE', 'UPDATE'],
  mutate(object) {
    const spec = specOf(object);
    return withSpec(
      object,
      memory.of(spec, '', () => tolerating(spec)),
    );
  },
};

function tolerating(spec: PodSpec): PodSpec {
  const {containers, initContainers = [], tolerations = []} = spec;
  const asked = [...containers, ...initContainers].flatMap(({resources}) => Object.keys(resources?.requests ?? {}));
  const devices = [...new Set(asked.filter(isExtended))].sort();
  const missing = devices.filter(key => !tolerations.some(each => each.key === key && each.effect === 'NoSchedule'));
  if (missing.length === 0) return spec;
  const added = missing.map((key): Toleration => ({key, operator: 'Exists', effect: 'NoSchedule'}));
  return {...spec, tolerations: [...tolerations, ...added]};
}

/** A resource with a domain of its own. */
function isExtended(resource: string): boolean {
  const [domain = ''] = resource.split('/', 1);
  return resource.includes('/') && !domain.endsWith('kubernetes.io') && !resource.startsWith('requests.');
}
