// Volumes that are the files of an image. They are pulled like a container's own image, for the pod as a whole; where one cannot be
// had, the containers that mount it wait as if it were theirs.
import type {ImageVolumeSource, Pod} from '../../../api/kinds/core-v1.ts';
import type {Task} from '../../../sim/task.ts';
import type {WaitingReason} from '../knowledge.ts';
import type {StartPlan} from '../plan-pod.ts';
import {tell, type KubeletParts} from '../surroundings.ts';

/** Does the container mount one? */
export function mountsImages({spec}: Pod, {volumeMounts = []}: StartPlan['container']): boolean {
  return spec.volumes?.some(({image, name}) => image && volumeMounts.some(mount => mount.name === name)) === true;
}

/** Makes sure of those that a container mounts; why it has to wait. */
export function* pullImageVolumes(
  parts: KubeletParts,
  pod: Pod,
  {volumeMounts = []}: StartPlan['container'],
): Task<WaitingReason | undefined> {
  for (const {name, image} of pod.spec.volumes ?? []) {
    if (!image || !volumeMounts.some(mount => mount.name === name)) continue;
    const result = yield* parts.images.ensure(pod, asContainer(name, image), happening => tell(parts, pod, happening));
    if ('failure' in result) return result.failure;
  }
  return undefined;
}

function asContainer(name: string, {reference = '', pullPolicy}: ImageVolumeSource) {
  return {name, image: reference, ...(pullPolicy ? {imagePullPolicy: pullPolicy} : {})};
}
