// What the server says to whoever writes an object that it accepts all the same. One line a kind.
import type {Job} from '../../../api/kinds/batch-v1.ts';
import type {
  Endpoints,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  PodSpec,
  Secret,
  Service,
  ServiceAccount,
} from '../../../api/kinds/core-v1.ts';
import type {StatefulSet} from '../../../api/kinds/apps-v1.ts';
import type {EndpointSlice} from '../../../api/kinds/discovery-v1.ts';
import type {NetworkPolicy} from '../../../api/kinds/networking-v1.ts';
import type {RuntimeClass} from '../../../api/kinds/node-v1.ts';
import type {CSIStorageCapacity, StorageClass} from '../../../api/kinds/storage-v1.ts';
import type {ObjectMeta} from '../../../api/kinds/meta.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {checkLabel} from '../../../api/meta/names.ts';
import {addressWarning, rangeWarnings} from './address-warnings.ts';
import {expressionWarnings, keyWarning, mapWarnings} from './label-warnings.ts';
import {annotationWarnings, specWarnings} from './pod-warnings.ts';
import {certificateWarnings} from './secret-warnings.ts';
import {claimWarnings, goneWarnings} from './volume-warnings.ts';

type Warn = (object: AnyObject, old?: AnyObject) => readonly string[];

interface Template {
  readonly metadata?: Partial<ObjectMeta>;
  readonly spec?: PodSpec;
}

const ofPod: Warn = ({metadata, spec}) =>
  joined(annotationWarnings(metadata.annotations, 'metadata'), specWarnings(spec as PodSpec, 'spec'));

function ofTemplate(path: string, find: (object: AnyObject) => Template | undefined): Warn {
  return object => {
    const template = find(object);
    return joined(
      annotationWarnings(template?.metadata?.annotations, `${path}.metadata`),
      specWarnings(template?.spec, `${path}.spec`),
    );
  };
}

function joined(a: readonly string[], b: readonly string[]): readonly string[] {
  return a.length === 0 ? b : [...a, ...b];
}

const podsOf = ofTemplate('spec.template', object => (object.spec as {readonly template?: Template} | undefined)?.template);
const cronPodsOf = ofTemplate(
  'spec.jobTemplate.spec.template',
  object =>
    (object.spec as {readonly jobTemplate?: {readonly spec?: {readonly template?: Template}}} | undefined)?.jobTemplate?.spec
      ?.template,
);

/** A name that becomes the host name of pods. */
function nameWarning({metadata}: AnyObject, use: string): string[] {
  const wrong = checkLabel(metadata.name);
  if (wrong.length === 0) return [];
  const text = 'which can result in surprising behavior; a DNS label is recommended';
  return [`metadata.name: this is used in ${use}, ${text}: [${wrong.join(' ')}]`];
}

/** The name counts when the object is made, the template whenever its spec changes. */
function workload(warn: Warn): Kind {
  return {create: object => [...nameWarning(object, 'Pod names and hostnames'), ...warn(object)], changed: warn};
}

const manyIndexes: Warn = object => {
  const {completions = 0, parallelism = 0, completionMode} = (object as unknown as Job).spec;
  if (completionMode !== 'Indexed' || completions <= 100_000 || parallelism <= 10_000) return [];
  return [
    'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail',
  ];
};

const ofStatefulSet: Warn = object => {
  const {volumeClaimTemplates = [], revisionHistoryLimit = 0} = (object as unknown as StatefulSet).spec ?? {};
  const limit = 'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended';
  return [
    ...podsOf(object),
    ...volumeClaimTemplates.flatMap((claim, index) => claimWarnings(claim.spec, `spec.volumeClaimTemplates[${index}]`)),
    ...(revisionHistoryLimit < 0 ? [limit] : []),
  ];
};

const OLD_CLASS = 'volume.beta.kubernetes.io/storage-class';

/** The storage class as an annotation. */
function oldClass({metadata}: AnyObject): string[] {
  if (metadata.annotations?.[OLD_CLASS] === undefined) return [];
  return [`metadata.annotations[${OLD_CLASS}]: deprecated since v1.8; use "storageClassName" attribute instead`];
}

