// Spreading: pods that fit a selector are to stand evenly in the domains of a node label (hosts, zones).
//
// DoNotSchedule refuses a node when its domain would have more than `maxSkew` pods above the emptiest domain. Domains are those
// of nodes that the pod could go to by its node affinity (nodeAffinityPolicy) and, if asked (nodeTaintsPolicy), by its
// tolerations; so a full or cordoned zone still counts as empty by default. Fewer domains than `minDomains` make the emptiest 0.
//
//     zone a: 2 pods, b: 2, c (cordoned): 0, maxSkew 1 → one more in a would be 3 against 0: refused, as in b
//
// ScheduleAnyway only scores: fewer pods in the domain is better. A constraint counts more the more domains it has (by the
// logarithm of their number), since one pod among few zones says more than one among many hosts. Pods without constraints
// that a Service or an owner selects get two soft ones: hosts with skew 3, zones with skew 5.
import type {Plugin} from '../framework.ts';
import type {PluginArguments} from './arguments.ts';
import {prepareHard, judgeHard, retryHard, type HardState} from './spread-hard.ts';
import {defaultSpread} from './spread-defaults.ts';
import {normalizeSoft, prepareSoft, scoreSoft, type SoftState} from './spread-soft.ts';

/** PodTopologySpread; its arguments may replace or switch off the default constraints. */
export function podTopologySpread(args: PluginArguments): Plugin<HardState, SoftState> {
  const defaults = defaultSpread(args);
  return {
    name: 'PodTopologySpread',
    preFilter(context) {
      const {shape} = context.pod;
      const constraints = shape.hasSpread ? shape.hardSpread : defaults.constraints(context, 'DoNotSchedule');
      return constraints.length === 0 ? 'skip' : {state: prepareHard(constraints, context)};
    },
    filter: judgeHard,
    copyState: state => ({...state, rules: state.rules.map(rule => ({...rule, counts: new Map(rule.counts), least: undefined}))}),
    adjust: adjustHard,
    preScore(context, nodes) {
      const {shape} = context.pod;
      const constraints = shape.hasSpread ? shape.softSpread : defaults.constraints(context, 'ScheduleAnyway');
      if (constraints.length === 0) return 'skip';
      return {state: prepareSoft(constraints, context, {nodes, allKeys: shape.hasSpread || !defaults.system})};
    },
    score: scoreSoft,
    normalize: normalizeSoft,
    worthRetry: retryHard,
  };
}

function adjustHard(
  state: HardState,
  pod: Parameters<typeof judgeHard>[1],
  change: {readonly other: typeof pod; readonly node: Parameters<typeof judgeHard>[2]; readonly by: 1 | -1},
): void {
  const {other, node, by} = change;
  for (const rule of state.rules) {
    const domain = node.domain(rule.topologyKey);
    if (domain === undefined || other.namespace !== pod.namespace || other.labels.terminating) continue;
    if (!rule.includes(node) || !rule.matches(other.labels.labels)) continue;
    // States that are adjusted were copied, and their counts with them.
    (rule.counts as Map<string, number>).set(domain, (rule.counts.get(domain) ?? 0) + by);
    rule.least = undefined;
  }
}
