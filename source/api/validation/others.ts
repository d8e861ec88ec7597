// Leases, runtime classes, templates of pods and kept revisions.
import type {ControllerRevision} from '../kinds/apps-v1.ts';
import type {PodTemplate} from '../kinds/core-v1.ts';
import type {Lease} from '../kinds/coordination-v1.ts';
import type {RuntimeClass} from '../kinds/node-v1.ts';
import {invalid, required, root} from '../meta/field-error.ts';
import {checkLabel} from '../meta/names.ts';
import {podTemplate} from './workloads.ts';
import {tolerations} from './placement.ts';
import {containerResources} from './resources.ts';
import {type Errors, immutable, labels, notNegative, sentences} from './rules.ts';

export function validateLease(lease: Lease, errors: Errors): void {
  const path = root('spec');
  const seconds = lease.spec?.leaseDurationSeconds;
  if (seconds !== undefined && seconds <= 0)
    errors.push(invalid(path.child('leaseDurationSeconds'), seconds, 'must be greater than 0'));
  notNegative(lease.spec?.leaseTransitions, path.child('leaseTransitions'), errors);
}

export function validateRuntimeClass(runtimeClass: RuntimeClass, errors: Errors): void {
  sentences(checkLabel(runtimeClass.handler), {path: root('handler'), value: runtimeClass.handler}, errors);
  const {overhead, scheduling} = runtimeClass;
  if (overhead?.podFixed) containerResources({limits: overhead.podFixed}, {path: root('overhead'), claims: []}, errors);
  labels(scheduling?.nodeSelector, root('scheduling', 'nodeSelector'), errors);
  tolerations(scheduling?.tolerations, root('scheduling', 'tolerations'), errors);
}

export function validateRuntimeClassUpdate(runtimeClass: RuntimeClass, before: RuntimeClass, errors: Errors): void {
  immutable(runtimeClass.handler, before.handler, {path: root('handler'), errors});
}

/** A pod template that stands by itself. */
export function validatePodTemplate({template}: PodTemplate, errors: Errors): void {
  podTemplate(template, root('template'), errors);
}

/** What a set once was. */
export function validateControllerRevision({revision, data}: ControllerRevision, errors: Errors): void {
  notNegative(revision, root('revision'), errors);
  if (data === undefined || data === null) errors.push(required('data', 'data is mandatory'));
}

export function validateControllerRevisionUpdate(revision: ControllerRevision, before: ControllerRevision, errors: Errors): void {
  validateControllerRevision(revision, errors);
  immutable(revision.data, before.data, {path: root('data'), errors});
}
