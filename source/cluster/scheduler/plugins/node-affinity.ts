// nodeSelector and node affinity: required rules refuse nodes, preferred ones add their weight to those that they fit. A pod
// whose every required term names its nodes (a DaemonSet's) is looked at on these alone.
import type {NodeAffinity} from '../../../api/kinds/core-v1.ts';
import {compilePreferences, compileTerms, type NodeMatcher, type NodePreference} from '../../../api/meta/node-selector.ts';
import type {Labels} from '../../../api/meta/selector.ts';
import {stretch, type Plugin, type Verdict} from '../framework.ts';
import type {NodeFacts} from '../state/node-facts.ts';
import type {PluginArguments} from './arguments.ts';

const REFUSED: Verdict = {code: 'unresolvable', reasons: ["node(s) didn't match Pod's node affinity/selector"]};
const ENFORCED: Verdict = {code: 'unresolvable', reasons: ["node(s) didn't match scheduler-enforced node affinity"]};
const CONFLICT: Verdict = {code: 'unresolvable', reasons: ['pod affinity terms conflict']};

/** What the scheduler's own configuration asks of the nodes of all its pods. */
interface Added {
  readonly required: ((labels: Labels, name: string) => boolean) | undefined;
  readonly preferences: readonly NodePreference[];
}

/** NodeAffinity; `addedAffinity` holds for every pod, beside its own. */
export function nodeAffinity(args: PluginArguments): Plugin<NodeMatcher | undefined, readonly NodePreference[]> {
  const {required, preferences: added} = addedOf(args['addedAffinity'] as NodeAffinity | undefined);
  return {
    name: 'NodeAffinity',
    preFilter({pod}) {
      const {nodeMatcher} = pod.shape;
      if (!nodeMatcher) return required ? {state: undefined} : 'skip';
      const {names} = nodeMatcher;
      if (!names) return {state: nodeMatcher};
      return names.size === 0 ? {refused: CONFLICT} : {state: nodeMatcher, nodes: names};
    },
    filter(matcher, _pod, node) {
      if (required && !required(node.labels, node.name)) return ENFORCED;
      return !matcher || matcher.matches(node.labels, node.name) ? undefined : REFUSED;
    },
    preScore({pod}) {
      const {preferences} = pod.shape;
      if (preferences.length + added.length === 0) return 'skip';
      return {state: added.length === 0 ? preferences : [...added, ...preferences]};
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
      const isGood = (facts: NodeFacts) => (!required || required(facts.labels, facts.name)) && accepts(shape.nodeMatcher, facts);
      if (event.about !== 'node' || !event.after || !isGood(event.after)) return false;
      return !event.before || !isGood(event.before);
    },
  };
}

function addedOf(affinity: NodeAffinity | undefined): Added {
  const terms = affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return {
    required: terms && compileTerms(terms),
    preferences: compilePreferences(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []),
  };
}

function accepts(matcher: NodeMatcher | undefined, facts: NodeFacts): boolean {
  return !matcher || matcher.matches(facts.labels, facts.name);
}
