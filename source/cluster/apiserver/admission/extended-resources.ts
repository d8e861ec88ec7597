// ExtendedResourceToleration: nodes with rare devices are tainted by the device's name; a pod that asks for one tolerates that taint.
import type {PodSpec, Toleration} from '../../../api/kinds/core-v1.ts';
import {isExtendedResource} from '../../../api/meta/pod-resources.ts';
import type {Plugin} from './plugin.ts';
import {changingSpec} from './pod-object.ts';

export const extendedResourceToleration: Plugin = {
  name: 'ExtendedResourceToleration',
  optional: true,
  resources: ['pods'],
  operations: ['CREATE', 'UPDATE'],
  mutate: changingSpec(tolerating),
};

function tolerating(spec: PodSpec): PodSpec {
  const {containers, initContainers = [], tolerations = []} = spec;
  const asked = [...containers, ...initContainers].flatMap(({resources}) => Object.keys(resources?.requests ?? {}));
  const devices = [...new Set(asked.filter(isExtendedResource))].sort();
  const missing = devices.filter(key => !tolerations.some(each => each.key === key && each.effect === 'NoSchedule'));
  if (missing.length === 0) return spec;
  const added = missing.map((key): Toleration => ({key, operator: 'Exists', effect: 'NoSchedule'}));
  return {...spec, tolerations: [...tolerations, ...added]};
}
