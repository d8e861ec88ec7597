// The Secrets by which a pod may pull from a private registry. One that is not there is told of, and holds nothing up.
//
// Not modelled: what they hold. No registry here lets somebody in by a password.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import type {Task} from '../../../sim/task.ts';
import {tell, type KubeletParts} from '../surroundings.ts';

/** Looks for them. */
export function* lookForPullSecrets(parts: KubeletParts, pod: Pod): Task {
  const {imagePullSecrets = []} = pod.spec;
  const missing: string[] = [];
  for (const {name} of imagePullSecrets) {
    if (!name) continue;
    const found = yield* parts.references.secret(pod.metadata.namespace ?? 'default', name);
    if ('error' in found) missing.push(name);
  }
  if (missing.length === 0) return;
  const message = `Unable to retrieve some image pull secrets (${missing.join(', ')}); attempting to pull the image may not succeed.`;
  tell(parts, pod, {type: 'Warning', reason: 'FailedToRetrieveImagePullSecret', message});
}
