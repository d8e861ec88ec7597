// Evicting a pod: a delete that asks the PodDisruptionBudget first. An allowed disruption is taken from the budget's status
// before the pod goes, so that two evictions cannot both use the last one.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import type {DeleteOptions} from '../../../api/kinds/meta.ts';
import type {PodDisruptionBudget} from '../../../api/kinds/policy-v1.ts';
import {withCondition} from '../../../api/meta/conditions.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {isReady} from '../../../api/meta/pod.ts';
import {selectorMatcher} from '../../../api/meta/selector.ts';
import {badRequest, failure, notFound, plainError} from '../../../api/meta/status.ts';
import type {Task} from '../../../sim/task.ts';
import {admitByWebhooks} from '../admission/chain.ts';
import {json} from '../http/reply.ts';
import {refuse, Refused} from '../http/refused.ts';
import {decodeBody} from '../registry/body.ts';
import {removeObject} from '../registry/remove.ts';
import {updateObject} from '../registry/update-internal.ts';
import type {Write} from '../registry/write.ts';
import {writeOf, type Handler} from './asked.ts';

const EVICTION = {group: 'policy', version: 'v1', kind: 'Eviction'};
const REFUSAL = "Cannot evict pod as it would violate the pod's disruption budget.";

export const evict: Handler = function* (asked) {
  const {core, info, served} = asked;
  // Webhooks hear of the eviction, not of the delete that it becomes.
  const write: Write = {...writeOf(asked, ''), withoutWebhooks: true};
  const decoded = decodeBody(write, asked.request, EVICTION);
  if (decoded instanceof Refused) return decoded;
  const body = yield* admitByWebhooks({operation: 'CREATE', write: writeOf(asked), object: decoded, old: undefined});
  if (body instanceof Refused) return body;
  if (body.metadata.name !== info.name) return refuse(badRequest('name in URL does not match name in Eviction object'));
  const {deleteOptions = {}} = body as AnyObject & {readonly deleteOptions?: DeleteOptions};
  const pod = served.cache.get(`${info.namespace}/${info.name}`);
  if (!pod) return refuse(notFound(served.facts, info.name));
  const dryRun = write.dryRun || (deleteOptions.dryRun?.includes('All') ?? false);
  if (!ignoresBudgets(pod)) {
    const budgets = core.resources
      .of('poddisruptionbudgets', 'policy')
      .cache.objects(info.namespace)
      .filter(budget => covers(budget, pod));
    if (budgets.length > 1)
      return refuse(
        plainError('This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.'),
      );
    const [budget] = budgets;
    const refused =
      budget && !mayGoUnhealthy(budget, pod)
        ? yield* takeDisruption({...write, served: core.resources.of('poddisruptionbudgets', 'policy'), dryRun}, budget, pod)
        : undefined;
    if (refused) return refused;
  }
  const marked = yield* markDisruption({...write, dryRun}, info);
  if (marked) return marked;
  const removed = yield* removeObject({...write, dryRun}, info, deleteOptions);
  return removed instanceof Refused
    ? removed
    : json(201, {kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201});
};

function ignoresBudgets(pod: AnyObject): boolean {
  const phase = (pod as unknown as Pod).status?.phase;
  return phase === 'Succeeded' || phase === 'Failed' || phase === 'Pending' || pod.metadata.deletionTimestamp !== undefined;
}

/** A pod that is not ready takes nothing from a budget that has what it needs, or that does not care for such pods. */
function mayGoUnhealthy(budget: AnyObject, pod: AnyObject): boolean {
  if (isReady(pod as unknown as Pod)) return false;
  const {spec, status} = budget as unknown as PodDisruptionBudget;
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const {currentHealthy = 0, desiredHealthy = 0} = status ?? {};
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}

function covers(budget: AnyObject, pod: AnyObject): boolean {
  return selectorMatcher((budget as unknown as PodDisruptionBudget).spec?.selector)(pod.metadata.labels);
}

function* takeDisruption(write: Write, budget: AnyObject, pod: AnyObject): Task<Refused | undefined> {
  const {name, namespace = ''} = budget.metadata;
  const updated = yield* updateObject(write, {
    name,
    namespace,
    change: old => {
      const {status, metadata} = old as unknown as PodDisruptionBudget;
      const refused = budgetRefuses(old as unknown as PodDisruptionBudget);
      if (refused) return refused;
      const disruptedPods = {...status?.disruptedPods, [pod.metadata.name]: write.core.daemon.now()};
      return {...old, metadata, status: {...status, disruptedPods, disruptionsAllowed: (status?.disruptionsAllowed ?? 0) - 1}};
    },
  });
  return updated instanceof Refused ? updated : undefined;
}

function budgetRefuses({metadata, status}: PodDisruptionBudget): Refused | undefined {
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0)) {
    return tooMany(`The disruption budget ${metadata.name} is still being processed by the server.`, 10);
  }
  if ((status?.disruptionsAllowed ?? 0) > 0) return undefined;
  return tooMany(
    `The disruption budget ${metadata.name} needs ${status?.desiredHealthy ?? 0} healthy pods and has ${status?.currentHealthy ?? 0} currently`,
    0,
  );
}

function tooMany(message: string, retryAfterSeconds: number): Refused {
  const causes = [{reason: 'DisruptionBudget', message}];
  return refuse(
    failure(429, 'TooManyRequests', {message: REFUSAL, details: {causes, ...(retryAfterSeconds > 0 ? {retryAfterSeconds} : {})}}),
  );
}

function* markDisruption(write: Write, place: {namespace: string; name: string}): Task<Refused | undefined> {
  const updated = yield* updateObject(write, {
    ...place,
    change: old => {
      const pod = old as unknown as Pod;
      const condition = {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'EvictionByEvictionAPI',
        message: 'Eviction API: evicting',
        lastTransitionTime: write.core.daemon.now(),
      };
      return {...old, status: {...pod.status, conditions: withCondition(pod.status?.conditions, condition)}};
    },
  });
  return updated instanceof Refused ? updated : undefined;
}
