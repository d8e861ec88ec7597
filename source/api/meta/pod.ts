// What one asks of a Pod again and again: how much it needs, which quality of service it has, whether it is ready or done.
// Sums hang on the frozen spec, so the pods of one template are summed up once.
import type {Container, Pod, PodSpec} from '../kinds/core-v1.ts';
import {unbound} from './bound-spec.ts';
import {findCondition, isConditionTrue} from './conditions.ts';
import {milliValue, unitValue} from './quantity.ts';
import {parseTime} from './time.ts';

/** Amounts by resource: thousandths of a CPU, whole units (bytes, devices) of all else. */
export type Amounts = Readonly<Record<string, number>>;

type ResourceLists = 'requests' | 'limits';

const requestsOf = new WeakMap<PodSpec, Amounts>();
const limitsOf = new WeakMap<PodSpec, Amounts>();

/** Will a container that ended with a code be run again? Its own rules and policy come before the pod's. */
export function runsAgain({spec}: Pod, {restartPolicy, restartPolicyRules = []}: Container, exitCode: number): boolean {
  const fits = restartPolicyRules.some(({action, exitCodes}) => {
    const listed = exitCodes?.values?.includes(exitCode) === true;
    return action === 'Restart' && exitCodes !== undefined && (exitCodes.operator === 'In' ? listed : !listed);
  });
  const policy = restartPolicy ?? spec.restartPolicy ?? 'Always';
  return fits || policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

/** What the scheduler reserves for a Pod: containers and sidecars together, or the largest step of its start, plus overhead. */
export function podRequests(spec: PodSpec): Amounts {
  return summed(spec, 'requests', requestsOf);
}

/** The most that a Pod may use, counted in the same way; a container without a limit counts nothing. */
export function podLimits(spec: PodSpec): Amounts {
  return summed(spec, 'limits', limitsOf);
}

/** The amount of a quantity in the measure of its resource. */
export function amountOf(resource: string, quantity: string | number | undefined): number {
  return resource === 'cpu' ? milliValue(quantity) : unitValue(quantity);
}

/** A list of quantities as amounts. */
export function amountsOf(list: Readonly<Record<string, string | number>> | undefined): Amounts {
  return Object.fromEntries(Object.entries(list ?? {}).map(([resource, quantity]) => [resource, amountOf(resource, quantity)]));
}

function summed(of: PodSpec, which: ResourceLists, cache: WeakMap<PodSpec, Amounts>): Amounts {
  const spec = unbound(of);
  const known = cache.get(spec);
  if (known) return known;
  const amounts = sum(spec, which);
  if (Object.isFrozen(spec)) cache.set(spec, amounts);
  return amounts;
}

function sum(spec: PodSpec, which: ResourceLists): Amounts {
  const total = new Map<string, number>();
  const starting = new Map<string, number>();
  const sidecars = new Map<string, number>();
  for (const container of spec.containers ?? []) addTo(total, container, which);
  for (const container of spec.initContainers ?? []) {
    if (isSidecar(container)) {
      addTo(total, container, which);
      addTo(sidecars, container, which);
      raise(starting, sidecars);
    } else {
      // A step of the start needs its own share beside the sidecars that run already.
      const step = new Map(sidecars);
      addTo(step, container, which);
      raise(starting, step);
    }
  }
  raise(total, starting);
  for (const [resource, quantity] of Object.entries(spec.resources?.[which] ?? {}))
    total.set(resource, amountOf(resource, quantity));
  for (const [resource, quantity] of Object.entries(spec.overhead ?? {})) {
    // Overhead raises a limit only where there is one.
    if (which === 'limits' && !total.get(resource)) continue;
    total.set(resource, (total.get(resource) ?? 0) + amountOf(resource, quantity));
  }
  return Object.freeze(Object.fromEntries(total));
}

function addTo(total: Map<string, number>, container: Container, which: ResourceLists): void {
  for (const [resource, quantity] of Object.entries(container.resources?.[which] ?? {})) {
    total.set(resource, (total.get(resource) ?? 0) + amountOf(resource, quantity));
  }
}

function raise(total: Map<string, number>, least: ReadonlyMap<string, number>): void {
  for (const [resource, amount] of least) if (amount > (total.get(resource) ?? 0)) total.set(resource, amount);
}

/** An init container that keeps running beside the others. */
export function isSidecar(container: Container): boolean {
  return container.restartPolicy === 'Always';
}

const QOS_RESOURCES = ['cpu', 'memory'] as const;

/** Guaranteed when every container limits CPU and memory to what it requests, BestEffort when none asks for any. */
export function qosClass(spec: PodSpec): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const own =
    (spec.resources?.requests ?? spec.resources?.limits) ? [{name: '', resources: spec.resources} as Container] : undefined;
  const containers = own ?? [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  let guaranteed = true;
  let asks = false;
  for (const {resources} of containers) {
    for (const resource of QOS_RESOURCES) {
      const request = amountOf(resource, resources?.requests?.[resource] ?? resources?.limits?.[resource]);
      const limit = amountOf(resource, resources?.limits?.[resource]);
      if (request > 0 || limit > 0) asks = true;
      if (limit <= 0 || request !== limit) guaranteed = false;
    }
  }
  if (!asks) return 'BestEffort';
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

/** Has it ended, for good or ill? */
export function isTerminal(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

/** Has somebody asked for its end? */
export function isTerminating(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined;
}

/** Neither ended nor being ended: what controllers count as one of theirs. */
export function isActive(pod: Pod): boolean {
  return !isTerminal(pod) && !isTerminating(pod);
}

/** Is its Ready condition True? */
export function isReady(pod: Pod): boolean {
  return isConditionTrue(pod.status?.conditions, 'Ready');
}

/** Has it been Ready for so many seconds? */
export function isAvailable(pod: Pod, minReadySeconds: number, nowMs: number): boolean {
  const ready = findCondition(pod.status?.conditions, 'Ready');
  if (ready?.status !== 'True') return false;
  if (minReadySeconds === 0) return true;
  const since = parseTime(ready.lastTransitionTime);
  return since !== undefined && since + minReadySeconds * 1000 <= nowMs;
}
