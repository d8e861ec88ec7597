// The admission plugins in the order of the real server. Of those that a flag may name EventRateLimit and ImagePolicyWebhook, which need
// a file of their own, do nothing here.
import {alwaysDeny} from './always-deny.ts';
import {alwaysPullImages} from './always-pull-images.ts';
import {certificateSubjects} from './certificate-subjects.ts';
import {certificateApproval, certificateSigning} from './certificate-signers.ts';
import {claimResize} from './claim-resize.ts';
import {defaultIngressClass, defaultStorageClass} from './default-classes.ts';
import {defaultTolerations} from './default-tolerations.ts';
import {denyExternalIps} from './external-ips.ts';
import {extendedResourceToleration} from './extended-resources.ts';
import {hardAntiAffinity} from './hard-anti-affinity.ts';
import {limitRangerBounds, limitRangerDefaults} from './limit-ranger.ts';
import {namespaceAutoProvision, namespaceExists} from './named-namespaces.ts';
import {namespaceLifecycle} from './namespace-lifecycle.ts';
import {podNodeSelector, podTolerationRestriction} from './namespace-rules.ts';
import {nodeRestriction} from './node-restriction.ts';
import {ownerPermission} from './owner-permission.ts';
import type {Plugin} from './plugin.ts';
import {admissionPolicies} from './policies/plugin.ts';
import {podTopologyLabels} from './pod-topology-labels.ts';
import {podSecurity, podSecurityLabels, podSecurityWarnings} from './pod-security.ts';
import {priority, singleDefaultClass, systemClasses} from './priority.ts';
import {rbacEscalation} from './rbac-escalation.ts';
import {resourceQuota} from './resource-quota.ts';
import {runtimeClass} from './runtime-class.ts';
import {mountableSecrets, serviceAccount} from './service-account.ts';
import {storageProtection} from './storage-protection.ts';
import {taintNodes} from './taint-nodes.ts';
import {validatingWebhooks} from './webhooks/validating.ts';

/** Those that may change an object. */
export const MUTATING: readonly Plugin[] = [
  namespaceAutoProvision,
  namespaceLifecycle,
  limitRangerDefaults,
  serviceAccount,
  taintNodes,
  alwaysPullImages,
  podNodeSelector,
  priority,
  defaultTolerations,
  podTolerationRestriction,
  extendedResourceToleration,
  defaultStorageClass,
  storageProtection,
  runtimeClass,
  defaultIngressClass,
  podTopologyLabels,
];

/** Those that judge what came of it. */
export const VALIDATING: readonly Plugin[] = [
  rbacEscalation,
  namespaceLifecycle,
  namespaceExists,
  hardAntiAffinity,
  limitRangerBounds,
  mountableSecrets,
  nodeRestriction,
  podSecurity,
  podSecurityWarnings,
  podSecurityLabels,
  podNodeSelector,
  podTolerationRestriction,
  ownerPermission,
  singleDefaultClass,
  systemClasses,
  claimResize,
  certificateApproval,
  certificateSigning,
  certificateSubjects,
  denyExternalIps,
  admissionPolicies,
  validatingWebhooks,
  resourceQuota,
  alwaysDeny,
];
