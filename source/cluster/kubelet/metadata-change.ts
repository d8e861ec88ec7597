// Whether a pod's own words about itself have changed, which volumes and environments may show.
import type {Pod} from '../../api/kinds/core-v1.ts';

/** Other labels or annotations? Objects that are the same are shared. */
export function metadataChanged(before: Pod, pod: Pod): boolean {
  return before.metadata.labels !== pod.metadata.labels || before.metadata.annotations !== pod.metadata.annotations;
}
