// Containers that are added to a running pod to look into it: by a subresource of their own, never changed and never taken away.
import type {EphemeralContainer, Pod} from '../kinds/core-v1.ts';
import {duplicate, forbiddenField, notFoundValue, root, type FieldPath} from '../meta/field-error.ts';
import {sameJson} from '../schema/merge/index.ts';
import {containerCommon} from './containers.ts';
import type {Errors} from './rules.ts';
import {volumes} from './volumes.ts';

const NOT_FOR_THEM = 'cannot be set for an Ephemeral Container';
const FORBIDDEN = [
  'ports',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
  'resizePolicy',
  'restartPolicy',
] as const;

/** A pod that gets ephemeral containers. */
export function validateEphemeralContainers(pod: Pod, before: Pod, errors: Errors): void {
  const {spec} = pod;
  const path = root('spec').child('ephemeralContainers');
  const known = volumes(spec.volumes, root('spec').child('volumes'), []);
  const others = new Set([...spec.containers, ...(spec.initContainers ?? [])].map(({name}) => name));
  const names = new Set(others);
  const now = spec.ephemeralContainers ?? [];
  now.forEach((container, i) => {
    const at = path.index(i);
    containerCommon(container, {spec, volumes: known, path: at}, errors);
    if (container.name && names.has(container.name)) errors.push(duplicate(at.child('name'), container.name));
    names.add(container.name);
    const {targetContainerName: target} = container;
    if (target && !others.has(target)) errors.push(notFoundValue(at.child('targetContainerName'), target));
    forbidden(container, at, errors);
  });
  for (const old of before.spec.ephemeralContainers ?? []) {
    const found = now.find(({name}) => name === old.name);
    const what = found ? 'changed' : 'removed';
    if (!found || !sameJson(found, old))
      errors.push(forbiddenField(path, `existing ephemeral containers ${JSON.stringify(old.name)} may not be ${what}\n`));
  }
}

function forbidden(container: EphemeralContainer, path: FieldPath, errors: Errors): void {
  for (const field of FORBIDDEN) if (container[field] !== undefined) errors.push(forbiddenField(path.child(field), NOT_FOR_THEM));
  const {limits, requests, claims} = container.resources ?? {};
  if (limits ?? requests ?? claims) errors.push(forbiddenField(path.child('resources'), NOT_FOR_THEM));
  container.volumeMounts?.forEach(({subPath, subPathExpr}, i) => {
    const at = path.child('volumeMounts').index(i);
    if (subPath) errors.push(forbiddenField(at.child('subPath'), NOT_FOR_THEM));
    if (subPathExpr) errors.push(forbiddenField(at.child('subPathExpr'), NOT_FOR_THEM));
  });
}
