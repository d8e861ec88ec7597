// The defaults of every kind that has some, beyond what its schema says. One line a kind.
import type {AnyObject} from '../../meta/object.ts';
import {defaultAutoscaler, defaultOldAutoscaler} from './autoscaling.ts';
import {defaultCronJob, defaultJob} from './batch.ts';
import {defaultLimitRange, defaultNamespace, defaultNode, defaultSecret} from './core.ts';
import {defaultIngressClass, defaultNetworkPolicy} from './networking.ts';
import {defaultPod} from './pod.ts';
import {
  defaultAdmissionPolicy,
  defaultAdmissionPolicyBinding,
  defaultAPIService,
  defaultBinding,
  defaultCustomResourceDefinition,
  defaultFlowSchema,
  defaultMutatingWebhooks,
  defaultPriorityClass,
  defaultPriorityLevel,
  defaultValidatingWebhooks,
} from './policies.ts';
import {defaultResourceClaim, defaultResourceClaimTemplate} from './resource-claims.ts';
import {defaultEndpoints, defaultEndpointSlice, defaultService} from './service.ts';
import {defaultClaim, defaultCSIDriver, defaultStorageClass, defaultVolumeObject} from './storage.ts';
import {
  defaultDaemonSet,
  defaultDeployment,
  defaultPodTemplate,
  defaultReplicaSet,
  defaultReplicationController,
  defaultStatefulSet,
} from './workloads.ts';

type Defaulting = (object: never) => object;

const DEFAULTS: Readonly<Record<string, Defaulting>> = {
  'v1/Endpoints': defaultEndpoints,
  'v1/LimitRange': defaultLimitRange,
  'v1/Namespace': defaultNamespace,
  'v1/Node': defaultNode,
  'v1/PersistentVolume': defaultVolumeObject,
  'v1/PersistentVolumeClaim': defaultClaim,
  'v1/Pod': defaultPod,
  'v1/PodTemplate': defaultPodTemplate,
  'v1/ReplicationController': defaultReplicationController,
  'v1/Secret': defaultSecret,
  'v1/Service': defaultService,
  'admissionregistration.k8s.io/v1/MutatingWebhookConfiguration': defaultMutatingWebhooks,
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy': defaultAdmissionPolicy,
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding': defaultAdmissionPolicyBinding,
  'admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration': defaultValidatingWebhooks,
  'apiextensions.k8s.io/v1/CustomResourceDefinition': defaultCustomResourceDefinition,
  'apiregistration.k8s.io/v1/APIService': defaultAPIService,
  'apps/v1/DaemonSet': defaultDaemonSet,
  'apps/v1/Deployment': defaultDeployment,
  'apps/v1/ReplicaSet': defaultReplicaSet,
  'apps/v1/StatefulSet': defaultStatefulSet,
  'autoscaling/v1/HorizontalPodAutoscaler': defaultOldAutoscaler,
  'autoscaling/v2/HorizontalPodAutoscaler': defaultAutoscaler,
  'batch/v1/CronJob': defaultCronJob,
  'batch/v1/Job': defaultJob,
  'discovery.k8s.io/v1/EndpointSlice': defaultEndpointSlice,
  'flowcontrol.apiserver.k8s.io/v1/FlowSchema': defaultFlowSchema,
  'flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration': defaultPriorityLevel,
  'networking.k8s.io/v1/IngressClass': defaultIngressClass,
  'networking.k8s.io/v1/NetworkPolicy': defaultNetworkPolicy,
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding': defaultBinding,
  'rbac.authorization.k8s.io/v1/RoleBinding': defaultBinding,
  'resource.k8s.io/v1/ResourceClaim': defaultResourceClaim,
  'resource.k8s.io/v1/ResourceClaimTemplate': defaultResourceClaimTemplate,
  'scheduling.k8s.io/v1/PriorityClass': defaultPriorityClass,
  'storage.k8s.io/v1/CSIDriver': defaultCSIDriver,
  'storage.k8s.io/v1/StorageClass': defaultStorageClass,
};

/** A decoded, frozen object with the defaults of its kind; the same object when it has them all. */
export function applyDefaults<T extends AnyObject>(object: T): T {
  const defaulting = DEFAULTS[`${object.apiVersion}/${object.kind}`];
  return defaulting ? (defaulting(object as never) as T) : object;
}
