// The row of a ValidatingAdmissionPolicy.
import type {ValidatingAdmissionPolicy} from '../kinds/admissionregistration-v1.ts';
import {age, type Cell, UNSET} from './cells.ts';

/** Name, Validations, ParamKind, Age. */
export function admissionPolicyRow(policy: ValidatingAdmissionPolicy, nowMs: number): readonly Cell[] {
  const kind = policy.spec?.paramKind;
  const text = kind ? `${kind.apiVersion ?? ''}/${kind.kind ?? ''}` : UNSET;
  return [policy.metadata.name, policy.spec?.validations?.length ?? 0, text, age(policy, nowMs)];
}
