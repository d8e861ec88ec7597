// What a scheduling plugin is: a name and those functions that it has something to say in. Plugins are pure: they read the
// cluster state and a pod and answer; what they worked out for one pod (their state) is theirs alone and lives for one decision.
// They never know whether they are watched: the caller of these functions writes down what they said.
//
// In the order in which a pod meets them:
//   preEnqueue   may hold the pod back before it is tried at all
//   preFilter    works out what `filter` needs; may skip the plugin, narrow the nodes, or refuse the pod everywhere
//   filter       refuses one node
//   postFilter   when no node is left: may make room (preemption), or says why it cannot
//   preScore     works out what `score` needs; may skip the plugin
//   score        rates the nodes (all at once: this is the hottest loop there is); `normalize` turns the raw rates of all nodes into 0..100
//   preBind      what must be written, and come true, before the pod may be bound to the node that was decided on
//   worthRetry   when the plugin refused a pod: could this event have changed its mind?
// Reserve, Permit and Bind are not functions of plugins here: a decision is reserved by assuming it, and what `preBind` takes with
// it; no default plugin permits or delays; and the binding is the one request that the loop sends.
import type {Request} from '../../api/wire/http.ts';
import type {Client} from '../../client/client.ts';
import type {Dice} from '../../sim/dice.ts';
import type {Task} from '../../sim/task.ts';
import type {ClusterState, Taking} from './state/cluster-state.ts';
import type {ClusterEvent} from './cluster-event.ts';
import type {Diagnosis} from './diagnosis.ts';
import type {NodeInfo} from './state/node-info.ts';
import type {PodInfo} from './state/pod-info.ts';
import type {Verdict} from './verdict.ts';

export type {Verdict} from './verdict.ts';

/** What a plugin says before filtering. */
export type PreFilter<S> =
  | 'skip'
  | {readonly state: S; /** The only nodes that can do. */ readonly nodes?: ReadonlySet<string>}
  | {readonly refused: Verdict};

/** What a plugin says before scoring; `same`: every node gets this score, already normalised. */
export type PreScore<S> = 'skip' | {readonly same: number} | {readonly state: S};

/** What a plugin says when no node is left. */
export interface PostFilter {
  /** The node on which room is being made. */
  readonly nominated?: string;
  readonly victims?: readonly PodInfo[];
  readonly message: string;
  /** An earlier promise of a node is void. */
  readonly clears?: boolean;
  /** Nobody after this plugin is asked. */
  readonly final?: boolean;
  /** What is written to make room. */
  readonly write?: Request;
}

/** What a plugin sees to before a pod may be bound. */
export interface PreBinding {
  /** What is the pod's from the moment of the decision on, so that no other decision chooses it. */
  readonly takes: ReadonlyMap<string, Omit<Taking, 'uid' | 'node'>>;
  /** Writes, and waits for what is to come true; a text says why it did not. */
  carryOut(errand: Errand): Task<string | undefined>;
  /** The pod is not bound after all: takes back what was written. */
  undo?(client: Client): void;
}

/** With what a PreBinding is carried out. */
export interface Errand {
  readonly client: Client;
  /** Waits until something is heard of the cluster, at most so long. */
  news(mostMs: number): Task;
  /** The pod is gone: nobody waits for this any more. */
  isOver(): boolean;
}

/** What all functions of plugins get. */
export interface Context {
  readonly cluster: ClusterState;
  readonly pod: PodInfo;
}

/** A failed attempt, as postFilter sees it. */
export interface Failure extends Context {
  readonly profile: Profile;
  readonly diagnosis: Diagnosis;
  readonly dice: Dice;
}

/** A plugin; all functions are optional. */
export interface Plugin<F = unknown, S = unknown> {
  readonly name: string;
  preEnqueue?(context: Context): string | undefined;
  preFilter?(context: Context): PreFilter<F>;
  filter?(state: F, pod: PodInfo, node: NodeInfo): Verdict | undefined;
  /** A copy of the state, to try on what a pod more or less would do. */
  copyState?(state: F): F;
  /** Another pod comes to a node (1) or leaves it (-1). */
  adjust?(state: F, pod: PodInfo, change: {readonly other: PodInfo; readonly node: NodeInfo; readonly by: 1 | -1}): void;
  postFilter?(failure: Failure): PostFilter;
  preScore?(context: Context, nodes: readonly NodeInfo[]): PreScore<S>;
  /** Rates every node into `scores`, which has its place for each. */
  score?(state: S, pod: PodInfo, nodes: readonly NodeInfo[], scores: Float64Array): void;
  normalize?(state: S, scores: Float64Array, nodes: readonly NodeInfo[]): void;
  preBind?(context: Context, node: NodeInfo): PreBinding | undefined;
  worthRetry?(event: ClusterEvent, pod: PodInfo, cluster: ClusterState): boolean;
}

/** A plugin that scores, and how much it weighs. */
export interface Scorer {
  readonly plugin: Plugin;
  readonly weight: number;
}

/** The plugins of one schedulerName by what they do. */
export interface Profile {
  readonly schedulerName: string;
  readonly preEnqueue: readonly Plugin[];
  readonly filters: readonly Plugin[];
  readonly postFilters: readonly Plugin[];
  readonly scorers: readonly Scorer[];
  readonly preBinders: readonly Plugin[];
  /** All of them by name. */
  readonly plugins: ReadonlyMap<string, Plugin>;
  /** The share of nodes that is enough to choose among; 0 lets their number decide. */
  readonly percentage: number;
}

/** How high a normalised score goes. */
export const HIGHEST_SCORE = 100;

/** Stretches scores so that the highest becomes 100; `reverse` makes the highest the worst. */
export function stretch(scores: Float64Array, reverse: boolean): void {
  let highest = 0;
  for (const score of scores) if (score > highest) highest = score;
  for (let i = 0; i < scores.length; i++) {
    const score = highest === 0 ? 0 : Math.floor((HIGHEST_SCORE * (scores[i] ?? 0)) / highest);
    scores[i] = reverse ? HIGHEST_SCORE - score : score;
  }
}
