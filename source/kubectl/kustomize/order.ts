// The order in which a build prints: kinds that others need come first, webhooks last, all else by kind and name; or as it was read.
import {compareStrings} from '../../api/meta/go-text.ts';
import type {Resource} from './resource.ts';

const FIRST = [
  'Namespace',
  'ResourceQuota',
  'StorageClass',
  'CustomResourceDefinition',
  'ServiceAccount',
  'PodSecurityPolicy',
  'Role',
  'ClusterRole',
  'RoleBinding',
  'ClusterRoleBinding',
  'ConfigMap',
  'Secret',
  'Endpoints',
  'Service',
  'LimitRange',
  'PriorityClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Deployment',
  'StatefulSet',
  'CronJob',
  'PodDisruptionBudget',
];
const LAST = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];

/** The objects in the order of their kinds. */
export function inOrder(
  resources: readonly Resource[],
  {first = FIRST, last = LAST}: {first?: readonly string[]; last?: readonly string[]} = {},
): readonly Resource[] {
  const ranks = new Map<string, number>();
  first.forEach((kind, i) => ranks.set(kind, i - first.length));
  last.forEach((kind, i) => ranks.set(kind, i + 1));
  const keyed = resources.map(resource => ({resource, rank: ranks.get(resource.id.kind) ?? 0, key: keyOf(resource)}));
  return keyed.toSorted((a, b) => a.rank - b.rank || compareStrings(a.key, b.key)).map(({resource}) => resource);
}

/** What is absent sorts last. */
function keyOf({id}: Resource): string {
  const kind = [id.group || '~G', id.version || '~V', id.kind || '~K'].join('_');
  return [kind, id.namespace || '~X', id.name || '~N'].join('\0');
}
