// Where labels, annotations and namespaces stand in objects, beside their metadata.
import type {FieldSpec} from './field-paths.ts';

/** Workloads with a pod template, and where it is. */
export const TEMPLATES: readonly (FieldSpec & {readonly kind: string})[] = [
  {kind: 'ReplicationController', path: 'spec/template', version: 'v1'},
  {kind: 'Deployment', path: 'spec/template'},
  {kind: 'ReplicaSet', path: 'spec/template'},
  {kind: 'DaemonSet', path: 'spec/template'},
  {kind: 'StatefulSet', path: 'spec/template', group: 'apps'},
  {kind: 'Job', path: 'spec/template', group: 'batch'},
  {kind: 'CronJob', path: 'spec/jobTemplate/spec/template', group: 'batch'},
];

export const METADATA_LABELS: readonly FieldSpec[] = [{path: 'metadata/labels', create: true}];

export const TEMPLATE_LABELS: readonly FieldSpec[] = [
  ...TEMPLATES.map(spec => ({...spec, path: `${spec.path}/metadata/labels`, create: true})),
  {kind: 'CronJob', group: 'batch', path: 'spec/jobTemplate/metadata/labels', create: true},
  {kind: 'StatefulSet', group: 'apps', path: 'spec/volumeClaimTemplates[]/metadata/labels', create: true},
];

const AFFINITY = [
  'podAffinity/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm',
  'podAffinity/requiredDuringSchedulingIgnoredDuringExecution',
  'podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm',
  'podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution',
];

/** Selectors that choose by labels. */
export const SELECTORS: readonly FieldSpec[] = [
  {kind: 'Service', version: 'v1', path: 'spec/selector', create: true},
  {kind: 'ReplicationController', version: 'v1', path: 'spec/selector', create: true},
  ...['Deployment', 'ReplicaSet', 'DaemonSet', 'StatefulSet'].map(kind => ({
    kind,
    path: 'spec/selector/matchLabels',
    create: true,
  })),
  ...['Deployment', 'StatefulSet'].flatMap(kind => [
    ...AFFINITY.map(term => ({kind, path: `spec/template/spec/affinity/${term}/labelSelector/matchLabels`})),
    {kind, path: 'spec/template/spec/topologySpreadConstraints/labelSelector/matchLabels'},
  ]),
  {kind: 'Job', group: 'batch', path: 'spec/selector/matchLabels'},
  {kind: 'CronJob', group: 'batch', path: 'spec/jobTemplate/spec/selector/matchLabels'},
  {kind: 'PodDisruptionBudget', group: 'policy', path: 'spec/selector/matchLabels'},
  ...['podSelector', 'ingress/from/podSelector', 'egress/to/podSelector'].map(path => ({
    kind: 'NetworkPolicy',
    group: 'networking.k8s.io',
    path: `spec/${path}/matchLabels`,
  })),
];

export const ANNOTATIONS: readonly FieldSpec[] = [
  {path: 'metadata/annotations', create: true},
  ...TEMPLATES.map(spec => ({...spec, path: `${spec.path}/metadata/annotations`, create: true})),
  {kind: 'CronJob', group: 'batch', path: 'spec/jobTemplate/metadata/annotations', create: true},
];

/** Kinds whose names others outside know: they get no prefix and no suffix. */
export const FIXED_NAMES = ['CustomResourceDefinition', 'APIService', 'Namespace'];

export const SCALED: readonly {readonly kind: string}[] = [
  'Deployment',
  'StatefulSet',
  'ReplicaSet',
  'ReplicationController',
].map(kind => ({kind}));
