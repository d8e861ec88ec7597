// Balance: a node is liked better when its resources would be used in equal shares. The score is 100 less the standard deviation
// of the shares. Pods that ask for nothing tip no balance and are not scored.
import {HIGHEST_SCORE, type Plugin} from '../framework.ts';
import type {PluginArguments} from './arguments.ts';

/** NodeResourcesBalancedAllocation over its resources (CPU and memory by default). */
export function nodeResourcesBalancedAllocation(args: PluginArguments): Plugin<undefined, readonly string[]> {
  const given = (args['resources'] ?? [{name: 'cpu'}, {name: 'memory'}]) as readonly {readonly name: string}[];
  const resources = given.map(({name}) => name);
  return {
    name: 'NodeResourcesBalancedAllocation',
    preScore: ({pod}) => (pod.shape.requests.isEmpty ? 'skip' : {state: resources}),
    score(names, pod, node) {
      const shares: number[] = [];
      for (const name of names) {
        const capacity = node.facts.allocatable.of(name);
        if (capacity > 0) shares.push(Math.min(1, (node.requested.of(name) + pod.shape.requests.of(name)) / capacity));
      }
      return Math.trunc((1 - deviation(shares)) * HIGHEST_SCORE);
    },
  };
}

function deviation(shares: readonly number[]): number {
  const [first = 0, second = 0] = shares;
  if (shares.length < 2) return 0;
  if (shares.length === 2) return Math.abs(first - second) / 2;
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return Math.sqrt(shares.reduce((sum, share) => sum + (share - mean) * (share - mean), 0) / shares.length);
}
