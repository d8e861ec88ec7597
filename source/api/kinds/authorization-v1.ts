// Made from the facts of v1.35 by test/facts/make-kinds.ts: do not edit.
import type * as meta from './meta.ts';

export interface FieldSelectorAttributes {
  readonly rawSelector?: string;
  readonly requirements?: readonly meta.FieldSelectorRequirement[];
}
export interface LabelSelectorAttributes {
  readonly rawSelector?: string;
  readonly requirements?: readonly meta.LabelSelectorRequirement[];
}
export interface LocalSubjectAccessReview {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: SubjectAccessReviewSpec;
  readonly status?: SubjectAccessReviewStatus;
}
export interface NonResourceAttributes {
  readonly path?: string;
  readonly verb?: string;
}
export interface NonResourceRule {
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}
export interface ResourceAttributes {
  readonly fieldSelector?: FieldSelectorAttributes;
  readonly group?: string;
  readonly labelSelector?: LabelSelectorAttributes;
  readonly name?: string;
  readonly namespace?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly verb?: string;
  readonly version?: string;
}
export interface ResourceRule {
  readonly apiGroups?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly resources?: readonly string[];
  readonly verbs: readonly string[];
}
export interface SelfSubjectAccessReview {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: SelfSubjectAccessReviewSpec;
  readonly status?: SubjectAccessReviewStatus;
}
export interface SelfSubjectAccessReviewSpec {
  readonly nonResourceAttributes?: NonResourceAttributes;
  readonly resourceAttributes?: ResourceAttributes;
}
export interface SelfSubjectRulesReview {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: SelfSubjectRulesReviewSpec;
  readonly status?: SubjectRulesReviewStatus;
}
export interface SelfSubjectRulesReviewSpec {
  readonly namespace?: string;
}
export interface SubjectAccessReview {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: SubjectAccessReviewSpec;
  readonly status?: SubjectAccessReviewStatus;
}
export interface SubjectAccessReviewSpec {
  readonly extra?: {readonly [key: string]: readonly string[]};
  readonly groups?: readonly string[];
  readonly nonResourceAttributes?: NonResourceAttributes;
  readonly resourceAttributes?: ResourceAttributes;
  readonly uid?: string;
  readonly user?: string;
}
export interface SubjectAccessReviewStatus {
  readonly allowed: boolean;
  readonly denied?: boolean;
  readonly evaluationError?: string;
  readonly reason?: string;
}
export interface SubjectRulesReviewStatus {
  readonly evaluationError?: string;
  readonly incomplete: boolean;
  readonly nonResourceRules: readonly NonResourceRule[];
  readonly resourceRules: readonly ResourceRule[];
}
