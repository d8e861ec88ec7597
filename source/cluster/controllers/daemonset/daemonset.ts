// The DaemonSet controller: sees a set with all nodes and its pods, keeps its revisions, plans, writes.
import type {DaemonSet} from '../../../api/kinds/apps-v1.ts';
import type {Node, Pod} from '../../../api/kinds/core-v1.ts';
import {controllerOf, keyOf, type Draft} from '../../../api/meta/object.ts';
import {isReady, isTerminal} from '../../../api/meta/pod.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {Backoff} from '../../../client/backoff.ts';
import {Expectations} from '../../../client/expectations.ts';
import type {Index, Informer} from '../../../client/informer.ts';
import {update} from '../../../client/verbs.ts';
import type {Outcome, WorkQueue} from '../../../client/work-queue.ts';
import type {Task} from '../../../sim/task.ts';
import {nextAvailableMs} from '../availability.ts';
import type {Context, Controller} from '../context.ts';
import {claim, controllerReference, settleClaim} from '../ownership.ts';
import {watchOwned} from '../owned-watch.ts';
import {createPods, removePods} from '../pod-control.ts';
import {podFromTemplate} from '../pod-creation.ts';
import {orphansFor, podIndexes, type PodIndexes} from '../pod-index.ts';
import {RevisionKeeper} from '../revision-keeping.ts';
import {hashOfRevision, REVISION_HASH} from '../revisions.ts';
import {isSameValue} from '../same-value.ts';
import {
  GENERATION,
  groupByNode,
  judgeNode,
  planPresence,
  planStatus,
  planUpdate,
  templateGeneration,
  type DaemonPlan,
  type Ended,
  type Seen,
} from './plan.ts';
import {daemonTemplate, onNode, targetNode} from './pod.ts';

const daemonsets = builtin('apps', 'daemonsets');
const nodes = builtin('nodes');
const pods = builtin('pods');
const KIND = Object.freeze({apiVersion: 'apps/v1', kind: 'DaemonSet'});
const BURST = 250;
const NO_TARGET: readonly string[] = [];
const LIE_MS = 20;
const FAILED_FIRST_MS = 1000;
const FAILED_MOST_MS = 15 * 60_000;

/** Keeps DaemonSets. */
export const daemonsetController: Controller = {
  name: 'daemonset-controller',
  account: 'daemon-set-controller',
  start: context => {
    new DaemonLoop(context).start();
  },
};

class DaemonLoop {
  readonly #context: Context;
  readonly #sets: Informer<DaemonSet>;
  readonly #nodes: Informer<Node>;
  readonly #indexes: PodIndexes;
  /** Daemons' pods by the uid of their set and the node that they are on or for. */
  readonly #byTarget: Index<Pod>;
  readonly #creations: Expectations;
  readonly #deletions: Expectations;
  readonly #revisions: RevisionKeeper;
  readonly #queue: WorkQueue;
  /** When a pod that failed on a node may be tried again, by set and node. */
  readonly #failures = new Map<string, {readonly backoff: Backoff; untilMs: number}>();