const ofVolume: Warn = object => {
  const {spec} = object as unknown as PersistentVolume;
  const terms = spec?.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  const options = 'volume.beta.kubernetes.io/mount-options';
  const recycle =
    'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
  return [
    ...oldClass(object),
    ...(object.metadata.annotations?.[options] === undefined
      ? []
      : [`metadata.annotations[${options}]: deprecated since v1.31; use "mountOptions" attribute instead`]),
    ...(spec?.persistentVolumeReclaimPolicy === 'Recycle' ? [recycle] : []),
    ...terms.flatMap((term, index) =>
      expressionWarnings(term.matchExpressions, `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`),
    ),
    ...(spec ? goneWarnings(spec, 'spec') : []),
  ];
};

const ofClaim: Warn = object => [
  ...oldClass(object),
  ...claimWarnings((object as unknown as PersistentVolumeClaim).spec, 'spec'),
];

const ofService: Warn = object => {
  const {metadata, spec} = object as unknown as Service;
  const {type, clusterIP, externalIPs = [], loadBalancerIP, externalName} = spec;
  const made: string[] = [];
  if (metadata.annotations?.['service.kubernetes.io/topology-aware-hints'] !== undefined)
    made.push(
      'annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead',
    );
  if (clusterIP && clusterIP !== 'None')
    spec.clusterIPs?.forEach((address, index) => made.push(...addressWarning(address, `spec.clusterIPs[${index}]`)));
  const ignored = (found: boolean, field: string) => {
    if (found) made.push(`spec.${field} is ignored for headless services`);
  };
  if (type === 'ClusterIP' && clusterIP === 'None') {
    ignored(Boolean(loadBalancerIP), 'loadBalancerIP');
    ignored(externalIPs.length > 0, 'externalIPs');
    ignored((spec.sessionAffinity ?? 'None') !== 'None', 'SessionAffinity');
  }
  externalIPs.forEach((address, index) => made.push(...addressWarning(address, `spec.externalIPs[${index}]`)));
  if (loadBalancerIP) made.push(...addressWarning(loadBalancerIP, 'spec.loadBalancerIP'));
  spec.loadBalancerSourceRanges?.forEach((range, index) =>
    made.push(...rangeWarnings(range.trim(), `spec.loadBalancerSourceRanges[${index}]`)),
  );
  if (type === 'ExternalName' && externalIPs.length > 0)
    made.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  if (type !== 'ExternalName' && externalName) made.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  if (spec.trafficDistribution === 'PreferClose')
    made.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  return made;
};

const MANAGED = new Set(['endpoint-controller', 'endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io']);

const ofEndpoints: Warn = object => {
  const {metadata, subsets = []} = object as unknown as Endpoints;
  if (MANAGED.has(metadata.labels?.['endpoints.kubernetes.io/managed-by'] ?? '')) return [];
  return subsets.flatMap((subset, i) =>
    (['addresses', 'notReadyAddresses'] as const).flatMap(list =>
      (subset[list] ?? []).flatMap(({ip}, n) => addressWarning(ip, `subsets[${i}].${list}[${n}].ip`)),
    ),
  );
};

const ofSlice: Warn = object => {
  const {metadata, endpoints} = object as unknown as EndpointSlice;
  if (MANAGED.has(metadata.labels?.['endpointslice.kubernetes.io/managed-by'] ?? '')) return [];
  return endpoints.flatMap(({addresses}, i) =>
    addresses.flatMap((address, n) => addressWarning(address, `endpoints[${i}].addresses[${n}]`)),
  );
};

const oldAddressType: Warn = object =>
  (object as unknown as EndpointSlice).addressType === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : [];

const ofNetworkPolicy: Warn = object => {
  const {ingress = [], egress = []} = (object as unknown as NetworkPolicy).spec ?? {};
  const peers = [
    ...ingress.flatMap((rule, i) => (rule.from ?? []).map((peer, n) => ({peer, at: `spec.ingress[${i}].from[${n}]`}))),
    ...egress.flatMap((rule, i) => (rule.to ?? []).map((peer, n) => ({peer, at: `spec.egress[${i}].to[${n}]`}))),
  ];
  return peers.flatMap(({peer: {ipBlock}, at}) =>
    ipBlock
      ? [
          ...rangeWarnings(ipBlock.cidr, `${at}.ipBlock.cidr`),
          ...(ipBlock.except ?? []).flatMap((range, i) => rangeWarnings(range, `${at}.ipBlock.except[${i}]`)),
        ]
      : [],
  );
};

const INGRESS_CLASS = 'kubernetes.io/ingress.class';

