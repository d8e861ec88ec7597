// A pod that gets containers to look into it, by a subresource of their own: they are never changed and never taken away.
import type {Pod} from '../kinds/core-v1.ts';
import {forbiddenField, root} from '../meta/field-error.ts';
import {goStruct} from '../schema/go-structs.ts';
import {sameJson} from '../schema/merge/index.ts';
import {lineDifference} from './difference.ts';
import {MIRROR, podAnnotations, podAnnotationsStay} from './pod-annotations.ts';
import {wholePodSpec} from './pods.ts';
import type {Errors} from './rules.ts';

/** A pod that gets ephemeral containers. */
export function validateEphemeralContainers(pod: Pod, before: Pod, errors: Errors): void {
  const path = root('spec', 'ephemeralContainers');
  const annotated = root('metadata', 'annotations');
  if (before.metadata.annotations?.[MIRROR] !== undefined) {
    errors.length = 0;
    errors.push(forbiddenField('', 'static pods do not support ephemeral containers'));
    return;
  }
  podAnnotations(pod.metadata, {path: annotated, spec: pod.spec, specPath: root('spec')}, errors);
  wholePodSpec(pod, root('spec'), errors);
  podAnnotationsStay(pod.metadata.annotations, before.metadata.annotations, {path: annotated, errors});
  for (const old of before.spec.ephemeralContainers ?? []) {
    const found = pod.spec.ephemeralContainers?.find(({name}) => name === old.name);
    const what = `existing ephemeral containers ${JSON.stringify(old.name)} may not be`;
    if (!found) errors.push(forbiddenField(path, `${what} removed\n`));
    else if (!sameJson(found, old)) {
      const [was, now] = [old, found].map(one => goStruct('EphemeralContainer', one));
      errors.push(forbiddenField(path, `${what} changed\n${lineDifference(was, now)}`));
    }
  }
}
