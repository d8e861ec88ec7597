// Leases and runtime classes.
import type {Lease} from '../kinds/coordination-v1.ts';
import type {RuntimeClass} from '../kinds/node-v1.ts';
import {invalid, root} from '../meta/field-error.ts';
import {checkLabel} from '../meta/names.ts';
import {type Errors, immutable, notNegative, sentences} from './rules.ts';

export function validateLease(lease: Lease, errors: Errors): void {
  const path = root('spec');
  const seconds = lease.spec?.leaseDurationSeconds;
  if (seconds !== undefined && seconds <= 0)
    errors.push(invalid(path.child('leaseDurationSeconds'), seconds, 'must be greater than 0'));
  notNegative(lease.spec?.leaseTransitions, path.child('leaseTransitions'), errors);
}

export function validateRuntimeClass(runtimeClass: RuntimeClass, errors: Errors): void {
  sentences(checkLabel(runtimeClass.handler), {path: root('handler'), value: runtimeClass.handler}, errors);
}

export function validateRuntimeClassUpdate(runtimeClass: RuntimeClass, before: RuntimeClass, errors: Errors): void {
  immutable(runtimeClass.handler, before.handler, {path: root('handler'), errors});
}
