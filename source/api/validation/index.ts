// What an object must be before it is stored. One line a kind: what its names may be, what a new one must fulfil, and what
// a changed one must. Kinds that are not listed are checked in their metadata alone.
import type {CustomResourceDefinition} from '../kinds/apiextensions-v1.ts';
import type {Service} from '../kinds/core-v1.ts';
import {type FieldError, root} from '../meta/field-error.ts';
import {checkLabel, checkLabel1035, checkPathSegment, checkSubdomain, tooLongText} from '../meta/names.ts';
import type {AnyObject, Resource} from '../meta/object.ts';
import {validateAdmissionPolicy, validateAdmissionPolicyBinding} from './admission-policies.ts';
import {validateAutoscaler, validateOldAutoscaler} from './autoscalers.ts';
import {validateCronJob, validateCronJobUpdate, validateJob, validateJobUpdate} from './batch.ts';
import {validateClaim, validateClaimStatus, validateClaimUpdate} from './claims.ts';
import {validateNamespace, validateNamespaceFinalize, validateNamespaceStatus} from './namespaces.ts';
import {
  validateCertificateApproval,
  validateCertificateRequest,
  validateCertificateStatus,
  validateCertificateUpdate,
} from './certificates.ts';
import {validateDefinition, validateDefinitionStatus, validateDefinitionUpdate} from './crd/definition.ts';
import {validateConfigMap, validateConfigMapUpdate, validateSecret, validateSecretUpdate} from './config.ts';
import {validateEndpoints, validateEndpointSlice, validateEndpointSliceUpdate, validateEndpointsUpdate} from './endpoints.ts';
import {validateEphemeralContainers} from './pod-ephemeral-containers.ts';
import {validateEvent} from './events.ts';
import {
  validateIngressClass,
  validateIngressClassUpdate,
  validateIngressStatus,
  validateIngressUpdate,
  validateNewIngress,
} from './ingress.ts';
import {type NameRule, objectMeta, objectMetaUpdate} from './metadata.ts';
import {validateNode, validateNodeUpdate} from './nodes.ts';
import {validateAPIService} from './api-services.ts';
import {
  validateCSIDriver,
  validateCSIDriverUpdate,
  validateCSINode,
  validateCSINodeUpdate,
  validateCSIStorageCapacity,
  validateCSIStorageCapacityUpdate,
  validateVolumeAttachment,
  validateVolumeAttachmentUpdate,
} from './csi.ts';
import {validateFlowSchema, validatePriorityLevel} from './flow-control.ts';
import {validateJobStatus} from './job-status.ts';
import {validateNetworkPolicy} from './network-policies.ts';
import {
  validateControllerRevision,
  validateControllerRevisionUpdate,
  validateLease,
  validatePodTemplate,
  validateRuntimeClass,
  validateRuntimeClassUpdate,
} from './others.ts';
import {validateLimitRange} from './limit-ranges.ts';
import {validatePodUpdate} from './pod-update.ts';
import {validatePodResize} from './pod-resize.ts';
import {validatePodStatus} from './pod-status.ts';
import {validatePod} from './pods.ts';
import {validateDisruptionBudget, validatePriorityClass, validatePriorityClassUpdate} from './policy.ts';
import {validateResourceQuota, validateResourceQuotaStatus, validateResourceQuotaUpdate} from './quotas.ts';
import {sameRoleRef, validateClusterRole, validateClusterRoleBinding, validateRole, validateRoleBinding} from './rbac.ts';
import {
  validateDeviceClass,
  validateResourceClaim,
  validateResourceClaimTemplate,
  validateResourceClaimTemplateUpdate,
  validateResourceClaimUpdate,
} from './resource-claims.ts';
import {validateResourceSlice, validateResourceSliceUpdate} from './resource-slices.ts';
import type {Errors} from './rules.ts';
import {validateIPAddress, validateIPAddressUpdate, validateServiceRange, validateServiceRangeUpdate} from './service-ranges.ts';
import {validateService, validateServiceStatus, validateServiceUpdate} from './services.ts';
import {validatePersistentVolume, validatePersistentVolumeUpdate} from './storage.ts';
import {
  validateAttributesClass,
  validateAttributesClassUpdate,
  validateStorageClass,
  validateStorageClassUpdate,
} from './storage-classes.ts';
import {statusCounts} from './statuses.ts';
import {validateWebhooks} from './webhooks.ts';
import {
  validateDaemonSet,
  validateDaemonSetUpdate,
  validateDeployment,
  validateDeploymentUpdate,
  validateReplicaSet,
  validateReplicaSetUpdate,
  validateReplicationController,
  validateStatefulSet,
  validateStatefulSetUpdate,
} from './workloads.ts';

