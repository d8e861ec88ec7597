// Pods by the claims that they use.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import type {Index, Informers} from '../../../client/informer.ts';
import {podIndexes} from '../pod-index.ts';

const known = new WeakMap<Informers, Index<Pod>>();

/** The index of a process: by `namespace/claim`. */
export function claimIndex(informers: Informers): Index<Pod> {
  const made = known.get(informers) ?? podIndexes(informers).pods.index(claimsOf);
  known.set(informers, made);
  return made;
}

const NONE: readonly string[] = [];

/** The claims of a pod, as `namespace/claim`. */
export function claimsOf({metadata, spec}: Pod): readonly string[] {
  if (!spec.volumes) return NONE;
  return spec.volumes.flatMap(({name, persistentVolumeClaim, ephemeral}) => {
    if (persistentVolumeClaim) return [`${metadata.namespace}/${persistentVolumeClaim.claimName}`];
    return ephemeral ? [`${metadata.namespace}/${metadata.name}-${name}`] : [];
  });
}
