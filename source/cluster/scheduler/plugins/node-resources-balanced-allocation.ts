// Balance: a node is liked better when its resources would be used in equal shares. The score is 100 less the standard deviation
// of the shares. Pods that ask for nothing tip no balance and are not scored.
import {HIGHEST_SCORE, type Plugin} from '../framework.ts';
import {ALLOCATABLE_CPU, ALLOCATABLE_MEMORY, REQUESTED_CPU, REQUESTED_MEMORY} from '../state/ledger.ts';
import type {NodeInfo} from '../state/node-info.ts';
import type {PodInfo} from '../state/pod-info.ts';
import type {PluginArguments} from './arguments.ts';

const CPU_AND_MEMORY: readonly string[] = ['cpu', 'memory'];

/** NodeResourcesBalancedAllocation over its resources (CPU and memory by default). */
export function nodeResourcesBalancedAllocation(args: PluginArguments): Plugin<undefined, readonly string[]> {
  const given = (args['resources'] ?? [{name: 'cpu'}, {name: 'memory'}]) as readonly {readonly name: string}[];
  const names = given.map(({name}) => name);
  const resources = names.join() === CPU_AND_MEMORY.join() ? CPU_AND_MEMORY : names;
  return {
    name: 'NodeResourcesBalancedAllocation',
    preScore: ({pod}) => (pod.shape.requests.isEmpty ? 'skip' : {state: resources}),
    score(names, pod, nodes, scores) {
      if (names === CPU_AND_MEMORY) rateTwo(pod, nodes, scores);
      else for (const [index, node] of nodes.entries()) scores[index] = rateMany(names, pod, node);
    },
  };
}

function rateMany(names: readonly string[], pod: PodInfo, node: NodeInfo): number {
  const shares: number[] = [];
  for (const name of names) {
    const capacity = node.facts.allocatable.of(name);
    if (capacity > 0) shares.push(Math.min(1, (node.requested.of(name) + pod.shape.requests.of(name)) / capacity));
  }
  return Math.trunc((1 - deviation(shares)) * HIGHEST_SCORE);
}

/** The usual case without lists: this runs for each candidate node of each pod. */
function rateTwo({shape}: PodInfo, nodes: readonly NodeInfo[], scores: Float64Array): void {
  const {requests} = shape;
  for (let i = 0; i < nodes.length; i++) {
    const {ledger, row} = nodes[i] as NodeInfo;
    const cpu = ledger.read(row, ALLOCATABLE_CPU);
    const memory = ledger.read(row, ALLOCATABLE_MEMORY);
    const cpuShare = Math.min(1, (ledger.read(row, REQUESTED_CPU) + requests.cpu) / cpu);
    const memoryShare = Math.min(1, (ledger.read(row, REQUESTED_MEMORY) + requests.memory) / memory);
    const deviation = cpu === 0 || memory === 0 ? 0 : Math.abs(cpuShare - memoryShare) / 2;
    scores[i] = Math.trunc((1 - deviation) * HIGHEST_SCORE);
  }
}

function deviation(shares: readonly number[]): number {
  const [first = 0, second = 0] = shares;
  if (shares.length < 2) return 0;
  if (shares.length === 2) return Math.abs(first - second) / 2;
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return Math.sqrt(shares.reduce((sum, share) => sum + (share - mean) * (share - mean), 0) / shares.length);
}