/** The rules of a kind. `update` is all that a changed object must fulfil; without it a new one's rules hold again. */
interface KindRules {
  readonly name?: NameRule;
  readonly create?: (object: never, errors: Errors) => void;
  readonly update?: (object: never, before: never, errors: Errors) => void;
}

const shortName: NameRule = name => [...checkSubdomain(name), ...(name.length > 52 ? [tooLongText(52)] : [])];
const anyName: NameRule = () => [];

const KINDS: Readonly<Record<string, KindRules>> = {
  configmaps: {create: validateConfigMap, update: validateConfigMapUpdate},
  endpoints: {create: validateEndpoints, update: validateEndpointsUpdate},
  events: {create: validateEvent},
  limitranges: {create: validateLimitRange},
  namespaces: {name: checkLabel, create: validateNamespace, update: () => {}},
  nodes: {create: validateNode, update: validateNodeUpdate},
  persistentvolumeclaims: {create: validateClaim, update: bothOf(validateClaimUpdate, validateClaim)},
  persistentvolumes: {create: validatePersistentVolume, update: validatePersistentVolumeUpdate},
  podtemplates: {create: validatePodTemplate},
  pods: {create: validatePod, update: validatePodUpdate},
  replicationcontrollers: {create: validateReplicationController},
  resourcequotas: {create: validateResourceQuota, update: validateResourceQuotaUpdate},
  secrets: {create: validateSecret, update: validateSecretUpdate},
  services: {name: checkLabel1035, create: validateService, update: validateServiceUpdate},
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': {create: validateWebhooks},
  'admissionregistration.k8s.io/validatingadmissionpolicies': {create: validateAdmissionPolicy},
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': {create: validateAdmissionPolicyBinding},
  'admissionregistration.k8s.io/validatingwebhookconfigurations': {create: validateWebhooks},
  'apiextensions.k8s.io/customresourcedefinitions': {create: validateDefinition, update: validateDefinitionUpdate},
  'apiregistration.k8s.io/apiservices': {name: anyName, create: validateAPIService},
  'apps/controllerrevisions': {create: validateControllerRevision, update: validateControllerRevisionUpdate},
  'apps/daemonsets': {create: validateDaemonSet, update: validateDaemonSetUpdate},
  'apps/deployments': {create: validateDeployment, update: validateDeploymentUpdate},
  'apps/replicasets': {create: validateReplicaSet, update: validateReplicaSetUpdate},
  'apps/statefulsets': {name: checkLabel, create: validateStatefulSet, update: validateStatefulSetUpdate},
  'autoscaling/v1/horizontalpodautoscalers': {create: validateOldAutoscaler},
  'autoscaling/horizontalpodautoscalers': {create: validateAutoscaler},
  'batch/cronjobs': {name: shortName, create: validateCronJob, update: validateCronJobUpdate},
  'batch/jobs': {create: validateJob, update: validateJobUpdate},
  'certificates.k8s.io/certificatesigningrequests': {create: validateCertificateRequest, update: validateCertificateUpdate},
  'coordination.k8s.io/leases': {create: validateLease},
  'discovery.k8s.io/endpointslices': {create: validateEndpointSlice, update: validateEndpointSliceUpdate},
  'flowcontrol.apiserver.k8s.io/flowschemas': {create: validateFlowSchema},
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': {create: validatePriorityLevel},
  'networking.k8s.io/ingressclasses': {create: validateIngressClass, update: validateIngressClassUpdate},
  'networking.k8s.io/ingresses': {create: validateNewIngress, update: validateIngressUpdate},
  'networking.k8s.io/ipaddresses': {name: anyName, create: validateIPAddress, update: validateIPAddressUpdate},
  'networking.k8s.io/networkpolicies': {create: validateNetworkPolicy},
  'networking.k8s.io/servicecidrs': {create: validateServiceRange, update: validateServiceRangeUpdate},
  'node.k8s.io/runtimeclasses': {create: validateRuntimeClass, update: validateRuntimeClassUpdate},
  'policy/poddisruptionbudgets': {create: validateDisruptionBudget},
  'rbac.authorization.k8s.io/clusterrolebindings': {
    name: checkPathSegment,
    create: validateClusterRoleBinding,
    update: bothOf(sameRoleRef, validateClusterRoleBinding),
  },
  'rbac.authorization.k8s.io/clusterroles': {name: checkPathSegment, create: validateClusterRole},
  'rbac.authorization.k8s.io/rolebindings': {
    name: checkPathSegment,
    create: validateRoleBinding,
    update: bothOf(sameRoleRef, validateRoleBinding),
  },
  'rbac.authorization.k8s.io/roles': {name: checkPathSegment, create: validateRole},
  'resource.k8s.io/deviceclasses': {create: validateDeviceClass},
  'resource.k8s.io/resourceclaims': {create: validateResourceClaim, update: validateResourceClaimUpdate},
  'resource.k8s.io/resourceclaimtemplates': {create: validateResourceClaimTemplate, update: validateResourceClaimTemplateUpdate},
  'resource.k8s.io/resourceslices': {create: validateResourceSlice, update: validateResourceSliceUpdate},
  'scheduling.k8s.io/priorityclasses': {create: validatePriorityClass, update: validatePriorityClassUpdate},
  'storage.k8s.io/volumeattributesclasses': {create: validateAttributesClass, update: validateAttributesClassUpdate},
  'storage.k8s.io/csidrivers': {name: anyName, create: validateCSIDriver, update: validateCSIDriverUpdate},
  'storage.k8s.io/csinodes': {create: validateCSINode, update: validateCSINodeUpdate},
  'storage.k8s.io/csistoragecapacities': {create: validateCSIStorageCapacity, update: validateCSIStorageCapacityUpdate},
  'storage.k8s.io/volumeattachments': {create: validateVolumeAttachment, update: validateVolumeAttachmentUpdate},
  'storage.k8s.io/storageclasses': {create: validateStorageClass, update: validateStorageClassUpdate},
};

