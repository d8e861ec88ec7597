// Scoring: each plugin rates each node that passed, its rates are normalised, weighed and summed up.
import type {Context, Profile} from './framework.ts';
import type {NodeInfo} from './node-info.ts';

/** The scores of a decision. `byPlugin` holds weighted scores in the order of `nodes`. */
export interface Scores {
  readonly nodes: readonly NodeInfo[];
  readonly totals: Float64Array;
  readonly byPlugin: readonly {readonly plugin: string; readonly scores: Float64Array}[];
}

/** Rates the nodes. */
export function scoreNodes(profile: Profile, context: Context, nodes: readonly NodeInfo[]): Scores {
  const {pod} = context;
  const count = nodes.length;
  const totals = new Float64Array(count);
  const byPlugin: {plugin: string; scores: Float64Array}[] = [];
  for (const {plugin, weight} of profile.scorers) {
    const outcome = plugin.preScore ? plugin.preScore(context, nodes) : {state: context};
    if (outcome === 'skip' || !plugin.score) continue;
    const {state} = outcome;
    const scores = new Float64Array(count);
    for (let i = 0; i < count; i++) scores[i] = plugin.score(state, pod, nodes[i] as NodeInfo);
    plugin.normalize?.(state, scores, nodes);
    for (let i = 0; i < count; i++) {
      const weighed = (scores[i] ?? 0) * weight;
      scores[i] = weighed;
      totals[i] = (totals[i] ?? 0) + weighed;
    }
    byPlugin.push({plugin: plugin.name, scores});
  }
  return {nodes, totals, byPlugin};
}
