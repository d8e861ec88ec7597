// Scoring: each plugin rates each node that passed, its rates are normalised, weighed and summed up.
import type {Context, Profile} from './framework.ts';
import type {NodeInfo} from './state/node-info.ts';

/** The scores of a decision. `byPlugin` holds weighted scores in the order of `nodes`; all of it is only good until the next one. */
export interface Scores {
  readonly nodes: readonly NodeInfo[];
  readonly totals: Float64Array;
  readonly byPlugin: readonly {readonly plugin: string; readonly scores: Float64Array}[];
}

/** Blank rows for scores, used again for each decision. */
export class Desk {
  readonly #rows: Float64Array[] = [];

  blank(index: number, length: number): Float64Array {
    let row = this.#rows[index];
    if (!row || row.length < length) {
      row = new Float64Array(Math.max(64, length * 2));
      this.#rows[index] = row;
    }
    return row.subarray(0, length);
  }
}

/** Rates the nodes. */
export function scoreNodes(
  profile: Profile,
  context: Context,
  {nodes, desk}: {readonly nodes: readonly NodeInfo[]; readonly desk: Desk},
): Scores {
  const {pod} = context;
  const count = nodes.length;
  const totals = desk.blank(0, count);
  totals.fill(0);
  let base = 0;
  const byPlugin: {plugin: string; scores: Float64Array}[] = [];
  for (const {plugin, weight} of profile.scorers) {
    const outcome = plugin.preScore ? plugin.preScore(context, nodes) : {state: context};
    if (outcome === 'skip' || !plugin.score) continue;
    const scores = desk.blank(byPlugin.length + 1, count);
    byPlugin.push({plugin: plugin.name, scores});
    if ('same' in outcome) {
      scores.fill(outcome.same * weight);
      base += outcome.same * weight;
      continue;
    }
    const {state} = outcome;
    plugin.score(state, pod, nodes, scores);
    plugin.normalize?.(state, scores, nodes);
    addWeighed(totals, scores, weight);
  }
  for (let i = 0; i < count; i++) totals[i] = (totals[i] as number) + base;
  return {nodes, totals, byPlugin};
}

function addWeighed(totals: Float64Array, scores: Float64Array, weight: number): void {
  for (let i = 0; i < scores.length; i++) {
    const weighed = (scores[i] as number) * weight;
    scores[i] = weighed;
    totals[i] = (totals[i] as number) + weighed;
  }
}