/** Compares with what was, then asks what a new one must fulfil. */
function bothOf<T>(
  update: (object: T, before: T, errors: Errors) => void,
  create: (object: T, errors: Errors) => void,
): (object: T, before: T, errors: Errors) => void {
  return (object, before, errors) => {
    create(object, errors);
    update(object, before, errors);
  };
}

/** All that is wrong with a decoded object that has its defaults, in the server's order; `before` is what it replaces. */
export function validate(resource: Resource, object: AnyObject, before?: AnyObject): readonly FieldError[] {
  const errors: Errors = [];
  const kind = rulesOf(resource);
  const path = root('metadata');
  if (before) {
    objectMetaUpdate(object.metadata, before.metadata, {path, errors});
    if (kind?.update) kind.update(object as never, before as never, errors);
    else kind?.create?.(object as never, errors);
  } else {
    objectMeta(object.metadata, {path, namespaced: resource.namespaced, name: kind?.name ?? checkSubdomain}, errors);
    kind?.create?.(object as never, errors);
  }
  return errors;
}

interface Change {
  readonly object: AnyObject;
  readonly before: AnyObject;
  readonly subresource: string;
}

/** What is wrong with a change of a subresource: with its metadata, and with what the kind says of it. */
export function validateSubresource(resource: Resource, {object, before, subresource}: Change): readonly FieldError[] {
  const errors: Errors = [];
  const kind = resource.group === '' ? resource.resource : `${resource.group}/${resource.resource}`;
  objectMetaUpdate(object.metadata, before.metadata, {path: root('metadata'), errors});
  SUBRESOURCES[`${kind}/${subresource}`]?.(object as never, before as never, errors);
  if (subresource === 'status') statusCounts(kind, {now: statusOf(object), before: statusOf(before)}, errors);
  return errors;
}

function statusOf(object: AnyObject): Readonly<Record<string, unknown>> | undefined {
  return object.status as Readonly<Record<string, unknown>> | undefined;
}

const SUBRESOURCES: Readonly<Record<string, (object: never, before: never, errors: Errors) => void>> = {
  'apiextensions.k8s.io/customresourcedefinitions/status': (definition: CustomResourceDefinition, _: unknown, errors: Errors) =>
    validateDefinitionStatus(definition, errors),
  'batch/jobs/status': validateJobStatus,
  'certificates.k8s.io/certificatesigningrequests/approval': validateCertificateApproval,
  'certificates.k8s.io/certificatesigningrequests/status': validateCertificateStatus,
  'namespaces/finalize': validateNamespaceFinalize,
  'namespaces/status': validateNamespaceStatus,
  'networking.k8s.io/ingresses/status': validateIngressStatus,
  'nodes/status': validateNodeUpdate,
  'persistentvolumeclaims/status': validateClaimStatus,
  'pods/ephemeralcontainers': validateEphemeralContainers,
  'pods/resize': validatePodResize,
  'pods/status': validatePodStatus,
  'resourcequotas/status': validateResourceQuotaStatus,
  'services/status': (service: Service, _: unknown, errors: Errors) => validateServiceStatus(service, errors),
  'storage.k8s.io/volumeattachments/status': validateVolumeAttachmentUpdate,
};

function rulesOf({group, version, resource}: Resource): KindRules | undefined {
  if (group === '') return KINDS[resource];
  return KINDS[`${group}/${version}/${resource}`] ?? KINDS[`${group}/${resource}`];
}
