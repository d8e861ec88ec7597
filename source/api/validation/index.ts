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
import {bothOf, change, kind, type KindRules, type UpdateRule} from './kind-rules.ts';
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
import {validateServiceStatus} from './service-balancer.ts';
import {validateServiceUpdate} from './service-update.ts';
import {validateService} from './services.ts';
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

const shortName: NameRule = name => [...checkSubdomain(name), ...(name.length > 52 ? [tooLongText(52)] : [])];
const anyName: NameRule = () => [];

const KINDS: Readonly<Record<string, KindRules>> = {
  configmaps: kind({create: validateConfigMap, update: validateConfigMapUpdate}),
  endpoints: kind({create: validateEndpoints, update: validateEndpointsUpdate}),
  events: kind({create: validateEvent}),
  limitranges: kind({create: validateLimitRange}),
  namespaces: kind({name: checkLabel, create: validateNamespace, update: () => {}}),
  nodes: kind({create: validateNode, update: validateNodeUpdate}),
  persistentvolumeclaims: kind({create: validateClaim, update: bothOf(validateClaimUpdate, validateClaim)}),
  persistentvolumes: kind({create: validatePersistentVolume, update: validatePersistentVolumeUpdate}),
  podtemplates: kind({create: validatePodTemplate}),
  pods: kind({create: validatePod, update: validatePodUpdate}),
  replicationcontrollers: kind({create: validateReplicationController}),
  resourcequotas: kind({create: validateResourceQuota, update: validateResourceQuotaUpdate}),
  secrets: kind({create: validateSecret, update: validateSecretUpdate}),
  services: kind({name: checkLabel1035, create: validateService, update: validateServiceUpdate}),
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': kind({create: validateWebhooks}),
  'admissionregistration.k8s.io/validatingadmissionpolicies': kind({create: validateAdmissionPolicy}),
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': kind({create: validateAdmissionPolicyBinding}),
  'admissionregistration.k8s.io/validatingwebhookconfigurations': kind({create: validateWebhooks}),
  'apiextensions.k8s.io/customresourcedefinitions': kind({create: validateDefinition, update: validateDefinitionUpdate}),
  'apiregistration.k8s.io/apiservices': kind({name: anyName, create: validateAPIService}),
  'apps/controllerrevisions': kind({create: validateControllerRevision, update: validateControllerRevisionUpdate}),
  'apps/daemonsets': kind({create: validateDaemonSet, update: validateDaemonSetUpdate}),
  'apps/deployments': kind({create: validateDeployment, update: validateDeploymentUpdate}),
  'apps/replicasets': kind({create: validateReplicaSet, update: validateReplicaSetUpdate}),
  'apps/statefulsets': kind({name: checkLabel, create: validateStatefulSet, update: validateStatefulSetUpdate}),
  'autoscaling/v1/horizontalpodautoscalers': kind({create: validateOldAutoscaler}),
  'autoscaling/horizontalpodautoscalers': kind({create: validateAutoscaler}),
  'batch/cronjobs': kind({name: shortName, create: validateCronJob, update: validateCronJobUpdate}),
  'batch/jobs': kind({create: validateJob, update: validateJobUpdate}),
  'certificates.k8s.io/certificatesigningrequests': kind({create: validateCertificateRequest, update: validateCertificateUpdate}),
  'coordination.k8s.io/leases': kind({create: validateLease}),
  'discovery.k8s.io/endpointslices': kind({create: validateEndpointSlice, update: validateEndpointSliceUpdate}),
  'flowcontrol.apiserver.k8s.io/flowschemas': kind({create: validateFlowSchema}),
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': kind({create: validatePriorityLevel}),
  'networking.k8s.io/ingressclasses': kind({create: validateIngressClass, update: validateIngressClassUpdate}),
  'networking.k8s.io/ingresses': kind({create: validateNewIngress, update: validateIngressUpdate}),
  'networking.k8s.io/ipaddresses': kind({name: anyName, create: validateIPAddress, update: validateIPAddressUpdate}),
  'networking.k8s.io/networkpolicies': kind({create: validateNetworkPolicy}),
  'networking.k8s.io/servicecidrs': kind({create: validateServiceRange, update: validateServiceRangeUpdate}),
  'node.k8s.io/runtimeclasses': kind({create: validateRuntimeClass, update: validateRuntimeClassUpdate}),
  'policy/poddisruptionbudgets': kind({create: validateDisruptionBudget}),
  'rbac.authorization.k8s.io/clusterrolebindings': kind({
    name: checkPathSegment,
    create: validateClusterRoleBinding,
    update: bothOf(sameRoleRef, validateClusterRoleBinding),
  }),
  'rbac.authorization.k8s.io/clusterroles': kind({name: checkPathSegment, create: validateClusterRole}),
  'rbac.authorization.k8s.io/rolebindings': kind({
    name: checkPathSegment,
    create: validateRoleBinding,
    update: bothOf(sameRoleRef, validateRoleBinding),
  }),
  'rbac.authorization.k8s.io/roles': kind({name: checkPathSegment, create: validateRole}),
  'resource.k8s.io/deviceclasses': kind({create: validateDeviceClass}),
  'resource.k8s.io/resourceclaims': kind({create: validateResourceClaim, update: validateResourceClaimUpdate}),
  'resource.k8s.io/resourceclaimtemplates': kind({
    create: validateResourceClaimTemplate,
    update: validateResourceClaimTemplateUpdate,
  }),
  'resource.k8s.io/resourceslices': kind({create: validateResourceSlice, update: validateResourceSliceUpdate}),
  'scheduling.k8s.io/priorityclasses': kind({create: validatePriorityClass, update: validatePriorityClassUpdate}),
  'storage.k8s.io/volumeattributesclasses': kind({create: validateAttributesClass, update: validateAttributesClassUpdate}),
  'storage.k8s.io/csidrivers': kind({name: anyName, create: validateCSIDriver, update: validateCSIDriverUpdate}),
  'storage.k8s.io/csinodes': kind({create: validateCSINode, update: validateCSINodeUpdate}),
  'storage.k8s.io/csistoragecapacities': kind({create: validateCSIStorageCapacity, update: validateCSIStorageCapacityUpdate}),
  'storage.k8s.io/volumeattachments': kind({create: validateVolumeAttachment, update: validateVolumeAttachmentUpdate}),
  'storage.k8s.io/storageclasses': kind({create: validateStorageClass, update: validateStorageClassUpdate}),
};

