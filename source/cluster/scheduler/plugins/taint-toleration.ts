// Taints NoSchedule and NoExecute keep pods away that do not tolerate them; each PreferNoSchedule taint that is not tolerated
// makes a node less liked, in proportion to the node with the most of them.
import type {Toleration} from '../../../api/kinds/core-v1.ts';
import {HIGHEST_SCORE, stretch, type Plugin, type Verdict} from '../framework.ts';
import {HARD_TAINTS} from '../state/ledger.ts';
import {toleratesTaint, untolerated} from '../../../api/meta/taints.ts';

const REFUSED: Verdict = {code: 'unresolvable', reasons: ['node(s) had untolerated taint(s)']};

export const taintToleration: Plugin<undefined, readonly Toleration[]> = {
  name: 'TaintToleration',
  filter(_state, pod, node) {
    if (node.ledger.read(node.row, HARD_TAINTS) === 0) return undefined;
    return untolerated(node.facts.hardTaints, pod.shape.tolerations) ? REFUSED : undefined;
  },
  preScore({cluster, pod}) {
    if (cluster.softlyTainted === 0) return {same: HIGHEST_SCORE};
    return {state: pod.shape.tolerations.filter(({effect}) => !effect || effect === 'PreferNoSchedule')};
  },
  score(tolerations, _pod, nodes, scores) {
    for (const [index, {facts}] of nodes.entries()) {
      scores[index] = facts.softTaints.filter(taint => !tolerations.some(toleration => toleratesTaint(toleration, taint))).length;
    }
  },
  normalize: (_state, scores) => stretch(scores, true),
  worthRetry(event, {shape}) {
    if (event.about === 'itself')
      return JSON.stringify(event.before.shape.tolerations) !== JSON.stringify(event.after.shape.tolerations);
    if (event.about !== 'node' || !event.after || untolerated(event.after.hardTaints, shape.tolerations)) return false;
    return !event.before || untolerated(event.before.hardTaints, shape.tolerations) !== undefined;
  },
};
