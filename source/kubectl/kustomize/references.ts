// Names that objects say of each other. When all names are final, each field that meant an object by an old name gets its new one.
import {isFields, type Fields} from '../../api/meta/fields.ts';
import {isIn, setAt, stepsOf, type FieldSpec} from './field-paths.ts';
import {TEMPLATES} from './field-tables.ts';
import {isClusterScoped, type Id, type Resource, type Resources} from './resource.ts';

interface Reference {
  /** The kind that is meant. */
  readonly to: string;
  readonly from: FieldSpec;
}

const POD_SPECS: readonly FieldSpec[] = [
  {kind: 'Pod', path: 'spec'},
  ...TEMPLATES.map(({kind, path}) => ({kind, path: `${path}/spec`})),
];

const IN_PODS: Readonly<Record<string, readonly string[]>> = {
  ConfigMap: [
    'volumes/configMap/name',
    'volumes/projected/sources/configMap/name',
    ...['containers', 'initContainers', 'ephemeralContainers'].flatMap(list => [
      `${list}/env/valueFrom/configMapKeyRef/name`,
      `${list}/envFrom/configMapRef/name`,
    ]),
  ],
  Secret: [
    'volumes/secret/secretName',
    'volumes/projected/sources/secret/name',
    'imagePullSecrets/name',
    ...['containers', 'initContainers', 'ephemeralContainers'].flatMap(list => [
      `${list}/env/valueFrom/secretKeyRef/name`,
      `${list}/envFrom/secretRef/name`,
    ]),
  ],
  ServiceAccount: ['serviceAccountName', 'serviceAccount'],
  PersistentVolumeClaim: ['volumes/persistentVolumeClaim/claimName'],
  PriorityClass: ['priorityClassName'],
};

const OTHERS: Readonly<Record<string, readonly FieldSpec[]>> = {
  Secret: [
    {kind: 'Ingress', path: 'spec/tls/secretName'},
    {kind: 'ServiceAccount', path: 'secrets/name'},
    {kind: 'ServiceAccount', path: 'imagePullSecrets/name'},
  ],
  Service: [
    {kind: 'StatefulSet', path: 'spec/serviceName'},
    {kind: 'Ingress', path: 'spec/rules/http/paths/backend/service/name'},
    {kind: 'Ingress', path: 'spec/rules/http/paths/backend/serviceName'},
    {kind: 'Ingress', path: 'spec/defaultBackend/service/name'},
    {kind: 'Ingress', path: 'spec/backend/serviceName'},
    {kind: 'APIService', path: 'spec/service/name'},
    {kind: 'ValidatingWebhookConfiguration', path: 'webhooks/clientConfig/service/name'},
    {kind: 'MutatingWebhookConfiguration', path: 'webhooks/clientConfig/service/name'},
    {kind: 'CustomResourceDefinition', path: 'spec/conversion/webhook/clientConfig/service/name'},
  ],
  PersistentVolume: [{kind: 'PersistentVolumeClaim', path: 'spec/volumeName'}],
  StorageClass: [
    {kind: 'PersistentVolume', path: 'spec/storageClassName'},
    {kind: 'PersistentVolumeClaim', path: 'spec/storageClassName'},
    {kind: 'StatefulSet', path: 'spec/volumeClaimTemplates/spec/storageClassName'},
  ],
  IngressClass: [{kind: 'Ingress', path: 'spec/ingressClassName'}],
  Role: [{kind: 'RoleBinding', path: 'roleRef/name'}],
  ClusterRole: [
    {kind: 'RoleBinding', path: 'roleRef/name'},
    {kind: 'ClusterRoleBinding', path: 'roleRef/name'},
  ],
  ServiceAccount: [
    {kind: 'RoleBinding', path: 'subjects/name'},
    {kind: 'ClusterRoleBinding', path: 'subjects/name'},
  ],
  ...Object.fromEntries(
    ['Deployment', 'ReplicationController', 'ReplicaSet', 'StatefulSet'].map(kind => [
      kind,
      [{kind: 'HorizontalPodAutoscaler', path: 'spec/scaleTargetRef/name'}],
    ]),
  ),
};

const REFERENCES: readonly Reference[] = [
  ...Object.entries(IN_PODS).flatMap(([to, paths]) =>
    paths.flatMap(path => POD_SPECS.map(spec => ({to, from: {...spec, path: `${spec.path}/${path}`}}))),
  ),
  ...Object.entries(OTHERS).flatMap(([to, specs]) => specs.map(from => ({to, from}))),
];

/** Gives every reference the name that its object has now. */
export function mendReferences(resources: Resources): void {
  const moved = resources.all.filter(({before}) => before.length > 0);
  if (moved.length === 0) return;
  for (const referrer of resources.all)
    for (const {to, from} of REFERENCES)
      if (isIn(from, referrer.id))
        mend(
          referrer,
          moved.filter(({id}) => id.kind === to),
          from,
        );
}

function mend(referrer: Resource, candidates: readonly Resource[], {path}: FieldSpec): void {
  if (candidates.length === 0) return;
  const steps = stepsOf(path);
  const last = steps.at(-1) ?? '';
  referrer.object = setAt(referrer.object, steps.slice(0, -1), false, holder =>
    Array.isArray(holder)
      ? (holder as unknown[]).map(item => mended(item, {last, referrer, candidates}))
      : mended(holder, {last, referrer, candidates}),
  ) as Fields;
}

interface Search {
  readonly last: string;
  readonly referrer: Resource;
  readonly candidates: readonly Resource[];
}

/** What holds the reference, with the new name; what names a kind or a namespace means only those. */
function mended(holder: unknown, {last, referrer, candidates}: Search): unknown {
  if (!isFields(holder)) return holder;
  const {[last]: name, kind, namespace} = holder;
  if (typeof name !== 'string') return holder;
  const saysNamespace = last === 'name' && (typeof namespace === 'string' || kind === 'ServiceAccount');
  const fits = candidates.filter(candidate => {
    if (typeof kind === 'string' && last === 'name' && kind !== candidate.id.kind) return false;
    if (saysNamespace)
      return candidate.names.some(
        id => id.name === name && (id.namespace || 'default') === (typeof namespace === 'string' ? namespace : 'default'),
      );
    return isNear(referrer.id, candidate.id) && candidate.before.some(id => id.name === name);
  });
  const found = fits.length > 1 ? (fits.find(candidate => isOfSame(candidate, referrer)) ?? fits[0]) : fits[0];
  if (!found) return holder;
  return {...holder, [last]: found.name, ...(saysNamespace && found.id.namespace !== '' ? {namespace: found.id.namespace} : {})};
}

/** Objects name others of their own namespace, or those that are in none. */
function isNear(referrer: Id, {namespace, ...id}: Id): boolean {
  return isClusterScoped({...id}) || isClusterScoped(referrer) || (referrer.namespace || 'default') === (namespace || 'default');
}

/** Both came through the same layers. */
function isOfSame(a: Resource, b: Resource): boolean {
  return a.prefixes.join('\0') === b.prefixes.join('\0') && a.suffixes.join('\0') === b.suffixes.join('\0');
}