/** All that is wrong with a decoded object that has its defaults, in the server's order; `before` is what it replaces. */
export function validate(resource: Resource, object: AnyObject, before?: AnyObject): readonly FieldError[] {
  const errors: Errors = [];
  const rules = rulesOf(resource);
  const path = root('metadata');
  if (before) {
    objectMetaUpdate(object.metadata, before.metadata, {path, errors});
    if (rules?.update) rules.update(object as never, before as never, errors);
    else rules?.create(object as never, errors);
  } else {
    objectMeta(object.metadata, {path, namespaced: resource.namespaced, name: rules?.name ?? checkSubdomain}, errors);
    rules?.create(object as never, errors);
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
  const name = resource.group === '' ? resource.resource : `${resource.group}/${resource.resource}`;
  objectMetaUpdate(object.metadata, before.metadata, {path: root('metadata'), errors});
  SUBRESOURCES[`${name}/${subresource}`]?.(object as never, before as never, errors);
  if (subresource === 'status') statusCounts(name, {now: statusOf(object), before: statusOf(before)}, errors);
  return errors;
}

function statusOf(object: AnyObject): Readonly<Record<string, unknown>> | undefined {
  return object.status as Readonly<Record<string, unknown>> | undefined;
}

const SUBRESOURCES: Readonly<Record<string, UpdateRule<never>>> = {
  'apiextensions.k8s.io/customresourcedefinitions/status': (definition: CustomResourceDefinition, _: unknown, errors: Errors) =>
    validateDefinitionStatus(definition, errors),
  'batch/jobs/status': change(validateJobStatus),
  'certificates.k8s.io/certificatesigningrequests/approval': change(validateCertificateApproval),
  'certificates.k8s.io/certificatesigningrequests/status': change(validateCertificateStatus),
  'namespaces/finalize': change(validateNamespaceFinalize),
  'namespaces/status': change(validateNamespaceStatus),
  'networking.k8s.io/ingresses/status': change(validateIngressStatus),
  'nodes/status': change(validateNodeUpdate),
  'persistentvolumeclaims/status': change(validateClaimStatus),
  'pods/ephemeralcontainers': change(validateEphemeralContainers),
  'pods/resize': change(validatePodResize),
  'pods/status': change(validatePodStatus),
  'resourcequotas/status': change(validateResourceQuotaStatus),
  'services/status': (service: Service, _: unknown, errors: Errors) => validateServiceStatus(service, errors),
  'storage.k8s.io/volumeattachments/status': change(validateVolumeAttachmentUpdate),
};

function rulesOf({group, version, resource}: Resource): KindRules | undefined {
  if (group === '') return KINDS[resource];
  return KINDS[`${group}/${version}/${resource}`] ?? KINDS[`${group}/${resource}`];
}
