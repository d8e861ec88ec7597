// The StatefulSet controller: sees a set with its pods and claims, keeps its revisions, plans, writes.
import type {ControllerRevision, StatefulSet} from '../../../api/kinds/apps-v1.ts';
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {keyOf} from '../../../api/meta/object.ts';
import {isReady, isTerminating} from '../../../api/meta/pod.ts';
import {builtin} from '../../../api/meta/resources.ts';
import type {Informer} from '../../../client/informer.ts';
import {create, remove, update} from '../../../client/verbs.ts';
import type {Outcome, WorkQueue} from '../../../client/work-queue.ts';
import type {Task} from '../../../sim/task.ts';
import {nextAvailableMs} from '../availability.ts';
import type {Context, Controller} from '../context.ts';
import {claim, settleClaim} from '../ownership.ts';
import {watchOwned} from '../owned-watch.ts';
import {OwnWrites} from '../own-writes.ts';
import {orphansFor, podIndexes, type PodIndexes} from '../pod-index.ts';
import {RevisionKeeper, type Kept} from '../revision-keeping.ts';
import {isSameValue} from '../same-value.ts';
import {MemberClaims} from './claims.ts';
import {memberPod, missingLabels, ordinalOf, revisionOf, STATEFULSET_KIND} from './identity.ts';
import {planSet, planStatus, type Seen, type SetPlan} from './plan.ts';
import {tell, tellFailure} from './telling.ts';

const statefulsets = builtin('apps', 'statefulsets');
const pods = builtin('pods');

/** Keeps StatefulSets. */
export const statefulsetController: Controller = {
  name: 'statefulset-controller',
  account: 'statefulset-controller',
  start: context => {
    new StatefulLoop(context).start();
  },
};

class StatefulLoop {
  readonly #context: Context;
  readonly #sets: Informer<StatefulSet>;
  readonly #claims: MemberClaims;
  readonly #indexes: PodIndexes;
  readonly #revisions: RevisionKeeper;
  readonly #writes: OwnWrites<Pod>;
  readonly #queue: WorkQueue;

  constructor(context: Context) {
    const {informers, client, daemon} = context;
    this.#context = context;
    this.#writes = new OwnWrites(daemon.clock);
    this.#sets = informers.of<StatefulSet>(statefulsets);
    this.#claims = new MemberClaims(context);
    this.#indexes = podIndexes(informers);
    this.#revisions = new RevisionKeeper(client, informers, STATEFULSET_KIND);
    this.#queue = context.queue({reconcile: key => this.#reconcile(key), workers: 50});
  }

