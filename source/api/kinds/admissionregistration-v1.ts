// Made from the facts of v1.35 by test/facts/make-kinds.ts: do not edit.
import type * as meta from './meta.ts';

export interface AuditAnnotation {
  readonly key: string;
  readonly valueExpression: string;
}
export interface ExpressionWarning {
  readonly fieldRef: string;
  readonly warning: string;
}
export interface MatchCondition {
  readonly expression: string;
  readonly name: string;
}
export interface MatchResources {
  readonly excludeResourceRules?: readonly NamedRuleWithOperations[];
  readonly matchPolicy?: "Equivalent" | "Exact";
  readonly namespaceSelector?: meta.LabelSelector;
  readonly objectSelector?: meta.LabelSelector;
  readonly resourceRules?: readonly NamedRuleWithOperations[];
}
export interface MutatingWebhook {
  readonly admissionReviewVersions: readonly string[];
  readonly clientConfig: WebhookClientConfig;
  readonly failurePolicy?: "Fail" | "Ignore";
  readonly matchConditions?: readonly MatchCondition[];
  readonly matchPolicy?: "Equivalent" | "Exact";
  readonly name: string;
  readonly namespaceSelector?: meta.LabelSelector;
  readonly objectSelector?: meta.LabelSelector;
  readonly reinvocationPolicy?: "IfNeeded" | "Never";
  readonly rules?: readonly RuleWithOperations[];
  readonly sideEffects: "None" | "NoneOnDryRun" | "Some" | "Unknown";
  readonly timeoutSeconds?: number;
}
export interface MutatingWebhookConfiguration {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly webhooks?: readonly MutatingWebhook[];
}
export interface MutatingWebhookConfigurationList {
  readonly apiVersion: string;
  readonly items: readonly MutatingWebhookConfiguration[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface NamedRuleWithOperations {
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly operations?: readonly ("*" | "CONNECT" | "CREATE" | "DELETE" | "UPDATE")[];
  readonly resourceNames?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: "*" | "Cluster" | "Namespaced";
}
export interface ParamKind {
  readonly apiVersion?: string;
  readonly kind?: string;
}
export interface ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly parameterNotFoundAction?: string;
  readonly selector?: meta.LabelSelector;
}
export interface RuleWithOperations {
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly operations?: readonly ("*" | "CONNECT" | "CREATE" | "DELETE" | "UPDATE")[];
  readonly resources?: readonly string[];
  readonly scope?: "*" | "Cluster" | "Namespaced";
}
export interface ServiceReference {
  readonly name: string;
  readonly namespace: string;
  readonly path?: string;
  readonly port?: number;
}
export interface TypeChecking {
  readonly expressionWarnings?: readonly ExpressionWarning[];
}
export interface ValidatingAdmissionPolicy {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: ValidatingAdmissionPolicySpec;
  readonly status?: ValidatingAdmissionPolicyStatus;
}
export interface ValidatingAdmissionPolicyBinding {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: ValidatingAdmissionPolicyBindingSpec;
}
export interface ValidatingAdmissionPolicyBindingList {
  readonly apiVersion: string;
  readonly items: readonly ValidatingAdmissionPolicyBinding[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface ValidatingAdmissionPolicyBindingSpec {
  readonly matchResources?: MatchResources;
  readonly paramRef?: ParamRef;
  readonly policyName?: string;
  readonly validationActions?: readonly ("Audit" | "Deny" | "Warn")[];
}
export interface ValidatingAdmissionPolicyList {
  readonly apiVersion: string;
  readonly items: readonly ValidatingAdmissionPolicy[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface ValidatingAdmissionPolicySpec {
  readonly auditAnnotations?: readonly AuditAnnotation[];
  readonly failurePolicy?: "Fail" | "Ignore";
  readonly matchConditions?: readonly MatchCondition[];
  readonly matchConstraints?: MatchResources;
  readonly paramKind?: ParamKind;
  readonly validations?: readonly Validation[];
  readonly variables?: readonly Variable[];
}
export interface ValidatingAdmissionPolicyStatus {
  readonly conditions?: readonly meta.Condition[];
  readonly observedGeneration?: number;
  readonly typeChecking?: TypeChecking;
}
export interface ValidatingWebhook {
  readonly admissionReviewVersions: readonly string[];
  readonly clientConfig: WebhookClientConfig;
  readonly failurePolicy?: "Fail" | "Ignore";
  readonly matchConditions?: readonly MatchCondition[];
  readonly matchPolicy?: "Equivalent" | "Exact";
  readonly name: string;
  readonly namespaceSelector?: meta.LabelSelector;
  readonly objectSelector?: meta.LabelSelector;
  readonly rules?: readonly RuleWithOperations[];
  readonly sideEffects: "None" | "NoneOnDryRun" | "Some" | "Unknown";
  readonly timeoutSeconds?: number;
}
export interface ValidatingWebhookConfiguration {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly webhooks?: readonly ValidatingWebhook[];
}
export interface ValidatingWebhookConfigurationList {
  readonly apiVersion: string;
  readonly items: readonly ValidatingWebhookConfiguration[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface Validation {
  readonly expression: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
}
export interface Variable {
  readonly expression: string;
  readonly name: string;
}
export interface WebhookClientConfig {
  readonly caBundle?: string;
  readonly service?: ServiceReference;
  readonly url?: string;
}
