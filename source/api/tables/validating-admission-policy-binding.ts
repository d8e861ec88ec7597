// The row of a ValidatingAdmissionPolicyBinding.
import type {ValidatingAdmissionPolicyBinding} from '../kinds/admissionregistration-v1.ts';
import {age, type Cell, UNSET} from './cells.ts';

/** Name, PolicyName, ParamRef, Age. */
export function admissionPolicyBindingRow(binding: ValidatingAdmissionPolicyBinding, nowMs: number): readonly Cell[] {
  const reference = binding.spec?.paramRef;
  const name = reference?.namespace ? `${reference.namespace}/${reference.name ?? '*'}` : (reference?.name ?? '*');
  return [binding.metadata.name, binding.spec?.policyName ?? '', reference ? name : UNSET, age(binding, nowMs)];
}