  constructor(context: Context) {
    const {informers, daemon, client} = context;
    this.#context = context;
    this.#sets = informers.of<DaemonSet>(daemonsets);
    this.#nodes = informers.of<Node>(nodes);
    this.#indexes = podIndexes(informers);
    this.#byTarget = this.#indexes.pods.index(pod => {
      const owner = controllerOf(pod);
      return owner?.kind === KIND.kind ? [`${owner.uid}/${targetNode(pod)}`] : NO_TARGET;
    });
    this.#creations = new Expectations(daemon.clock);
    this.#deletions = new Expectations(daemon.clock);
    this.#revisions = new RevisionKeeper(client, informers, KIND);
    this.#queue = context.queue({reconcile: key => this.#reconcile(key), workers: 20, lieMs: LIE_MS});
  }

  /** Begins to listen. */
  start(): void {
    const queue = this.#queue;
    this.#sets.on({
      added: set => queue.add(keyOf(set)),
      // What was just written is looked at before anything else happens, as without the time that keys lie here.
      updated: set => queue.addNow(keyOf(set)),
      deleted: set => this.#forget(set),
    });
    watchOwned<Pod, DaemonSet>({
      owned: this.#indexes.pods,
      owners: this.#sets,
      kind: KIND.kind,
      selectorOf: set => set.spec.selector,
      matters: (pod, old) => isReady(pod) !== isReady(old) || isTerminal(pod) !== isTerminal(old),
      wake: key => queue.add(key),
      seen: key => this.#creations.created(key),
      gone: (key, pod) => this.#deletions.deleted(key, keyOf(pod)),
    });
    this.#nodes.on({
      added: node => {
        for (const [key, set] of this.#sets.store) if (judgeNode(set, node).run) queue.add(key);
      },
      updated: (node, old) => {
        if (node.spec !== old.spec || node.metadata.labels !== old.metadata.labels) this.#nodeChanged(node);
      },
    });
  }

  #forget(set: DaemonSet): void {
    const key = keyOf(set);
    this.#creations.forget(key);
    this.#deletions.forget(key);
    this.#revisions.forget(set.metadata.uid);
    for (const name of this.#failures.keys()) if (name.startsWith(`${key}/`)) this.#failures.delete(name);
  }

  /** Wakes the sets that have to act on the node: a pod is missing, or one may not stay. Others see it when they look anyway. */
  #nodeChanged(node: Node): void {
    for (const [key, set] of this.#sets.store) {
      const {run, stay} = judgeNode(set, node);
      const {uid} = set.metadata;
      const has = this.#byTarget.of(`${uid}/${node.metadata.name}`).size > 0;
      if ((run && !has) || (!stay && has)) this.#queue.add(key);
    }
  }

  *#reconcile(key: string): Task<Outcome> {
    const set = this.#sets.get(key);
    if (!set || set.metadata.deletionTimestamp !== undefined) return undefined;
    const {matchLabels = {}, matchExpressions = []} = set.spec.selector;
    if (Object.keys(matchLabels).length === 0 && matchExpressions.length === 0) {
      const message = 'This daemon set is selecting all pods. A non-empty selector is required.';
      this.#context.recorder.record(set, {type: 'Warning', reason: 'SelectingAll', message});
      return undefined;
    }
    const kept = yield* this.#revisions.keep(set, set.spec.selector, set.metadata.annotations);
    if (kept === 'failed') return 'again';
    if (kept === 'collision') return yield* this.#countCollision(set);
    const hash = hashOfRevision(kept.current);
    if (!this.#met(key)) {
      yield* this.#writeStatus(yield* this.#look(set, hash), false);
      return undefined;
    }
    const seen = yield* this.#look(set, hash);
    const presence = this.#withBackoff(key, planPresence(seen));
    let fine = yield* this.#carryOut(key, seen, presence.plan);
    if (fine && this.#met(key) && set.spec.updateStrategy?.type !== 'OnDelete') {
      fine = yield* this.#carryOut(key, seen, planUpdate(this.#seen(set, hash)));
    }
    const alive = new Set([...seen.pods.values()].flat().map(pod => pod.metadata.labels?.[REVISION_HASH] ?? ''));
    yield* this.#revisions.trim(set, kept.old, alive);
    const written = yield* this.#writeStatus(this.#seen(set, hash), true);
    if (!fine || !written) return 'again';
    return presence.afterMs === undefined ? this.#laterLook(seen) : {afterMs: presence.afterMs};
  }

  #met(key: string): boolean {
    return this.#creations.met(key) && this.#deletions.met(key);
  }

  /** Claims the set's pods, and looks. */
  *#look(set: DaemonSet, hash: string): Task<Seen> {
    const own = [...this.#indexes.byController.of(set.metadata.uid).values()];
    const orphans = orphansFor(this.#indexes, set.metadata.namespace ?? '', set.spec.selector);
    const claimed = claim(set, set.spec.selector, [...own, ...orphans]);
    const owned = yield* settleClaim(this.#context.client, claimed, {resource: pods, owner: set, kind: KIND});
    return this.#seen(set, hash, owned);
  }

  #seen(set: DaemonSet, hash: string, owned?: readonly Pod[]): Seen {
    const own = owned ?? [...this.#indexes.byController.of(set.metadata.uid).values()];
    return {set, hash, nodes: [...this.#nodes.store.values()], pods: groupByNode(own), nowMs: this.#context.daemon.wall()};
  }

  /** Pods that fail again and again on a node are replaced ever more slowly. */
  #withBackoff(key: string, plan: DaemonPlan): {readonly plan: DaemonPlan; readonly afterMs: number | undefined} {
    const {recorder, daemon} = this.#context;
    const set = this.#sets.get(key);
    const remove = [...plan.remove];
    let afterMs: number | undefined;
    const tell = (type: 'Normal' | 'Warning', reason: string, {pod, node}: Ended, words: readonly [string, string]): void => {
      const message = `Found ${words[0]} daemon pod ${keyOf(pod)} on node ${node}, will try to ${words[1]} it`;
      if (set) recorder.record(set, {type, reason, message});
      remove.push(pod);
    };
    for (const each of plan.failed) {
      const name = `${key}/${each.node}`;
      const known = this.#failures.get(name) ?? {
        backoff: new Backoff({firstMs: FAILED_FIRST_MS, mostMs: FAILED_MOST_MS}),
        untilMs: 0,
      };
      this.#failures.set(name, known);
      const left = known.untilMs - daemon.clock.now;
      if (left > 0) {
        afterMs = Math.min(afterMs ?? left, left);
        continue;
      }
      known.untilMs = daemon.clock.now + known.backoff.next();
      tell('Warning', 'FailedDaemonPod', each, ['failed', 'kill']);
    }
    for (const each of plan.succeeded) tell('Normal', 'SucceededDaemonPod', each, ['succeeded', 'delete']);
    return {plan: {...plan, remove}, afterMs};
  }

  /** Creates and deletes; false when something failed. */
  *#carryOut(key: string, seen: Seen, plan: DaemonPlan): Task<boolean> {
    if (plan.create.length === 0 && plan.remove.length === 0) return true;
    const names = plan.create.slice(0, BURST);
    const victims = plan.remove.slice(0, BURST);
    const {set, hash} = seen;
    const drafts = this.#drafts(set, hash, names);
    const created = yield* createPods(this.#context, {owner: set, key, expectations: this.#creations}, drafts);
    const removed = yield* removePods(this.#context, {owner: set, key, expectations: this.#deletions}, victims);
    return created.failure === undefined && removed.failure === undefined;
  }

  /** A pod for each of the nodes. */
  #drafts(set: DaemonSet, hash: string, names: readonly string[]): readonly Draft<Pod>[] {
    const {name, namespace = ''} = set.metadata;
    const reference = controllerReference(set, KIND);
    const generation = templateGeneration(set);
    const labels = {...(generation === undefined ? {} : {[GENERATION]: generation}), [REVISION_HASH]: hash};
    const template = daemonTemplate(set.spec.template, labels);
    return names.map(node => podFromTemplate(onNode(template, node), {namespace, owner: name}, reference));
  }

  *#writeStatus(seen: Seen, acted: boolean): Task<boolean> {
    const status = planStatus(seen, acted);
    const {set} = seen;
    const {numberUnavailable: _none, ...old} = set.status ?? {};
    const {numberUnavailable = 0, ...next} = status;
    if (isSameValue(old, next) && (set.status?.numberUnavailable ?? 0) === numberUnavailable) return true;
    const result = yield* this.#context.client.ask(update(daemonsets, {...set, status}, 'status'));
    return result.ok || result.status.code === 404;
  }

  *#countCollision(set: DaemonSet): Task<Outcome> {
    const collisionCount = (set.status?.collisionCount ?? 0) + 1;
    const status = {...planStatus(this.#seen(set, ''), false), collisionCount};
    yield* this.#context.client.ask(update(daemonsets, {...set, status}, 'status'));
    return 'again';
  }

  /** Pods that are ready become available after a while: the one that a node runs, and the one that is to take its place. */
  #laterLook({set, pods}: Seen): Outcome {
    const next = nextAvailableMs(set.spec.minReadySeconds, [...pods.values()].flat(), this.#context.daemon.wall());
    return next === undefined ? undefined : {afterMs: next};
  }
}
