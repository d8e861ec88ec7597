// The kinds that have ways of their own, by `resource` or `resource.group`.
import type {AnyObject} from '../../../api/meta/object.ts';
import type {FieldReader} from '../http/selection.ts';
import {customResourceDefinitions} from '../crd/definition-strategy.ts';
import {certificateRequests} from './certificate-requests.ts';
import {templated} from './gated-fields.ts';
import {namespaces} from './namespaces.ts';
import {pods} from './pods.ts';
import {services} from './services.ts';
import type {Strategy} from './strategy.ts';
import {daemonSets, deployments, jobs, statefulSets} from './workloads.ts';

const GENERATION: Strategy = {generation: true};
const UPSERT: Strategy = {upsert: true};
const CONDITIONAL: Strategy = {conditional: true};
const RETURNED: Strategy = {returnsDeleted: true};

/** A field found by its path. */
function field(path: string): FieldReader {
  const steps = path.split('.');
  return object => {
    let at: unknown = object;
    for (const step of steps) at = (at as Readonly<Record<string, unknown>> | undefined)?.[step];
    return typeof at === 'string' || typeof at === 'number' || typeof at === 'boolean' ? String(at) : '';
  };
}

const INVOLVED = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];
const source: FieldReader = (object: AnyObject) => {
  const event = object as AnyObject & {readonly source?: {readonly component?: string}; readonly reportingComponent?: string};
  return event.source?.component || (event.reportingComponent ?? '');
};

const events: Strategy = {
  upsert: true,
  fields: {
    ...Object.fromEntries(INVOLVED.map(name => [`involvedObject.${name}`, field(`involvedObject.${name}`)])),
    reason: field('reason'),
    reportingComponent: field('reportingComponent'),
    source,
    type: field('type'),
  },
};

const ownEvents: Strategy = {
  upsert: true,
  fields: {
    ...Object.fromEntries(INVOLVED.map(name => [`regarding.${name}`, field(`involvedObject.${name}`)])),
    reason: field('reason'),
    reportingController: field('reportingComponent'),
    type: field('type'),
  },
};

const unschedulable: FieldReader = object =>
  String((object.spec as {unschedulable?: boolean} | undefined)?.unschedulable ?? false);

export const STRATEGIES: Readonly<Record<string, Strategy>> = {
  componentstatuses: {deprecation: 'v1 ComponentStatus is deprecated in v1.19+'},
  endpoints: {upsert: true, deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'},
  events,
  limitranges: UPSERT,
  namespaces,
  nodes: {keepsStatus: true, fields: {'spec.unschedulable': unschedulable}},
  persistentvolumeclaims: RETURNED,
  persistentvolumes: RETURNED,
  pods,
  podtemplates: RETURNED,
  replicationcontrollers: templated({generation: true, fields: {'status.replicas': field('status.replicas')}}),
  resourcequotas: RETURNED,
  secrets: {fields: {type: field('type')}},
  serviceaccounts: RETURNED,
  services,
  'apiservices.apiregistration.k8s.io': CONDITIONAL,
  'daemonsets.apps': templated(daemonSets),
  'deployments.apps': templated(deployments),
  'replicasets.apps': templated({generation: true, fields: {'status.replicas': field('status.replicas')}}),
  'statefulsets.apps': templated(statefulSets),
  'events.events.k8s.io': ownEvents,
  'cronjobs.batch': templated(GENERATION),
  'jobs.batch': templated(jobs),
  'certificatesigningrequests.certificates.k8s.io': certificateRequests,
  'ingressclasses.networking.k8s.io': GENERATION,
  'ingresses.networking.k8s.io': GENERATION,
  'networkpolicies.networking.k8s.io': GENERATION,
  'poddisruptionbudgets.policy': {generation: true, conditional: true},
  'clusterrolebindings.rbac.authorization.k8s.io': UPSERT,
  'clusterroles.rbac.authorization.k8s.io': UPSERT,
  'rolebindings.rbac.authorization.k8s.io': UPSERT,
  'roles.rbac.authorization.k8s.io': UPSERT,
  'csidrivers.storage.k8s.io': {conditional: true, returnsDeleted: true},
  'csinodes.storage.k8s.io': {conditional: true, returnsDeleted: true},
  'csistoragecapacities.storage.k8s.io': RETURNED,
  'storageclasses.storage.k8s.io': RETURNED,
  'volumeattachments.storage.k8s.io': {conditional: true, returnsDeleted: true, keepsStatus: false},
  'volumeattributesclasses.storage.k8s.io': RETURNED,
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': {generation: true, conditional: true},
  'validatingwebhookconfigurations.admissionregistration.k8s.io': {generation: true, conditional: true},
  'validatingadmissionpolicies.admissionregistration.k8s.io': {generation: true, conditional: true},
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': {generation: true, conditional: true},
  'customresourcedefinitions.apiextensions.k8s.io': customResourceDefinitions,
  'priorityclasses.scheduling.k8s.io': GENERATION,
  'leases.coordination.k8s.io': {upsert: true, conditional: true},
  'runtimeclasses.node.k8s.io': CONDITIONAL,
  'endpointslices.discovery.k8s.io': GENERATION,
  'deviceclasses.resource.k8s.io': {generation: true, returnsDeleted: true},
  'resourceclaims.resource.k8s.io': RETURNED,
  'resourceclaimtemplates.resource.k8s.io': RETURNED,
  'resourceslices.resource.k8s.io': {
    generation: true,
    returnsDeleted: true,
    fields: {'spec.nodeName': field('spec.nodeName'), 'spec.driver': field('spec.driver')},
  },
  'flowschemas.flowcontrol.apiserver.k8s.io': GENERATION,
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': GENERATION,
};
