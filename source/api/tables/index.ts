// Tables: what `kubectl get` prints. The API server makes the rows, as in life; clients print what they get. Every built-in
// kind has its line here; a kind that is not listed (a custom resource without columns) shows its name and age.
import {builtinColumns} from './columns.ts';
import type {KubeObject, Resource} from '../meta/object.ts';
import {autoscalerRow, oldAutoscalerRow} from './horizontal-pod-autoscaler.ts';
import {deploymentRow} from './deployment.ts';
import {replicaSetRow} from './replica-set.ts';
import {replicationControllerRow} from './replication-controller.ts';
import {statefulSetRow} from './stateful-set.ts';
import {daemonSetRow} from './daemon-set.ts';
import {jobRow} from './job.ts';
import {cronJobRow} from './cron-job.ts';
import {podTemplateRow} from './pod-template.ts';
import {controllerRevisionRow} from './controller-revision.ts';
import {componentStatusRow} from './component-status.ts';
import {configMapRow} from './config-map.ts';
import {secretRow} from './secret.ts';
import {serviceAccountRow} from './service-account.ts';
import {namespaceRow} from './namespace.ts';
import {limitRangeRow} from './limit-range.ts';
import {resourceQuotaRow} from './resource-quota.ts';
import {nodeRow} from './node.ts';
import {persistentVolumeRow} from './persistent-volume.ts';
import {persistentVolumeClaimRow} from './persistent-volume-claim.ts';
import {eventRow} from './event.ts';
import {serviceRow} from './service.ts';
import {endpointsRow} from './endpoints.ts';
import {endpointSliceRow} from './endpoint-slice.ts';
import {ingressRow} from './ingress.ts';
import {ingressClassRow} from './ingress-class.ts';
import {networkPolicyRow} from './network-policy.ts';
import {serviceCIDRRow} from './service-cidr.ts';
import {ipAddressRow} from './ip-address.ts';
import {storageClassRow} from './storage-class.ts';
import {csiDriverRow} from './csi-driver.ts';
import {csiNodeRow} from './csi-node.ts';
import {csiStorageCapacityRow} from './csi-storage-capacity.ts';
import {volumeAttachmentRow} from './volume-attachment.ts';
import {volumeAttributesClassRow} from './volume-attributes-class.ts';
import {roleRow} from './roles.ts';
import {roleBindingRow} from './role-bindings.ts';
import {certificateSigningRequestRow} from './certificate-signing-request.ts';
import {webhooksRow} from './webhook-configurations.ts';
import {admissionPolicyRow} from './validating-admission-policy.ts';
import {admissionPolicyBindingRow} from './validating-admission-policy-binding.ts';
import {flowSchemaRow} from './flow-schema.ts';
import {priorityLevelRow} from './priority-level-configuration.ts';
import {plainRow} from './plain.ts';
import {customResourceDefinitionRow} from './custom-resource-definition.ts';
import {apiServiceRow} from './api-service.ts';
import {leaseRow} from './lease.ts';
import {runtimeClassRow} from './runtime-class.ts';
import {disruptionBudgetRow} from './pod-disruption-budget.ts';
import {priorityClassRow} from './priority-class.ts';
import {resourceClaimRow} from './resource-claim.ts';
import {resourceSliceRow} from './resource-slice.ts';
import {SCALE_COLUMNS, scaleRow} from './scale.ts';
import type {Cell, RowMaker} from './cells.ts';
import type {ColumnDefinition} from './columns.ts';
import {podRow} from './pod.ts';

export type {Cell, RowMaker} from './cells.ts';
export type {ColumnDefinition} from './columns.ts';

/** One object of a table. */
export interface TableRow<T = unknown> {
  readonly cells: readonly Cell[];
  readonly object: T;
}

/** Rows and what their columns mean. */
export interface Table<T = unknown> {
  readonly columnDefinitions: readonly ColumnDefinition[];
  readonly rows: readonly TableRow<T>[];
}

