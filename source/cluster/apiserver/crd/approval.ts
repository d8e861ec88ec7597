// Groups of Kubernetes' own (`*.k8s.io`, `*.kubernetes.io`) are kept apart: a definition in one says in an annotation who approved it.
import type {CustomResourceDefinition, CustomResourceDefinitionCondition} from '../../../api/kinds/apiextensions-v1.ts';
import {approvalOf} from '../../../api/meta/api-approval.ts';
import {findCondition} from '../../../api/meta/conditions.ts';

/** The condition that says whether a protected group's definition is approved; undefined when it is there, or not needed. */
export function planApproval({metadata, spec, status}: CustomResourceDefinition): CustomResourceDefinitionCondition | undefined {
  const approval = approvalOf(spec.group, metadata.annotations);
  if (!approval) return undefined;
  const {state, reason} = approval;
  const words = {
    approved: 'ApprovedAnnotation',
    bypassed: 'UnapprovedAnnotation',
    missing: 'MissingAnnotation',
    invalid: 'InvalidAnnotation',
  };
  const next: CustomResourceDefinitionCondition = {
    type: 'KubernetesAPIApprovalPolicyConformant',
    status: state === 'approved' ? 'True' : 'False',
    reason: words[state],
    message: reason,
  };
  const before = findCondition(status?.conditions, next.type);
  return before?.status === next.status && before.reason === next.reason && before.message === next.message ? undefined : next;
}
