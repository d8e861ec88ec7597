// What objects use of a quota: pods what they request, Services their ports, claims their size, and everything its number. The API
// server counts with this when it lets an object in, and the quota controller when it counts what is really there.
import type {PersistentVolumeClaim, Pod, PodSpec, ResourceQuota, Service} from '../kinds/core-v1.ts';
import type {AnyObject, Resource} from './object.ts';
import {isTerminal} from './pod.ts';
import {podLists, qosClass, type Quantities} from './pod-resources.ts';

const COUNTED = new Set([
  'configmaps',
  'secrets',
  'replicationcontrollers',
  'resourcequotas',
  'services',
  'persistentvolumeclaims',
]);
const SHORT: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** What an object uses, by the names that quotas have for it; nothing for no object. */
export function usageOf({group, resource}: Pick<Resource, 'group' | 'resource'>, object: AnyObject | undefined): Quantities {
  if (!object) return {};
  const count = {[`count/${resource}${group === '' ? '' : `.${group}`}`]: '1'};
  if (group !== '') return count;
  if (resource === 'pods') return {...count, ...podUsage(object as unknown as Pod)};
  const own = COUNTED.has(resource) ? {...count, [resource]: '1'} : count;
  if (resource === 'services') return {...own, ...serviceUsage(object as unknown as Service)};
  return resource === 'persistentvolumeclaims' ? {...own, ...claimUsage(object as unknown as PersistentVolumeClaim)} : own;
}

/** A pod that has ended uses nothing but its place in etcd. */
function podUsage(pod: Pod): Quantities {
  if (isTerminal(pod) || !pod.spec) return {};
  const {requests, limits} = podLists(pod.spec);
  const usage: Record<string, string | number> = {pods: '1'};
  for (const [name, quantity] of Object.entries(requests)) {
    usage[`requests.${name}`] = quantity;
    if (SHORT.has(name)) usage[name] = quantity;
  }
  for (const [name, quantity] of Object.entries(limits)) usage[`limits.${name}`] = quantity;
  return usage;
}

function serviceUsage({spec}: Service): Quantities {
  const balanced = spec?.type === 'LoadBalancer';
  const open = spec?.type === 'NodePort' || (balanced && spec?.allocateLoadBalancerNodePorts !== false);
  return {'services.nodeports': String(open ? (spec?.ports?.length ?? 0) : 0), 'services.loadbalancers': balanced ? '1' : '0'};
}

function claimUsage({spec}: PersistentVolumeClaim): Quantities {
  const size = spec?.resources?.requests?.['storage'] ?? '0';
  if (!spec?.storageClassName) return {'requests.storage': size};
  const prefix = `${spec.storageClassName}.storageclass.storage.k8s.io`;
  return {'requests.storage': size, [`${prefix}/requests.storage`]: size, [`${prefix}/persistentvolumeclaims`]: '1'};
}

/** The group and resource that a hard limit is about; undefined for a name that nobody knows. */
export function countedBy(name: string): {readonly group: string; readonly resource: string} | undefined {
  if (name.startsWith('count/')) {
    const [resource = '', ...group] = name.slice('count/'.length).split('.');
    return {group: group.join('.'), resource};
  }
  const resource = coreName(name);
  return resource === undefined ? undefined : {group: '', resource};
}

function coreName(name: string): string | undefined {
  if (name === 'pods' || COUNTED.has(name)) return name;
  if (name.startsWith('services.')) return 'services';
  if (name === 'requests.storage' || name.includes('.storageclass.storage.k8s.io/')) return 'persistentvolumeclaims';
  return SHORT.has(name) || /^(requests|limits)\./.test(name) ? 'pods' : undefined;
}

/** Is an object of the kinds that a quota is about, and in all of its scopes? A quota with scopes is about pods. */
export function isInScope(
  {spec}: ResourceQuota,
  {group, resource}: Pick<Resource, 'group' | 'resource'>,
  object: AnyObject,
): boolean {
  const {scopes = [], scopeSelector} = spec ?? {};
  const all = [...scopes.map(scopeName => ({scopeName, operator: 'Exists'})), ...(scopeSelector?.matchExpressions ?? [])];
  if (all.length === 0) return true;
  if (group !== '' || resource !== 'pods') return false;
  const pod = (object as unknown as Pod).spec ?? {containers: []};
  return all.every(scope => matchesScope(pod, scope));
}

interface Scope {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

function matchesScope(spec: PodSpec, scope: Scope): boolean {
  const bounded = (spec.activeDeadlineSeconds ?? -1) >= 0;
  switch (scope.scopeName) {
    case 'Terminating':
      return bounded;
    case 'NotTerminating':
      return !bounded;
    case 'BestEffort':
      return qosClass(spec) === 'BestEffort';
    case 'NotBestEffort':
      return qosClass(spec) !== 'BestEffort';
    case 'PriorityClass':
      return matchesClass(spec.priorityClassName ?? '', scope);
    case 'CrossNamespacePodAffinity':
      return reachesOut(spec);
    default:
      return false;
  }
}

function matchesClass(name: string, {operator, values = []}: Scope): boolean {
  if (operator === 'In') return values.includes(name);
  if (operator === 'NotIn') return name === '' || !values.includes(name);
  return operator === 'Exists' ? name !== '' : name === '';
}

/** Does a pod want to be near, or far from, pods of other namespaces? */
function reachesOut({affinity}: PodSpec): boolean {
  const terms = [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap(each => [
    ...(each?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(each?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(weighted => weighted.podAffinityTerm),
  ]);
  return terms.some(term => (term.namespaces ?? []).length > 0 || term.namespaceSelector !== undefined);
}
