// The Deployment controller: sees a Deployment with its sets, plans, writes.
import type {Deployment, ReplicaSet} from '../../../api/kinds/apps-v1.ts';
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {controllerOf, keyOf, type KubeObject} from '../../../api/meta/object.ts';
import {isTerminal} from '../../../api/meta/pod.ts';
import {builtin} from '../../../api/meta/resources.ts';
import type {Index, Informer} from '../../../client/informer.ts';
import {create, get, remove, update} from '../../../client/verbs.ts';
import type {Outcome, WorkQueue} from '../../../client/work-queue.ts';
import type {Task} from '../../../sim/task.ts';
import type {Context, Controller} from '../context.ts';
import {claim, settleClaim} from '../ownership.ts';
import {watchOwned} from '../owned-watch.ts';
import {controllerUid, podIndexes, type PodIndexes} from '../pod-index.ts';
import {isNamespaceTerminating, sendAll} from '../send-all.ts';
import {isRolling} from './arithmetic.ts';
import {DEPLOYMENT_KIND, planDeployment, type DeploymentPlan} from './plan.ts';
import {isSameTemplate} from './sets.ts';
import {condition, hasDeadline, setCondition} from './status.ts';

const deployments = builtin('apps', 'deployments');
const replicasets = builtin('apps', 'replicasets');
const LIE_MS = 5;

/** Rolls Deployments. */
export const deploymentController: Controller = {
  name: 'deployment-controller',
  account: 'deployment-controller',
  start: context => {
    new DeploymentLoop(context).start();
  },
};

class DeploymentLoop {
  readonly #context: Context;
  readonly #deployments: Informer<Deployment>;
  readonly #sets: Informer<ReplicaSet>;
  readonly #setsByOwner: Index<ReplicaSet>;
  readonly #orphanSets: Index<ReplicaSet>;
  readonly #indexes: PodIndexes;
  readonly #queue: WorkQueue;

  constructor(context: Context) {
    this.#context = context;
    this.#deployments = context.informers.of<Deployment>(deployments);
    this.#sets = context.informers.of<ReplicaSet>(replicasets);
    this.#setsByOwner = this.#sets.index(controllerUid);
    this.#orphanSets = this.#sets.index(set => (controllerOf(set) ? [] : [set.metadata.namespace ?? '']));
    this.#indexes = podIndexes(context.informers);
    this.#queue = context.queue({reconcile: key => this.#reconcile(key), workers: 100, lieMs: LIE_MS});
  }

  /** Begins to listen. */
  start(): void {
    const queue = this.#queue;
    const wake = (object: KubeObject) => queue.add(keyOf(object));
    this.#deployments.on({added: wake, updated: wake, deleted: wake});
    watchOwned<ReplicaSet, Deployment>({
      owned: this.#sets,
      owners: this.#deployments,
      kind: DEPLOYMENT_KIND.kind,
      selectorOf: deployment => deployment.spec.selector,
      matters: () => true,
      wake: key => queue.add(key),
    });
    // With Recreate the last old pod's end is what the new ones wait for; no set's status tells of it.
    this.#indexes.pods.on({deleted: pod => this.#podGone(pod)});
  }