  /** Begins to listen. */
  start(): void {
    const wake = (set: StatefulSet): void => this.#queue.add(keyOf(set));
    this.#sets.on({
      added: wake,
      updated: wake,
      deleted: set => {
        this.#revisions.forget(set.metadata.uid);
        this.#writes.forget(keyOf(set));
      },
    });
    watchOwned<Pod, StatefulSet>({
      owned: this.#indexes.pods,
      owners: this.#sets,
      kind: STATEFULSET_KIND.kind,
      selectorOf: set => set.spec.selector,
      matters: (pod, old) => isReady(pod) !== isReady(old) || pod.status?.phase !== old.status?.phase,
      wake: key => this.#queue.add(key),
    });
    // A name is free again only when the pod is really gone.
    this.#indexes.pods.on({
      deleted: pod => {
        const owner = pod.metadata.ownerReferences?.find(each => each.kind === STATEFULSET_KIND.kind);
        if (owner) this.#writes.heardEnd(`${pod.metadata.namespace}/${owner.name}`, pod);
      },
    });
  }

  *#reconcile(key: string): Task<Outcome> {
    const set = this.#sets.get(key);
    if (!set) return undefined;
    const kept = yield* this.#revisions.keep(set, set.spec.selector, set.metadata.annotations);
    if (kept === 'failed') return 'again';
    if (kept === 'collision') return yield* this.#countCollision(set);
    const seen = yield* this.#look(key, set, kept);
    const plan = planSet(seen);
    let fine = yield* this.#tend(set, plan);
    for (const pod of plan.ended) if (!(yield* this.#remove(key, set, pod))) fine = false;
    for (const {ordinal, revision} of plan.create) if (!(yield* this.#create(key, set, ordinal, revision))) fine = false;
    // While one cannot come no other goes.
    if (fine) for (const pod of plan.remove) if (!(yield* this.#remove(key, set, pod))) fine = false;
    const after = yield* this.#look(key, set, kept);
    const written = yield* this.#writeStatus(set, planStatus(after));
    const alive = new Set([...after.pods.map(pod => revisionOf(pod) ?? ''), seen.current.metadata.name]);
    yield* this.#revisions.trim(set, kept.old, alive);
    if (!fine || !written) return 'again';
    const next = nextAvailableMs(set.spec.minReadySeconds, after.pods, this.#context.daemon.wall());
    return next === undefined ? undefined : {afterMs: next};
  }

  /** Claims pods that bear the set's name and number, and looks. */
  *#look(key: string, set: StatefulSet, kept: Kept): Task<Seen> {
    const own = this.#writes.merge(key, this.#indexes.byController.of(set.metadata.uid).values());
    const orphans = orphansFor(this.#indexes, set.metadata.namespace ?? '', set.spec.selector);
    const candidates = [...own];
    for (const pod of orphans) if (ordinalOf(set, pod) !== undefined) candidates.push(pod);
    const claimed = claim(set, set.spec.selector, candidates);
    const members = yield* settleClaim(this.#context.client, claimed, {resource: pods, owner: set, kind: STATEFULSET_KIND});
    const current = kept.old.find(each => each.metadata.name === set.status?.currentRevision) ?? kept.current;
    return {set, pods: members, current, update: kept.current, nowMs: this.#context.daemon.wall()};
  }

  *#create(key: string, set: StatefulSet, ordinal: number, revision: ControllerRevision): Task<boolean> {
    const {client} = this.#context;
    const draft = memberPod(set, ordinal, revision);
    const name = draft.metadata.name ?? '';
    // A claim of an earlier pod of that name goes first.
    if (this.#claims.areStale(set, ordinal)) return false;
    const without = yield* this.#claims.make(set, name);
    if (without.length > 0) {
      const why = without.length === 1 ? without[0] : `[${without.join(', ')}]`;
      tellFailure(this.#context, set, 'Create', `Create Pod ${name} in StatefulSet ${set.metadata.name} failed error: ${why}`);
      return false;
    }
    const result = yield* client.ask<Pod>(create(pods, draft));
    if (result.ok) {
      this.#writes.wrote(key, result.value);
      if ((yield* this.#claims.settle(set, result.value)) === 'failed') return false;
      tell(this.#context, set, 'Create', `Create Pod ${name} in StatefulSet ${set.metadata.name} successful`);
      return true;
    }
    // Somebody else has the name: the next look claims the pod or waits for its end.
    if (result.status.reason === 'AlreadyExists') return false;
    tellFailure(
      this.#context,
      set,
      'Create',
      `Create Pod ${name} in StatefulSet ${set.metadata.name} failed error: ${result.status.message}`,
    );
    return false;
  }

  *#remove(key: string, set: StatefulSet, pod: Pod): Task<boolean> {
    const {name, namespace} = pod.metadata;
    const result = yield* this.#context.client.ask<Pod>(remove(pods, {name, namespace}));
    const words = `Delete Pod ${name} in StatefulSet ${set.metadata.name}`;
    if (result.ok) {
      // A pod that takes its time comes back as terminating; one that is gone at once is heard of.
      const heard = this.#indexes.pods.get(keyOf(pod));
      if (heard && result.value.kind === 'Pod' && isTerminating(result.value)) this.#writes.wrote(key, result.value);
      tell(this.#context, set, 'Delete', `${words} successful`);
      return true;
    }
    if (result.status.code === 404) return true;
    tellFailure(this.#context, set, 'Delete', `${words} failed error: ${result.status.message}`);
    return false;
  }

  /** Sees to it that pods that stay are known by their labels, and that all claims have the owners that the policy wants. */
  *#tend(set: StatefulSet, {pending, tend, leaving}: SetPlan): Task<boolean> {
    let fine = true;
    for (const pod of pending) if ((yield* this.#claims.make(set, pod.metadata.name)).length > 0) fine = false;
    for (const pod of tend) if (!(yield* this.#bringHome(set, pod))) fine = false;
    for (const pod of leaving) if ((yield* this.#claims.settle(set, pod)) === 'failed') fine = false;
    return fine;
  }

  *#bringHome(set: StatefulSet, pod: Pod): Task<boolean> {
    const labels = missingLabels(set, pod);
    const settled = yield* this.#claims.settle(set, pod);
    if (settled === 'failed' || (!labels && settled === 'fine')) return settled === 'fine';
    const next = {...pod, metadata: {...pod.metadata, labels: {...pod.metadata.labels, ...labels}}};
    const result = yield* this.#context.client.ask<Pod>(update(pods, next));
    const words = `Update Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
    if (result.ok) tell(this.#context, set, 'Update', `${words} successful`);
    else if (result.status.code !== 409)
      tellFailure(this.#context, set, 'Update', `${words} failed error: ${result.status.message}`);
    return result.ok;
  }

  *#writeStatus(set: StatefulSet, status: NonNullable<StatefulSet['status']>): Task<boolean> {
    if (isSameValue(set.status, status)) return true;
    const result = yield* this.#context.client.ask(update(statefulsets, {...set, status}, 'status'));
    return result.ok || result.status.code === 404;
  }

  *#countCollision(set: StatefulSet): Task<Outcome> {
    const collisionCount = (set.status?.collisionCount ?? 0) + 1;
    const status = {replicas: 0, ...set.status, collisionCount};
    yield* this.#context.client.ask(update(statefulsets, {...set, status}, 'status'));
    return 'again';
  }
}
