// What objects use of a quota. The API server counts in the same way when it lets an object in (its own admission room); this is
// the second opinion, taken from what is really there.
import type {Container, PersistentVolumeClaim, Pod, PodSpec, ResourceQuota, Service} from '../../../api/kinds/core-v1.ts';
import {qosClass} from '../../../api/meta/pod.ts';
import {isSidecar, isTerminal} from '../../../api/meta/pod.ts';
import {addQuantities, canonicalQuantity, compareQuantities} from '../../../api/meta/quantity.ts';
import {RESOURCES, type ResourceFacts} from '../../../api/meta/resources.ts';
import type {AnyObject} from '../../../api/meta/object.ts';

/** Quantities by the names that quotas have for them. */
export type Quantities = Readonly<Record<string, string | number>>;

const COUNTED = [
  'configmaps',
  'secrets',
  'replicationcontrollers',
  'resourcequotas',
  'services',
  'persistentvolumeclaims',
  'pods',
];
const SHORT: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** Which resource a hard limit is about; undefined for a name that nobody knows. */
export function resourceOf(name: string): ResourceFacts | undefined {
  if (name.startsWith('count/')) {
    const [plural, ...group] = name.slice('count/'.length).split('.');
    return RESOURCES.find(each => each.namespaced && each.resource === plural && each.group === group.join('.'));
  }
  return core(coreName(name));
}

function coreName(name: string): string {
  if (COUNTED.includes(name)) return name;
  if (name.startsWith('services.')) return 'services';
  if (name === 'requests.storage' || name.includes('.storageclass.storage.k8s.io/')) return 'persistentvolumeclaims';
  return SHORT.has(name) || /^(requests|limits)\./.test(name) ? 'pods' : '';
}

function core(resource: string): ResourceFacts | undefined {
  return RESOURCES.find(each => each.group === '' && each.resource === resource);
}

/** What one object uses. */
export function usageOf(facts: ResourceFacts, object: AnyObject): Quantities {
  const count = {[`count/${facts.resource}${facts.group === '' ? '' : `.${facts.group}`}`]: '1'};
  if (facts.group !== '') return count;
  if (facts.resource === 'pods') return {...count, ...podUsage(object as unknown as Pod)};
  const own = COUNTED.includes(facts.resource) ? {...count, [facts.resource]: '1'} : count;
  if (facts.resource === 'services') return {...own, ...serviceUsage(object as unknown as Service)};
  if (facts.resource === 'persistentvolumeclaims') return {...own, ...claimUsage(object as unknown as PersistentVolumeClaim)};
  return own;
}

function podUsage(pod: Pod): Quantities {
  if (isTerminal(pod)) return {};
  const usage: Record<string, string | number> = {pods: '1'};
  for (const [name, quantity] of Object.entries(podTotal(pod.spec, 'requests'))) {
    usage[`requests.${name}`] = quantity;
    if (SHORT.has(name)) usage[name] = quantity;
  }
  for (const [name, quantity] of Object.entries(podTotal(pod.spec, 'limits'))) usage[`limits.${name}`] = quantity;
  return usage;
}

/** Containers and sidecars together, or the largest step of the start, plus overhead. */
function podTotal(spec: PodSpec, side: 'requests' | 'limits'): Quantities {
  const list = (container: Container): Quantities => container.resources?.[side] ?? {};
  const inits = spec.initContainers ?? [];
  let most = [...spec.containers, ...inits.filter(isSidecar)].reduce<Quantities>((sum, each) => plus(sum, list(each)), {});
  let before: Quantities = {};
  for (const container of inits) {
    const step = plus(before, list(container));
    if (isSidecar(container)) before = step;
    most = larger(most, step);
  }
  const overhead = Object.entries(spec.overhead ?? {}).filter(([name]) => side === 'requests' || Object.hasOwn(most, name));
  return plus(most, Object.fromEntries(overhead));
}

function serviceUsage({spec}: Service): Quantities {
  const balanced = spec.type === 'LoadBalancer';
  const open = spec.type === 'NodePort' || (balanced && spec.allocateLoadBalancerNodePorts !== false);
  return {'services.nodeports': String(open ? (spec.ports?.length ?? 0) : 0), 'services.loadbalancers': balanced ? '1' : '0'};
}

function claimUsage({spec}: PersistentVolumeClaim): Quantities {
  const size = spec?.resources?.requests?.['storage'] ?? '0';
  if (!spec?.storageClassName) return {'requests.storage': size};
  const prefix = `${spec.storageClassName}.storageclass.storage.k8s.io`;
  return {'requests.storage': size, [`${prefix}/requests.storage`]: size, [`${prefix}/persistentvolumeclaims`]: '1'};
}

/** Adds up, name by name; a sum keeps the form of its first part. */
export function plus(a: Quantities, b: Quantities): Quantities {
  const sum: Record<string, string | number> = {...a};
  for (const [name, quantity] of Object.entries(b)) {
    const own = sum[name];
    const first = own === undefined || canonicalQuantity(own) === '0';
    sum[name] = first ? canonicalQuantity(quantity) : addQuantities(own, quantity);
  }
  return sum;
}

function larger(a: Quantities, b: Quantities): Quantities {
  const most: Record<string, string | number> = {...a};
  for (const [name, quantity] of Object.entries(b)) {
    const own = most[name];
    if (own === undefined || compareQuantities(quantity, own) > 0) most[name] = quantity;
  }
  return most;
}

/** Is a pod in all of a quota's scopes? */
export function isInScope({spec}: ResourceQuota, pod: Pod): boolean {
  const listed = (spec?.scopes ?? []).map(scopeName => ({scopeName, operator: 'Exists', values: [] as readonly string[]}));
  const selected = (spec?.scopeSelector?.matchExpressions ?? []).map(({scopeName, operator, values = []}) => ({
    scopeName,
    operator,
    values,
  }));
  return [...listed, ...selected].every(scope => matchesScope(pod.spec, scope));
}

function matchesScope(
  spec: PodSpec,
  {scopeName, operator, values}: {scopeName: string; operator: string; values: readonly string[]},
): boolean {
  const name = spec.priorityClassName ?? '';
  const bounded = spec.activeDeadlineSeconds !== undefined;
  const tests: Readonly<Record<string, boolean>> = {
    Terminating: bounded,
    NotTerminating: !bounded,
    BestEffort: qosClass(spec) === 'BestEffort',
    NotBestEffort: qosClass(spec) !== 'BestEffort',
    PriorityClass:
      operator === 'In'
        ? values.includes(name)
        : operator === 'NotIn'
          ? !values.includes(name)
          : (name !== '') === (operator === 'Exists'),
    CrossNamespacePodAffinity: reachesOut(spec),
  };
  return tests[scopeName] === true;
}

function reachesOut({affinity}: PodSpec): boolean {
  const terms = [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap(each => [
    ...(each?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(each?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(weighted => weighted.podAffinityTerm),
  ]);
  return terms.some(term => (term.namespaces ?? []).length > 0 || term.namespaceSelector !== undefined);
}