const ofIngress: Warn = ({metadata}) =>
  metadata.annotations?.[INGRESS_CLASS] === undefined
    ? []
    : [`annotation "${INGRESS_CLASS}" is deprecated, please use 'spec.ingressClassName' instead`];

const ofNode: Warn = object => {
  const {configSource, externalID, podCIDRs = []} = (object as unknown as Node).spec ?? {};
  return [
    ...(configSource ? ['spec.configSource: the feature is removed'] : []),
    ...(externalID ? ['spec.externalID: this field is deprecated, and is unused by Kubernetes'] : []),
    ...podCIDRs.flatMap((range, i) => rangeWarnings(range, `spec.podCIDRs[${i}]`)),
  ];
};

const ENFORCED = 'kubernetes.io/enforce-mountable-secrets';

/** It is said once. */
const ofAccount: Warn = ({metadata}, old) => {
  const has = (annotations: ServiceAccount['metadata']['annotations']) => annotations?.[ENFORCED] !== undefined;
  if (!has(metadata.annotations) || has(old?.metadata.annotations)) return [];
  return [
    `metadata.annotations[${ENFORCED}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
  ];
};

const ofStorageClass: Warn = object =>
  ((object as unknown as StorageClass).allowedTopologies ?? []).flatMap((term, i) =>
    (term.matchLabelExpressions ?? []).flatMap(({key}, n) =>
      keyWarning(key, `allowedTopologies[${i}].matchLabelExpressions[${n}].key`),
    ),
  );

const ofRuntimeClass: Warn = object =>
  mapWarnings((object as unknown as RuntimeClass).scheduling?.nodeSelector, () => 'scheduling.nodeSelector');

const ofCapacity: Warn = object => {
  const {nodeTopology} = object as unknown as CSIStorageCapacity;
  return [
    ...expressionWarnings(nodeTopology?.matchExpressions, 'nodeTopology'),
    ...mapWarnings(nodeTopology?.matchLabels, name => `nodeTopology.matchLabels[${name}]`),
  ];
};

/** When something is said: of a new object, of every write to an old one, of one whose spec has changed. */
interface Kind {
  readonly create?: Warn;
  readonly update?: Warn;
  readonly changed?: Warn;
}

const always = (warn: Warn): Kind => ({create: warn, update: warn});
const ofSecret: Warn = object => certificateWarnings(object as unknown as Secret);

const WARNINGS: Readonly<Record<string, Kind>> = {
  pods: {create: object => [...nameWarning(object, "the Pod's hostname"), ...ofPod(object)]},
  podtemplates: always(ofTemplate('template', object => object['template'] as Template | undefined)),
  persistentvolumes: always(ofVolume),
  persistentvolumeclaims: always(ofClaim),
  services: always(ofService),
  endpoints: always(ofEndpoints),
  nodes: always(ofNode),
  secrets: always(ofSecret),
  serviceaccounts: always(ofAccount),
  replicationcontrollers: workload(podsOf),
  'deployments.apps': workload(podsOf),
  'replicasets.apps': workload(podsOf),
  'statefulsets.apps': {create: ofStatefulSet, changed: ofStatefulSet},
  'daemonsets.apps': {create: podsOf, changed: podsOf},
  'jobs.batch': workload(object => [...manyIndexes(object), ...podsOf(object)]),
  'cronjobs.batch': workload(cronPodsOf),
  'endpointslices.discovery.k8s.io': {create: object => [...oldAddressType(object), ...ofSlice(object)], update: ofSlice},
  'ingresses.networking.k8s.io': {create: ofIngress},
  'networkpolicies.networking.k8s.io': always(ofNetworkPolicy),
  'runtimeclasses.node.k8s.io': always(ofRuntimeClass),
  'storageclasses.storage.k8s.io': always(ofStorageClass),
  'csistoragecapacities.storage.k8s.io': always(ofCapacity),
};

/** What is to be said about a new object of a resource (`pods`, `deployments.apps`). */
export function warningsOf(resource: string, object: AnyObject): readonly string[] {
  return WARNINGS[resource]?.create?.(object) ?? [];
}

/** What is to be said about a changed one; `changed` tells whether it is more than metadata. */
export function changeWarnings(
  resource: string,
  object: AnyObject,
  {old, changed}: {old: AnyObject; changed: boolean},
): readonly string[] {
  const kind = WARNINGS[resource];
  return [...(kind?.update?.(object, old) ?? []), ...((changed && kind?.changed?.(object, old)) || [])];
}
