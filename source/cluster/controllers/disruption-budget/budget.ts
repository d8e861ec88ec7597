// The disruption controller: keeps the status of PodDisruptionBudgets, which evictions are judged by.
import type {ReplicaSet} from '../../../api/kinds/apps-v1.ts';
import type {Pod} from '../../../api/kinds/core-v1.ts';
import type {Scale} from '../../../api/kinds/autoscaling-v1.ts';
import type {OwnerReference} from '../../../api/kinds/meta.ts';
import type {PodDisruptionBudget} from '../../../api/kinds/policy-v1.ts';
import {controllerOf, keyOf, type AnyObject} from '../../../api/meta/object.ts';
import {isReady, isTerminating} from '../../../api/meta/pod.ts';
import {builtin, resourceOfKind} from '../../../api/meta/resources.ts';
import {selectorMatcher} from '../../../api/meta/selector.ts';
import type {Index, Informer} from '../../../client/informer.ts';
import {get, update} from '../../../client/verbs.ts';
import type {Outcome, WorkQueue} from '../../../client/work-queue.ts';
import type {Task} from '../../../sim/task.ts';
import type {Context, Controller} from '../context.ts';
import {podIndexes, type PodIndexes} from '../pod-index.ts';
import {isSameValue} from '../same-value.ts';
import {evictionAfterMs, failedStatus, needsControllers, planBudget, unevicted, unmanagedText} from './plan.ts';

const budgets = builtin('policy', 'poddisruptionbudgets');
const KEEPERS = [
  builtin('apps', 'deployments'),
  builtin('apps', 'replicasets'),
  builtin('apps', 'statefulsets'),
  builtin('replicationcontrollers'),
];
const LIE_MS = 20;

type Expected = {readonly wanted: number; readonly unmanaged: number} | {readonly error: string};

const NOBODY: Expected = Object.freeze({wanted: 0, unmanaged: 0});

/** Keeps budgets. */
export const disruptionController: Controller = {
  name: 'disruption-controller',
  account: 'disruption-controller',
  component: 'controllermanager',
  start: context => {
    new BudgetLoop(context).start();
  },
};

class BudgetLoop {
  readonly #context: Context;
  readonly #budgets: Informer<PodDisruptionBudget>;
  readonly #byNamespace: Index<PodDisruptionBudget>;
  readonly #indexes: PodIndexes;
  /** Kept from the first budget on that asks for no label. */
  #podsByNamespace: Index<Pod> | undefined;
  readonly #queue: WorkQueue;

  constructor(context: Context) {
    this.#context = context;
    this.#budgets = context.informers.of<PodDisruptionBudget>(budgets);
    this.#byNamespace = this.#budgets.index(budget => [budget.metadata.namespace ?? '']);
    this.#indexes = podIndexes(context.informers);
    this.#queue = context.queue({reconcile: key => this.#reconcile(key), lieMs: LIE_MS});
  }

