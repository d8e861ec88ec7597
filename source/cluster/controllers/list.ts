// All controllers, in the order in which they start.
import {accountSecretsController} from './account-secrets.ts';
import {admissionPolicyStatusController} from './admission-policy-status.ts';
import {attachDetachController} from './attach-detach/attach-detach.ts';
import {bootstrapSignerController} from './bootstrap-signer.ts';
import {csrApprovingController} from './certificates/approving.ts';
import {csrCleanerController} from './certificates/cleaning.ts';
import {csrSigningController} from './certificates/signing.ts';
import type {Controller} from './context.ts';
import {cronjobController} from './cronjob/cronjob.ts';
import {daemonsetController} from './daemonset/daemonset.ts';
import {deploymentController} from './deployment/deployment.ts';
import {disruptionController} from './disruption-budget/budget.ts';
import {endpointMirroringController} from './endpoint-mirroring/mirroring.ts';
import {endpointSliceController} from './endpoint-slices/slices.ts';
import {endpointsController} from './endpoints/endpoints.ts';
import {garbageCollector} from './garbage-collector/collector.ts';
import {horizontalPodAutoscalerController} from './horizontal-pod-autoscaler/hpa.ts';
import {jobController} from './job/job.ts';
import {legacyTokenCleaner} from './legacy-tokens.ts';
import {namespaceController} from './namespace/namespace.ts';
import {nodeIpamController} from './node-ipam/node-ipam.ts';
import {nodeLifecycleController} from './node-lifecycle/node-lifecycle.ts';
import {nodeTtlController} from './node-ttl.ts';
import {podGcController} from './pod-gc/pod-gc.ts';
import {replicasetController} from './replicaset/replicaset.ts';
import {replicationController} from './replicaset/replication.ts';
import {resourceClaimController} from './resource-claim/resource-claim.ts';
import {resourceQuotaController} from './resource-quota/quota.ts';
import {roleAggregationController} from './role-aggregation.ts';
import {rootCaController} from './root-ca.ts';
import {serviceAccountController} from './service-account.ts';
import {serviceRangeController} from './service-ranges.ts';
import {statefulsetController} from './statefulset/statefulset.ts';
import {taintEvictionController} from './taint-eviction/taint-eviction.ts';
import {tokenCleanerController} from './token-cleaner.ts';
import {ttlAfterFinishedController} from './ttl-after-finished.ts';
import {volumeBinderController} from './volume/binder.ts';
import {ephemeralVolumeController} from './volume/ephemeral.ts';
import {volumeExpanderController} from './volume/expander.ts';
import {attributesClassProtectionController, claimProtectionController, volumeProtectionController} from './volume/protection.ts';

/** What kube-controller-manager runs. */
export const CONTROLLERS: readonly Controller[] = [
  namespaceController,
  serviceAccountController,
  serviceRangeController,
  accountSecretsController,
  rootCaController,
  roleAggregationController,
  csrApprovingController,
  csrSigningController,
  csrCleanerController,
  admissionPolicyStatusController,
  deploymentController,
  replicasetController,
  daemonsetController,
  statefulsetController,
  replicationController,
  jobController,
  cronjobController,
  horizontalPodAutoscalerController,
  disruptionController,
  resourceQuotaController,
  endpointSliceController,
  endpointsController,
  endpointMirroringController,
  volumeBinderController,
  attachDetachController,
  volumeExpanderController,
  ephemeralVolumeController,
  claimProtectionController,
  volumeProtectionController,
  attributesClassProtectionController,
  resourceClaimController,
  nodeIpamController,
  nodeLifecycleController,
  taintEvictionController,
  nodeTtlController,
  podGcController,
  ttlAfterFinishedController,
  bootstrapSignerController,
  tokenCleanerController,
  legacyTokenCleaner,
  garbageCollector,
];
