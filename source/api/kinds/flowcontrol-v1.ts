// Made from the facts of v1.35 by test/facts/make-kinds.ts: do not edit.
import type * as meta from './meta.ts';

export interface ExemptPriorityLevelConfiguration {
  readonly lendablePercent?: number;
  readonly nominalConcurrencyShares?: number;
}
export interface FlowDistinguisherMethod {
  readonly type: string;
}
export interface FlowSchema {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: FlowSchemaSpec;
  readonly status?: FlowSchemaStatus;
}
export interface FlowSchemaCondition {
  readonly lastTransitionTime?: meta.Time;
  readonly message?: string;
  readonly reason?: string;
  readonly status?: string;
  readonly type?: string;
}
export interface FlowSchemaList {
  readonly apiVersion: string;
  readonly items: readonly FlowSchema[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface FlowSchemaSpec {
  readonly distinguisherMethod?: FlowDistinguisherMethod;
  readonly matchingPrecedence?: number;
  readonly priorityLevelConfiguration: PriorityLevelConfigurationReference;
  readonly rules?: readonly PolicyRulesWithSubjects[];
}
export interface FlowSchemaStatus {
  readonly conditions?: readonly FlowSchemaCondition[];
}
export interface GroupSubject {
  readonly name: string;
}
export interface LimitResponse {
  readonly queuing?: QueuingConfiguration;
  readonly type: string;
}
export interface LimitedPriorityLevelConfiguration {
  readonly borrowingLimitPercent?: number;
  readonly lendablePercent?: number;
  readonly limitResponse?: LimitResponse;
  readonly nominalConcurrencyShares?: number;
}
export interface NonResourcePolicyRule {
  readonly nonResourceURLs: readonly string[];
  readonly verbs: readonly string[];
}
export interface PolicyRulesWithSubjects {
  readonly nonResourceRules?: readonly NonResourcePolicyRule[];
  readonly resourceRules?: readonly ResourcePolicyRule[];
  readonly subjects: readonly Subject[];
}
export interface PriorityLevelConfiguration {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: PriorityLevelConfigurationSpec;
  readonly status?: PriorityLevelConfigurationStatus;
}
export interface PriorityLevelConfigurationCondition {
  readonly lastTransitionTime?: meta.Time;
  readonly message?: string;
  readonly reason?: string;
  readonly status?: string;
  readonly type?: string;
}
export interface PriorityLevelConfigurationList {
  readonly apiVersion: string;
  readonly items: readonly PriorityLevelConfiguration[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface PriorityLevelConfigurationReference {
  readonly name: string;
}
export interface PriorityLevelConfigurationSpec {
  readonly exempt?: ExemptPriorityLevelConfiguration;
  readonly limited?: LimitedPriorityLevelConfiguration;
  readonly type: string;
}
export interface PriorityLevelConfigurationStatus {
  readonly conditions?: readonly PriorityLevelConfigurationCondition[];
}
export interface QueuingConfiguration {
  readonly handSize?: number;
  readonly queueLengthLimit?: number;
  readonly queues?: number;
}
export interface ResourcePolicyRule {
  readonly apiGroups: readonly string[];
  readonly clusterScope?: boolean;
  readonly namespaces?: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}
export interface ServiceAccountSubject {
  readonly name: string;
  readonly namespace: string;
}
export interface Subject {
  readonly group?: GroupSubject;
  readonly kind: string;
  readonly serviceAccount?: ServiceAccountSubject;
  readonly user?: UserSubject;
}
export interface UserSubject {
  readonly name: string;
}
