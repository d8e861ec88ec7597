// The admission plugins in the order of the real server.
import {alwaysPullImages} from './always-pull-images.ts';
import {certificateSubjects} from './certificate-subjects.ts';
import {certificateApproval, certificateSigning} from './certificate-signers.ts';
import {claimResize} from './claim-resize.ts';
import {defaultIngressClass, defaultStorageClass} from './default-classes.ts';
import {defaultTolerations} from './default-tolerations.ts';
import {limitRangerBounds, limitRangerDefaults} from './limit-ranger.ts';
import {namespaceLifecycle} from './namespace-lifecycle.ts';
import {nodeRestriction} from './node-restriction.ts';
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
  namespaceLifecycle,
  limitRangerDefaults,
  serviceAccount,
  taintNodes,
  priority,
  alwaysPullImages,
  defaultTolerations,
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
  limitRangerBounds,
  mountableSecrets,
  nodeRestriction,
  podSecurity,
  podSecurityWarnings,
  podSecurityLabels,
  singleDefaultClass,
  systemClasses,
  claimResize,
  certificateApproval,
  certificateSigning,
  certificateSubjects,
  admissionPolicies,
  validatingWebhooks,
  resourceQuota,
];
