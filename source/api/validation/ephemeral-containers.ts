// Containers that are put into a running pod to look into it. They can come; they cannot be changed or go.
import type {EphemeralContainer, Pod} from '../kinds/core-v1.ts';
import {duplicate, type FieldPath, forbiddenField, notFoundValue, root} from '../meta/field-error.ts';
import {sameJson} from '../schema/merge/index.ts';
import {containerCommon} from './containers.ts';
import type {Errors} from './rules.ts';

const MIRROR = 'kubernetes.io/config.mirror';
const NOT_ALLOWED = 'cannot be set for an Ephemeral Container';
/** What a container that a pod relies on may have, and these may not. */
const FORBIDDEN = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;

/** A pod that gets such containers. */
export function validateEphemeralContainers(pod: Pod, before: Pod, errors: Errors): void {
  const path = root('spec', 'ephemeralContainers');
  const list = pod.spec.ephemeralContainers ?? [];
  const others = new Set([...pod.spec.containers, ...(pod.spec.initContainers ?? [])].map(({name}) => name));
  const names = new Set(others);
  const volumes = new Set((pod.spec.volumes ?? []).map(({name}) => name));
  list.forEach((container, i) => {
    const at = path.index(i);
    containerCommon(container, {spec: pod.spec, volumes, path: at}, errors);
    if (names.has(container.name)) errors.push(duplicate(at.child('name'), container.name));
    names.add(container.name);
    const {targetContainerName: target} = container;
    if (target && !others.has(target)) errors.push(notFoundValue(at.child('targetContainerName'), target));
    forbidden(container, at, errors);
  });
  if (before.metadata.annotations?.[MIRROR] !== undefined)
    errors.push(forbiddenField('', 'static pods do not support ephemeral containers'));
  for (const old of before.spec.ephemeralContainers ?? []) {
    const now = list.find(each => each.name === old.name);
    if (!now) errors.push(forbiddenField(path, `existing ephemeral containers ${JSON.stringify(old.name)} may not be removed\n`));
    else if (!sameJson(now, old))
      errors.push(forbiddenField(path, `existing ephemeral containers ${JSON.stringify(old.name)} may not be changed\n`));
  }
}

function forbidden(container: EphemeralContainer, path: FieldPath, errors: Errors): void {
  for (const name of FORBIDDEN) {
    const value = container[name];
    const empty = value === undefined || (typeof value === 'object' && Object.keys(value).length === 0);
    if (!empty) errors.push(forbiddenField(path.child(name), NOT_ALLOWED));
  }
  container.volumeMounts?.forEach((mount, i) => {
    const at = path.child('volumeMounts').index(i);
    if (mount.subPath) errors.push(forbiddenField(at.child('subPath'), NOT_ALLOWED));
    if (mount.subPathExpr) errors.push(forbiddenField(at.child('subPathExpr'), NOT_ALLOWED));
  });
}
