// Containers that are added to a running pod to look into it: less than others, as nothing may depend on them.
import type {EphemeralContainer} from '../kinds/core-v1.ts';
import {duplicate, forbiddenField, notFoundValue, type FieldPath} from '../meta/field-error.ts';
import {containerCommon, trimmedImage, type PodPlace} from './containers.ts';
import type {Errors} from './rules.ts';

const NOT_FOR_THEM = 'cannot be set for an Ephemeral Container';
/** In the order of the server's own struct. */
const BEFORE_RESOURCES = ['ports'] as const;
const AFTER_RESOURCES = [
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;

/** The ephemeral containers of a pod. */
export function ephemeralContainers(place: PodPlace, path: FieldPath, errors: Errors): void {
  const {spec} = place;
  if (!spec.ephemeralContainers) return;
  const others = new Set([...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({name}) => name));
  const names = new Set(others);
  spec.ephemeralContainers.forEach((container, i) => {
    const at = path.index(i);
    containerCommon(container, {...place, path: at}, errors);
    trimmedImage(container, at, errors);
    if (names.has(container.name)) errors.push(duplicate(at.child('name'), container.name));
    names.add(container.name);
    const {targetContainerName: target} = container;
    if (target && !others.has(target)) errors.push(notFoundValue(at.child('targetContainerName'), target));
    forbidden(container, at, errors);
  });
}

function forbidden(container: EphemeralContainer, path: FieldPath, errors: Errors): void {
  const refuse = (fields: readonly (keyof EphemeralContainer)[]) => {
    for (const field of fields) if (container[field] !== undefined) errors.push(forbiddenField(path.child(field), NOT_FOR_THEM));
  };
  refuse(BEFORE_RESOURCES);
  const {limits, requests, claims} = container.resources ?? {};
  if (limits ?? requests ?? claims) errors.push(forbiddenField(path.child('resources'), NOT_FOR_THEM));
  refuse(AFTER_RESOURCES);
  container.volumeMounts?.forEach(({subPath, subPathExpr}, i) => {
    const at = path.child('volumeMounts').index(i);
    if (subPath) errors.push(forbiddenField(at.child('subPath'), NOT_FOR_THEM));
    if (subPathExpr) errors.push(forbiddenField(at.child('subPathExpr'), NOT_FOR_THEM));
  });
}
