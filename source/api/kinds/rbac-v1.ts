// Made from the facts of v1.35 by test/facts/make-kinds.ts: do not edit.
import type * as meta from './meta.ts';

export interface AggregationRule {
  readonly clusterRoleSelectors?: readonly meta.LabelSelector[];
}
export interface ClusterRole {
  readonly aggregationRule?: AggregationRule;
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly rules?: readonly PolicyRule[];
}
export interface ClusterRoleBinding {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly roleRef: RoleRef;
  readonly subjects?: readonly Subject[];
}
export interface ClusterRoleBindingList {
  readonly apiVersion: string;
  readonly items: readonly ClusterRoleBinding[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface ClusterRoleList {
  readonly apiVersion: string;
  readonly items: readonly ClusterRole[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface PolicyRule {
  readonly apiGroups?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly resources?: readonly string[];
  readonly verbs: readonly string[];
}
export interface Role {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly rules?: readonly PolicyRule[];
}
export interface RoleBinding {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly roleRef: RoleRef;
  readonly subjects?: readonly Subject[];
}
export interface RoleBindingList {
  readonly apiVersion: string;
  readonly items: readonly RoleBinding[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface RoleList {
  readonly apiVersion: string;
  readonly items: readonly Role[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface RoleRef {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}
export interface Subject {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}
