// Tables: what `kubectl get` prints. The API server makes the rows, as in life; clients print what they get. Every built-in
// kind has its line here; a kind that is not listed (a custom resource without columns) shows its name and age.
import {builtinColumns} from './columns.ts';
import type {KubeObject, Resource} from '../meta/object.ts';
import {
  admissionPolicyBindingRow,
  admissionPolicyRow,
  certificateSigningRequestRow,
  flowSchemaRow,
  priorityLevelRow,
  roleBindingRow,
  roleRow,
  webhooksRow,
} from './access.ts';
import {autoscalerRow, oldAutoscalerRow} from './autoscaling.ts';
import type {Cell, RowMaker} from './cells.ts';
import type {ColumnDefinition} from './columns.ts';
import {
  componentStatusRow,
  configMapRow,
  eventRow,
  limitRangeRow,
  namespaceRow,
  nodeRow,
  persistentVolumeClaimRow,
  persistentVolumeRow,
  resourceQuotaRow,
  secretRow,
  serviceAccountRow,
} from './core.ts';
import {
  endpointSliceRow,
  endpointsRow,
  ingressClassRow,
  ingressRow,
  ipAddressRow,
  networkPolicyRow,
  serviceCIDRRow,
  serviceRow,
} from './network.ts';
import {
  apiServiceRow,
  customResourceDefinitionRow,
  disruptionBudgetRow,
  leaseRow,
  plainRow,
  priorityClassRow,
  resourceClaimRow,
  resourceSliceRow,
  runtimeClassRow,
} from './others.ts';
import {podRow} from './pods.ts';
import {
  csiDriverRow,
  csiNodeRow,
  csiStorageCapacityRow,
  storageClassRow,
  volumeAttachmentRow,
  volumeAttributesClassRow,
} from './storage.ts';
import {
  controllerRevisionRow,
  cronJobRow,
  daemonSetRow,
  deploymentRow,
  jobRow,
  podTemplateRow,
  replicaSetRow,
  replicationControllerRow,
  statefulSetRow,
} from './workloads.ts';

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
    columnDefinitions: builtinColumns(resource),
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
