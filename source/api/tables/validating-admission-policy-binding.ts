// The row of a ValidatingAdmissionPolicyBinding.
import type {ValidatingAdmissionPolicyBinding} from '../kinds/admissionregistration-v1.ts';
import {selectorText} from '../meta/selector.ts';
import {age, type Cell, UNSET} from './cells.ts';

/** Name, PolicyName, ParamRef, Age. */
export function admissionPolicyBindingRow(binding: ValidatingAdmissionPolicyBinding, nowMs: number): readonly Cell[] {
  const {paramRef} = binding.spec ?? {};
  const name = paramRef?.name ? `${paramRef.namespace || '*'}/${paramRef.name}` : selectorText(paramRef?.selector);
  return [binding.metadata.name, binding.spec?.policyName ?? '', paramRef ? name : UNSET, age(binding, nowMs)];
}