  /** Begins to listen. */
  start(): void {
    const queue = this.#queue;
    this.#budgets.on({added: budget => queue.add(keyOf(budget)), updated: budget => queue.add(keyOf(budget))});
    const wake = (pod: Pod): void => {
      for (const [key, budget] of this.#byNamespace.of(pod.metadata.namespace ?? '')) {
        if (selectorMatcher(budget.spec.selector)(pod.metadata.labels)) queue.add(key);
      }
    };
    this.#indexes.pods.on({
      added: wake,
      updated: (pod, old) => {
        const same =
          isReady(pod) === isReady(old) &&
          isTerminating(pod) === isTerminating(old) &&
          pod.metadata.labels === old.metadata.labels;
        if (same) return;
        wake(pod);
        if (pod.metadata.labels !== old.metadata.labels) wake(old);
      },
      deleted: wake,
    });
    for (const resource of KEEPERS) {
      this.#context.informers.of<AnyObject>(resource).on({
        updated: (object, old) => {
          if (replicasOf(object) === replicasOf(old)) return;
          for (const key of this.#byNamespace.of(object.metadata.namespace ?? '').keys()) queue.add(key);
        },
      });
    }
  }

  *#reconcile(key: string): Task<Outcome> {
    const {client, daemon, recorder} = this.#context;
    const budget = this.#budgets.get(key);
    if (!budget || budget.metadata.deletionTimestamp !== undefined) return undefined;
    const pods = this.#podsOf(budget);
    if (pods.length === 0) recorder.record(budget, {type: 'Normal', reason: 'NoPods', message: 'No matching pods found'});
    const expected = needsControllers(budget) ? yield* this.#expected(pods) : NOBODY;
    if ('error' in expected) return yield* this.#fail(budget, expected.error);
    const {wanted, unmanaged} = expected;
    if (unmanaged > 0)
      recorder.record(budget, {type: 'Warning', reason: 'UnmanagedPods', message: unmanagedText(budget.spec.selector)});
    const seen = {budget, pods, wanted, unmanaged, nowMs: daemon.wall(), now: daemon.now()};
    for (const pod of unevicted(seen)) {
      const message = `Pod was expected by PDB ${key} to be deleted but it wasn't`;
      recorder.record(pod, {type: 'Warning', reason: 'NotDeleted', message});
    }
    const status = planBudget(seen);
    if (!isSameValue(budget.status, status)) {
      const result = yield* client.ask(update(budgets, {...budget, status}, 'status'));
      if (!result.ok && result.status.code !== 404) return 'again';
    }
    const afterMs = evictionAfterMs(seen, seen.nowMs);
    return afterMs === undefined ? undefined : {afterMs};
  }

  #podsOf({metadata: {namespace = ''}, spec: {selector}}: PodDisruptionBudget): readonly Pod[] {
    const [label] = Object.entries(selector?.matchLabels ?? {});
    if (!label) this.#podsByNamespace ??= this.#indexes.pods.index(pod => [pod.metadata.namespace ?? '']);
    const index = label ? this.#indexes.byLabel.of(`${namespace}/${label[0]}=${label[1]}`) : this.#podsByNamespace?.of(namespace);
    const matches = selectorMatcher(selector);
    return [...(index?.values() ?? [])].filter(pod => matches(pod.metadata.labels));
  }

  /** Nobody may be disrupted as long as it cannot be told what the pods' controllers want. */
  *#fail(budget: PodDisruptionBudget, error: string): Task<Outcome> {
    const {client, daemon, recorder} = this.#context;
    const message = `Failed to calculate the number of expected pods: ${error}`;
    recorder.record(budget, {type: 'Warning', reason: 'CalculateExpectedPodCountFailed', message});
    const status = failedStatus(budget, error, daemon.now());
    if (isSameValue(budget.status, status)) return undefined;
    const result = yield* client.ask(update(budgets, {...budget, status}, 'status'));
    return result.ok || result.status.code === 404 ? undefined : 'again';
  }

  /** What the pods' controllers want, each counted once; or why that cannot be told. */
  *#expected(pods: readonly Pod[]): Task<Expected> {
    const scales = new Map<string, number>();
    const done = new Set<string>();
    let unmanaged = 0;
    for (const pod of pods) {
      const reference = controllerOf(pod);
      if (!reference) unmanaged++;
      if (!reference || done.has(reference.uid)) continue;
      const keeper = this.#keeperOf(pod);
      const scale = keeper ? {uid: keeper.metadata.uid, replicas: replicasOf(keeper)} : yield* this.#scaleOf(pod, reference);
      if ('error' in scale) return scale;
      done.add(reference.uid);
      scales.set(scale.uid, scale.replicas);
    }
    let wanted = 0;
    for (const replicas of scales.values()) wanted += replicas;
    return {wanted, unmanaged};
  }

  /** What a controller of another kind wants: it must have a scale. */
  *#scaleOf(
    {metadata: {name, namespace}}: Pod,
    reference: OwnerReference,
  ): Task<{readonly uid: string; readonly replicas: number} | {readonly error: string}> {
    const {client, kinds} = this.#context;
    const {apiVersion, kind} = reference;
    const resource = kinds.ofKind(apiVersion, kind);
    if (!resource) return {error: `no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`};
    if (!resource.subresources.some(each => each.name === 'scale')) {
      const plural = resource.group === '' ? resource.resource : `${resource.resource}.${resource.group}`;
      return {error: `${plural} does not implement the scale subresource`};
    }
    const found = yield* client.ask<Scale>(get(resource, {namespace, name: reference.name, subresource: 'scale'}));
    if (!found.ok && found.status.code !== 404) return {error: found.status.message ?? ''};
    if (!found.ok || found.value.metadata.uid !== reference.uid)
      return {error: `found no controllers for pod ${JSON.stringify(name)}`};
    return {uid: reference.uid, replicas: found.value.spec?.replicas ?? 0};
  }

  /** The pod's controller; of a ReplicaSet that a Deployment has, the Deployment. */
  #keeperOf(pod: Pod): AnyObject | undefined {
    const owner = this.#ownerOf(pod as unknown as AnyObject);
    if (owner?.kind !== 'ReplicaSet') return owner;
    return this.#ownerOf(owner) ?? owner;
  }

  #ownerOf(object: AnyObject | ReplicaSet): AnyObject | undefined {
    const reference = controllerOf(object);
    const resource = reference && resourceOfKind(reference.apiVersion, reference.kind);
    if (!reference || !resource || !KEEPERS.includes(resource)) return undefined;
    const owner = this.#context.informers.of<AnyObject>(resource).get(`${object.metadata.namespace}/${reference.name}`);
    return owner?.metadata.uid === reference.uid ? owner : undefined;
  }
}

function replicasOf({spec}: AnyObject): number {
  return (spec as {readonly replicas?: number} | undefined)?.replicas ?? 1;
}