  #podGone(pod: Pod): void {
    const reference = controllerOf(pod);
    if (reference?.kind !== 'ReplicaSet') return;
    const set = this.#sets.get(`${pod.metadata.namespace}/${reference.name}`);
    const owner = set && controllerOf(set);
    const deployment = owner && this.#deployments.get(`${pod.metadata.namespace}/${owner.name}`);
    if (deployment && !isRolling(deployment)) this.#queue.add(keyOf(deployment));
  }

  *#reconcile(key: string): Task<Outcome> {
    const deployment = this.#deployments.get(key);
    if (!deployment) return undefined;
    const {selector} = deployment.spec;
    if (Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0) {
      const message = 'This deployment is selecting all pods. A non-empty selector is required.';
      this.#context.recorder.record(deployment, {type: 'Warning', reason: 'SelectingAll', message});
      return undefined;
    }
    const {client, daemon} = this.#context;
    const {uid, namespace = ''} = deployment.metadata;
    const candidates = [...this.#setsByOwner.of(uid).values(), ...this.#orphanSets.of(namespace).values()];
    const claimed = claim(deployment, selector, candidates);
    const sets = yield* settleClaim(client, claimed, {resource: replicasets, owner: deployment, kind: DEPLOYMENT_KIND});
    const running = isRolling(deployment) ? NONE_RUNNING : this.#running(sets);
    const plan = planDeployment({deployment, sets, running, nowMs: daemon.wall(), now: daemon.now()});
    return yield* this.#carryOut(deployment, plan);
  }

  #running(sets: readonly ReplicaSet[]): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const {metadata} of sets) {
      let count = 0;
      for (const pod of this.#indexes.byController.of(metadata.uid).values()) if (!isTerminal(pod)) count++;
      counts.set(metadata.uid, count);
    }
    return counts;
  }

  *#carryOut(deployment: Deployment, plan: DeploymentPlan): Task<Outcome> {
    const {client, recorder} = this.#context;
    if (plan.create) {
      const made = yield* this.#create(deployment, plan.create.set);
      if (made !== 'made') return made === 'given up' ? undefined : 'again';
      for (const event of plan.create.events) recorder.record(deployment, event);
    }
    const results = yield* sendAll(
      client,
      plan.changes.map(change => update(replicasets, change.to)),
    );
    for (const [index, result] of results.entries()) {
      if (result.ok) for (const event of plan.changes[index]?.events ?? []) recorder.record(deployment, event);
    }
    if (results.some(result => !result.ok)) return 'again';
    yield* sendAll(
      client,
      plan.remove.map(({metadata: {name, namespace}}) => remove(replicasets, {name, namespace})),
    );
    if (plan.status) {
      const result = yield* client.ask(update(deployments, plan.status, 'status'));
      if (!result.ok && result.status.code !== 404) return 'again';
    }
    return plan.afterMs === undefined ? undefined : {afterMs: plan.afterMs};
  }

  /** Creates a set. When its name is taken by another template the collision is counted, which gives another name. */
  *#create(deployment: Deployment, set: ReplicaSet): Task<'made' | 'again' | 'given up'> {
    const {client, recorder, daemon} = this.#context;
    const {name, namespace} = set.metadata;
    const result = yield* client.ask(create(replicasets, set));
    if (result.ok) return 'made';
    if (isNamespaceTerminating(result.status)) return 'given up';
    if (result.status.reason === 'AlreadyExists') {
      const found = yield* client.ask<ReplicaSet>(get(replicasets, {name, namespace}));
      if (!found.ok) return 'again';
      const mine = controllerOf(found.value)?.uid === deployment.metadata.uid;
      if (mine && isSameTemplate(found.value.spec.template, deployment.spec.template)) return 'again';
      const collisionCount = (deployment.status?.collisionCount ?? 0) + 1;
      yield* client.ask(
        update(deployments, {...deployment, status: {...deployment.status, collisionCount}} as Deployment, 'status'),
      );
      return 'again';
    }
    const message = `Failed to create new replica set "${name}": ${result.status.message}`;
    if (hasDeadline(deployment)) {
      const failed = condition('Progressing', 'False', {reason: 'ReplicaSetCreateError', message, now: daemon.now()});
      const conditions = setCondition(deployment.status?.conditions ?? [], failed);
      yield* client.ask(update(deployments, {...deployment, status: {...deployment.status, conditions}} as Deployment, 'status'));
    }
    recorder.record(deployment, {type: 'Warning', reason: 'ReplicaSetCreateError', message});
    return 'again';
  }
}

const NONE_RUNNING: ReadonlyMap<string, number> = new Map();
