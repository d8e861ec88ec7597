// What the trace keeps of an attempt: enough for a table of every node of a small cluster, and of the best and the first refused
// of a large one.
import type {ScheduleDetail, ScheduleRefusal, ScheduleScores} from '../../../api/wire/scheduling.ts';
import type {Decision} from '../decide.ts';
import type {NodeInfo} from '../state/node-info.ts';
import type {Scores} from '../scoring.ts';

const SMALL_CLUSTER = 32;
const ROWS_OF_LARGE = 8;

/** The detail of a trace entry. */
export function attemptDetail(
  decision: Decision,
  more: {readonly message?: string; readonly nominated?: string | undefined} = {},
): ScheduleDetail {
  const {diagnosis, node, evaluated, feasible, scores} = decision;
  const most = diagnosis.total <= SMALL_CLUSTER ? SMALL_CLUSTER : ROWS_OF_LARGE;
  const refusals = diagnosis.refusals.slice(0, most).map((refusal): ScheduleRefusal => {
    return {node: refusal.node.name, plugin: refusal.plugin, reasons: refusal.verdict.reasons};
  });
  return {
    total: diagnosis.total,
    evaluated,
    feasible,
    refusals,
    reasons: diagnosis.refusals.length > 0 || diagnosis.narrowedBy.length > 0 ? [...diagnosis.reasons()] : [],
    ...(node ? {node: node.name} : {}),
    ...(more.message === undefined ? {} : {message: more.message}),
    ...(more.nominated === undefined ? {} : {nominated: more.nominated}),
    ...(scores ? {scores: scoreTable(scores, node, most)} : {}),
  };
}

function scoreTable(scores: Scores, chosen: NodeInfo | undefined, most: number): ScheduleScores {
  const order = bestOf(scores, most, chosen);
  const rows = order.map(index => ({
    node: scores.nodes[index]?.name ?? '',
    scores: scores.byPlugin.map(each => each.scores[index] ?? 0),
    total: scores.totals[index] ?? 0,
  }));
  return {plugins: scores.byPlugin.map(each => each.plugin), rows};
}

/** The indexes of the highest totals, the chosen node first. */
function bestOf({nodes, totals}: Scores, most: number, chosen: NodeInfo | undefined): readonly number[] {
  const best: number[] = [];
  for (let index = 0; index < nodes.length; index++) {
    if (nodes[index] === chosen) continue;
    const total = totals[index] ?? 0;
    const last = best.at(-1);
    if (best.length >= most - 1 && last !== undefined && (totals[last] ?? 0) >= total) continue;
    let at = best.length;
    while (at > 0 && (totals[best[at - 1] ?? 0] ?? 0) < total) at--;
    best.splice(at, 0, index);
    if (best.length > most - 1) best.pop();
  }
  return chosen ? [nodes.indexOf(chosen), ...best] : best;
}
