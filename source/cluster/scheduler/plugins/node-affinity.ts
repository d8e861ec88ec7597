// nodeSelector and node affinity: required rules refuse nodes, preferred ones add their weight to those that they fit. A pod
// whose every required term names its nodes (a DaemonSet's) is looked at on these alone.
import {stretch, type Plugin, type Verdict} from '../framework.ts';
import type {NodeFacts} from '../state/node-facts.ts';
import type {NodeMatcher, NodePreference} from '../../../api/meta/node-selector.ts';

const REFUSED: Verdict = {code: 'unresolvable', reasons: ["node(s) didn't match Pod's node affinity/selector"]};
const CONFLICT: Verdict = {code: 'unresolvable', reasons: ['pod affinity terms conflict']};

export const nodeAffinity: Plugin<NodeMatcher, readonly NodePreference[]> = {
  name: 'NodeAffinity',
  preFilter({pod}) {
    const {nodeMatcher} = pod.shape;
    if (!nodeMatcher) return 'skip';
    const {names} = nodeMatcher;
    if (!names) return {state: nodeMatcher};
    return names.size === 0 ? {refused: CONFLICT} : {state: nodeMatcher, nodes: names};
  },
  filter: (matcher, _pod, node) => (matcher.matches(node.labels, node.name) ? undefined : REFUSED),
  preScore({pod}) {
    const {preferences} = pod.shape;
    return preferences.length === 0 ? 'skip' : {state: preferences};
  },
  score(preferences, _pod, nodes, scores) {
    for (const [index, node] of nodes.entries()) {
      let sum = 0;
      for (const preference of preferences) if (preference.matches(node.labels, node.name)) sum += preference.weight;
      scores[index] = sum;
    }
  },
  normalize: (_state, scores) => stretch(scores, false),
  worthRetry(event, {shape}) {
    if (event.about !== 'node' || !event.after || !accepts(shape.nodeMatcher, event.after)) return false;
    return !event.before || !accepts(shape.nodeMatcher, event.before);
  },
};

function accepts(matcher: NodeMatcher | undefined, facts: NodeFacts): boolean {
  return !matcher || matcher.matches(facts.labels, facts.name);
}