const ROWS: Readonly<Record<string, RowMaker>> = {
  componentstatuses: componentStatusRow,
  configmaps: configMapRow,
  endpoints: endpointsRow,
  events: eventRow,
  limitranges: limitRangeRow,
  namespaces: namespaceRow,
  nodes: nodeRow,
  persistentvolumeclaims: persistentVolumeClaimRow,
  persistentvolumes: persistentVolumeRow,
  pods: podRow,
  podtemplates: podTemplateRow,
  replicationcontrollers: replicationControllerRow,
  resourcequotas: resourceQuotaRow,
  secrets: secretRow,
  serviceaccounts: serviceAccountRow,
  services: serviceRow,
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': webhooksRow,
  'admissionregistration.k8s.io/validatingadmissionpolicies': admissionPolicyRow,
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': admissionPolicyBindingRow,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': webhooksRow,
  'apiextensions.k8s.io/customresourcedefinitions': customResourceDefinitionRow,
  'apiregistration.k8s.io/apiservices': apiServiceRow,
  'apps/controllerrevisions': controllerRevisionRow,
  'apps/daemonsets': daemonSetRow,
  'apps/deployments': deploymentRow,
  'apps/replicasets': replicaSetRow,
  'apps/statefulsets': statefulSetRow,
  'autoscaling/v1/horizontalpodautoscalers': oldAutoscalerRow,
  'autoscaling/horizontalpodautoscalers': autoscalerRow,
  'autoscaling/scales': scaleRow,
  'batch/cronjobs': cronJobRow,
  'batch/jobs': jobRow,
  'certificates.k8s.io/certificatesigningrequests': certificateSigningRequestRow,
  'coordination.k8s.io/leases': leaseRow,
  'discovery.k8s.io/endpointslices': endpointSliceRow,
  'events.k8s.io/events': eventRow,
  'flowcontrol.apiserver.k8s.io/flowschemas': flowSchemaRow,
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': priorityLevelRow,
  'networking.k8s.io/ingressclasses': ingressClassRow,
  'networking.k8s.io/ingresses': ingressRow,
  'networking.k8s.io/ipaddresses': ipAddressRow,
  'networking.k8s.io/networkpolicies': networkPolicyRow,
  'networking.k8s.io/servicecidrs': serviceCIDRRow,
  'node.k8s.io/runtimeclasses': runtimeClassRow,
  'policy/poddisruptionbudgets': disruptionBudgetRow,
  'rbac.authorization.k8s.io/clusterrolebindings': roleBindingRow,
  'rbac.authorization.k8s.io/clusterroles': roleRow,
  'rbac.authorization.k8s.io/rolebindings': roleBindingRow,
  'rbac.authorization.k8s.io/roles': roleRow,
  'resource.k8s.io/resourceclaims': resourceClaimRow,
  'resource.k8s.io/resourceslices': resourceSliceRow,
  'scheduling.k8s.io/priorityclasses': priorityClassRow,
  'storage.k8s.io/csidrivers': csiDriverRow,
  'storage.k8s.io/csinodes': csiNodeRow,
  'storage.k8s.io/csistoragecapacities': csiStorageCapacityRow,
  'storage.k8s.io/storageclasses': storageClassRow,
  'storage.k8s.io/volumeattachments': volumeAttachmentRow,
  'storage.k8s.io/volumeattributesclasses': volumeAttributesClassRow,
};

/** The rows of objects of one resource, with ages as of a moment. */
export function tableRows<T extends KubeObject>(resource: Resource, objects: readonly T[], nowMs: number): Table<T> {
  const maker = rowMakerOf(resource);
  return {
    columnDefinitions: maker === scaleRow ? SCALE_COLUMNS : builtinColumns(resource),
    rows: objects.map(object => ({cells: maker(object as never, nowMs), object})),
  };
}

/** The cells of one object. */
export function rowCells(resource: Resource, object: KubeObject, nowMs: number): readonly Cell[] {
  return rowMakerOf(resource)(object as never, nowMs);
}

function rowMakerOf({group, version, resource}: Resource): RowMaker {
  if (group === '') return ROWS[resource] ?? plainRow;
  return ROWS[`${group}/${version}/${resource}`] ?? ROWS[`${group}/${resource}`] ?? plainRow;
}
