// What an object counts against quotas, and what a quota demands of it: pods by what they request, Services by their ports, claims
// by their size, and everything by its number.
import type {PersistentVolumeClaim, Pod, PodSpec, ResourceQuota, Service} from '../../../api/kinds/core-v1.ts';
import {qosClass} from '../../../api/meta/pod.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import type {ResourceFacts} from '../../../api/meta/resources.ts';
import {podLists, type Quantities} from './pod-sums.ts';

const COUNTED = new Set([
  'configmaps',
  'secrets',
  'replicationcontrollers',
  'resourcequotas',
  'services',
  'persistentvolumeclaims',
]);
const COMPUTE = new Set([
  'cpu',
  'memory',
  'requests.cpu',
  'requests.memory',
  'limits.cpu',
  'limits.memory',
  'requests.ephemeral-storage',
  'limits.ephemeral-storage',
  'ephemeral-storage',
]);

/** What an object uses, by the names that quotas have for it; nothing for no object. */
export function usageOf(facts: ResourceFacts, object: AnyObject | undefined): Quantities {
  if (!object) return {};
  const count = {[`count/${facts.resource}${facts.group === '' ? '' : `.${facts.group}`}`]: '1'};
  if (facts.group !== '') return count;
  const own = COUNTED.has(facts.resource) ? {...count, [facts.resource]: '1'} : count;
  if (facts.resource === 'pods') return podUsage(object, count);
  if (facts.resource === 'services') return {...own, ...serviceUsage(object)};
  return facts.resource === 'persistentvolumeclaims' ? {...own, ...claimUsage(object)} : own;
}

/** A pod that has ended uses nothing but its place in etcd. */
function podUsage(object: AnyObject, count: Quantities): Quantities {
  const pod = object as unknown as Pod;
  if (pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed' || !pod.spec) return count;
  const {requests, limits} = podLists(pod.spec);
  const usage: Record<string, string | number> = {...count, pods: '1'};
  for (const [name, quantity] of Object.entries(requests)) {
    usage[`requests.${name}`] = quantity;
    if (name === 'cpu' || name === 'memory' || name === 'ephemeral-storage') usage[name] = quantity;
  }
  for (const [name, quantity] of Object.entries(limits)) usage[`limits.${name}`] = quantity;
  return usage;
}

function serviceUsage(object: AnyObject): Quantities {
  const {spec} = object as unknown as Service;
  const balanced = spec?.type === 'LoadBalancer';
  const ports =
    spec?.type === 'NodePort' || (balanced && spec?.allocateLoadBalancerNodePorts !== false) ? (spec?.ports?.length ?? 0) : 0;
  return {'services.nodeports': String(ports), 'services.loadbalancers': balanced ? '1' : '0'};
}

function claimUsage(object: AnyObject): Quantities {
  const {spec} = object as unknown as PersistentVolumeClaim;
  const size = spec?.resources?.requests?.['storage'] ?? '0';
  const storageClass = spec?.storageClassName;
  if (!storageClass) return {'requests.storage': size};
  const prefix = `${storageClass}.storageclass.storage.k8s.io`;
  return {'requests.storage': size, [`${prefix}/requests.storage`]: size, [`${prefix}/persistentvolumeclaims`]: '1'};
}

/** What a quota's hard limits make each container say: a text for each resource that some do not. */
export function missingOf(hard: Quantities, spec: PodSpec): readonly string[] {
  const containers = [...spec.containers, ...(spec.initContainers ?? [])];
  return Object.keys(hard)
    .filter(name => COMPUTE.has(name))
    .sort()
    .flatMap(name => {
      const [side, resource] = name.includes('.')
        ? [name.slice(0, name.indexOf('.')), name.slice(name.indexOf('.') + 1)]
        : ['requests', name];
      const list = side === 'limits' ? 'limits' : 'requests';
      const without = containers.filter(each => each.resources?.[list]?.[resource ?? ''] === undefined).map(each => each.name);
      return without.length === 0 ? [] : [`${name} for: ${[...new Set(without)].sort().join(',')}`];
    });
}

/** Is an object of the kinds that a quota with scopes is about, and in all of its scopes? */
export function isInScope(quota: ResourceQuota, facts: ResourceFacts, object: AnyObject): boolean {
  const {scopes = [], scopeSelector} = quota.spec ?? {};
  const all = [
    ...scopes.map(scopeName => ({scopeName, operator: 'Exists', values: [] as readonly string[]})),
    ...(scopeSelector?.matchExpressions ?? []),
  ];
  if (all.length === 0) return true;
  if (facts.group !== '' || facts.resource !== 'pods') return false;
  const pod = object as unknown as Pod;
  return all.every(({scopeName, operator, values = []}) => matchesScope(pod, {scopeName, operator, values}));
}

function matchesScope(pod: Pod, scope: {scopeName: string; operator: string; values: readonly string[]}): boolean {
  const spec = pod.spec ?? {containers: []};
  const terminating = (spec.activeDeadlineSeconds ?? -1) >= 0;
  switch (scope.scopeName) {
    case 'Terminating':
      return terminating;
    case 'NotTerminating':
      return !terminating;
    case 'BestEffort':
      return qosClass(spec) === 'BestEffort';
    case 'NotBestEffort':
      return qosClass(spec) !== 'BestEffort';
    case 'PriorityClass':
      return matchesClass(spec.priorityClassName ?? '', scope);
    case 'CrossNamespacePodAffinity':
      return JSON.stringify(spec.affinity ?? {}).includes('"namespace');
    default:
      return false;
  }
}

function matchesClass(name: string, {operator, values}: {operator: string; values: readonly string[]}): boolean {
  if (operator === 'In') return values.includes(name);
  if (operator === 'NotIn') return name === '' || !values.includes(name);
  return operator === 'Exists' ? name !== '' : name === '';
}
