// AlwaysPullImages: every container asks its registry for its image anew, so that nobody runs an image that another may pull. It is
// off unless a flag names it.
import type {Container, PodSpec} from '../../../api/kinds/core-v1.ts';
import type {Plugin} from './plugin.ts';
import {changingSpec} from './pod-object.ts';

export const alwaysPullImages: Plugin = {
  name: 'AlwaysPullImages',
  optional: true,
  resources: ['pods'],
  operations: ['CREATE', 'UPDATE'],
  mutate: changingSpec(pulling),
};

function pulling(spec: PodSpec): PodSpec {
  const {containers, initContainers} = spec;
  return {...spec, containers: containers.map(always), ...(initContainers ? {initContainers: initContainers.map(always)} : {})};
}

function always(container: Container): Container {
  return container.imagePullPolicy === 'Always' ? container : {...container, imagePullPolicy: 'Always'};
}
