// Resources: the requests of all pods on a node must fit into what it can give; usage and limits do not matter. A node lists all
// resources that do not suffice. One that could not hold the pod even if it were empty is no place for preemption.
//
// The score is the share that is left (LeastAllocated), the share that is used (MostAllocated), or a curve over it
// (RequestedToCapacityRatio), each a weighted mean over resources in whole numbers. Containers without requests count there with
// 100m and 200Mi, so that many pods which ask for nothing do not all go to one node.
import {HIGHEST_SCORE, type Plugin, type Verdict} from '../framework.ts';
import {
  ALLOCATABLE_CPU,
  ALLOCATABLE_MEMORY,
  ASSUMED_CPU,
  ASSUMED_MEMORY,
  FREE_PODS,
  REQUESTED_CPU,
  REQUESTED_MEMORY,
} from '../state/ledger.ts';
import type {NodeFacts} from '../state/node-facts.ts';
import type {NodeInfo} from '../state/node-info.ts';
import type {PodInfo} from '../state/pod-info.ts';
import type {Resources} from '../state/resources.ts';
import type {PluginArguments} from './arguments.ts';

/** How a share of what a node has becomes a score. */
export type ShareScore = (requested: number, capacity: number) => number;

interface Strategy {
  readonly resources: readonly {readonly name: string; readonly weight: number}[];
  readonly rate: ShareScore;
  /** The curve rounds its mean and leaves out resources that score nothing; the others cut fractions off. */
  readonly curved: boolean;
  /** The default, for which there is a short way. */
  readonly plain?: boolean;
}

/** NodeResourcesFit with its scoring strategy. */
export function nodeResourcesFit(args: PluginArguments): Plugin<Resources, Strategy> {
  const strategy = strategyOf(args);
  const ignores = ignoredBy(args);
  return {
    name: 'NodeResourcesFit',
    preFilter: ({pod}) => ({state: pod.shape.requests}),
    filter: (requests, _pod, node) => insufficient(requests, node, ignores),
    preScore: () => ({state: strategy}),
    score: rate,
    worthRetry(event, pod) {
      if (event.about === 'itself') return shrank(event.before, event.after);
      if (event.about === 'placed') return event.before !== undefined && (!event.after || shrank(event.before, event.after));
      if (event.about !== 'node' || !event.after || !fitsEmpty(pod.shape.requests, event.after, ignores)) return false;
      return !event.before || grew(pod.shape.requests, event.before, event.after);
    },
  };
}

const verdicts = new Map<string, Verdict>();

/** Equal refusals are one object: a thousand full nodes need one. */
function verdictOf(reasons: readonly string[], code: Verdict['code']): Verdict {
  const key = `${code} ${reasons.join()}`;
  const known = verdicts.get(key);
  if (known) return known;
  const made = {code, reasons};
  verdicts.set(key, made);
  return made;
}

/** Extended resources that somebody else, an extender, sees to: named, or by their group. */
type Ignores = (resource: string) => boolean;

function ignoredBy(args: PluginArguments): Ignores | undefined {
  const names = new Set((args['ignoredResources'] ?? []) as readonly string[]);
  const groups = new Set((args['ignoredResourceGroups'] ?? []) as readonly string[]);
  if (names.size + groups.size === 0) return undefined;
  return resource => names.has(resource) || groups.has(resource.slice(0, Math.max(0, resource.indexOf('/'))));
}

function insufficient(requests: Resources, node: NodeInfo, ignores: Ignores | undefined): Verdict | undefined {
  const {ledger, row} = node;
  const {cpu, memory} = requests;
  if (
    ledger.read(row, FREE_PODS) > 0 &&
    (cpu === 0 || ledger.read(row, REQUESTED_CPU) + cpu <= ledger.read(row, ALLOCATABLE_CPU)) &&
    (memory === 0 || ledger.read(row, REQUESTED_MEMORY) + memory <= ledger.read(row, ALLOCATABLE_MEMORY)) &&
    requests.storage === 0 &&
    !requests.others
  ) {
    return undefined;
  }
  return shortages(requests, node, ignores);
}

/** Everything that a node is short of; undefined when that is nothing. */
function shortages(requests: Resources, node: NodeInfo, ignores: Ignores | undefined): Verdict | undefined {
  const {facts} = node;
  const names = namesOf(requests, ignores);
  const short = names.filter(name => requests.of(name) > facts.allocatable.of(name) - node.requested.of(name));
  const reasons = node.pods.size + 1 > facts.allowedPods ? ['Too many pods', ...short] : short;
  if (reasons.length === 0) return undefined;
  const hopeless = names.some(name => requests.of(name) > facts.allocatable.of(name));
  return verdictOf(
    reasons.map(reason => (reason === 'Too many pods' ? reason : `Insufficient ${reason}`)),
    hopeless ? 'unresolvable' : 'resolvable',
  );
}

/** The resources that are asked for. */
function namesOf(requests: Resources, ignores?: Ignores): readonly string[] {
  const names = ['cpu', 'memory', 'ephemeral-storage', ...(requests.others?.keys() ?? [])];
  return names.filter(name => requests.of(name) > 0 && ignores?.(name) !== true);
}

function fitsEmpty(requests: Resources, facts: NodeFacts, ignores: Ignores | undefined): boolean {
  return facts.allowedPods > 0 && namesOf(requests, ignores).every(name => requests.of(name) <= facts.allocatable.of(name));
}

function grew(requests: Resources, before: NodeFacts, after: NodeFacts): boolean {
  return (
    after.allowedPods > before.allowedPods ||
    namesOf(requests).some(name => after.allocatable.of(name) > before.allocatable.of(name))
  );
}

function shrank(before: PodInfo, after: PodInfo): boolean {
  if (before.shape === after.shape) return false;
  return namesOf(before.shape.requests).some(name => after.shape.requests.of(name) < before.shape.requests.of(name));
}

function rate(strategy: Strategy, pod: PodInfo, nodes: readonly NodeInfo[], scores: Float64Array): void {
  if (strategy.plain) rateTwo(pod, nodes, scores);
  else for (const [index, node] of nodes.entries()) scores[index] = rateMany(strategy, pod, node);
}

function rateMany({resources, rate, curved}: Strategy, pod: PodInfo, node: NodeInfo): number {
  let sum = 0;
  let weights = 0;
  for (const {name, weight} of resources) {
    const capacity = node.facts.allocatable.of(name);
    if (capacity === 0) continue;
    const score = rate(node.assumed.of(name) + pod.shape.assumed.of(name), capacity);
    if (curved && score === 0) continue;
    sum += weight * score;
    weights += weight;
  }
  if (weights === 0) return 0;
  return curved ? Math.round(sum / weights) : Math.floor(sum / weights);
}

/** LeastAllocated over CPU and memory in equal weight, as is the default: without a call for each resource of each node. */
function rateTwo({shape}: PodInfo, nodes: readonly NodeInfo[], scores: Float64Array): void {
  const more = shape.assumed;
  for (let i = 0; i < nodes.length; i++) {
    const {ledger, row} = nodes[i] as NodeInfo;
    const cpu = ledger.read(row, ALLOCATABLE_CPU);
    const memory = ledger.read(row, ALLOCATABLE_MEMORY);
    const sum =
      leastAllocated(ledger.read(row, ASSUMED_CPU) + more.cpu, cpu) +
      leastAllocated(ledger.read(row, ASSUMED_MEMORY) + more.memory, memory);
    scores[i] = cpu === 0 || memory === 0 ? sum : Math.floor(sum / 2);
  }
}

const leastAllocated: ShareScore = (requested, capacity) =>
  requested > capacity || capacity === 0 ? 0 : Math.floor(((capacity - requested) * HIGHEST_SCORE) / capacity);

const mostAllocated: ShareScore = (requested, capacity) => Math.floor((Math.min(requested, capacity) * HIGHEST_SCORE) / capacity);

interface StrategyArguments {
  readonly type?: string;
  readonly resources?: readonly {readonly name: string; readonly weight?: number}[];
  readonly requestedToCapacityRatio?: {readonly shape?: readonly {readonly utilization: number; readonly score: number}[]};
}

function strategyOf(args: PluginArguments): Strategy {
  const given = (args['scoringStrategy'] ?? {}) as StrategyArguments;
  const resources = (given.resources ?? [{name: 'cpu'}, {name: 'memory'}]).map(({name, weight}) => ({name, weight: weight ?? 1}));
  if (given.type === 'MostAllocated') return {resources, rate: mostAllocated, curved: false};
  if (given.type === 'RequestedToCapacityRatio')
    return {resources, rate: curve(given.requestedToCapacityRatio?.shape ?? []), curved: true};
  const plain = resources.map(({name, weight}) => `${name}${weight}`).join() === 'cpu1,memory1';
  return {resources, rate: leastAllocated, curved: false, plain};
}

/** A line through points of (utilisation in percent, score 0..10), as a score 0..100. */
function curve(points: readonly {readonly utilization: number; readonly score: number}[]): ShareScore {
  return (requested, capacity) => {
    const used = requested > capacity ? 100 : Math.floor((requested * 100) / capacity);
    let before = points[0];
    for (const point of points) {
      if (used <= point.utilization) {
        if (!before || point === points[0]) return point.score * 10;
        const slope =
          ((point.score - before.score) * 10 * (used - before.utilization)) / (point.utilization - before.utilization);
        return before.score * 10 + Math.trunc(slope);
      }
      before = point;
    }
    return (before?.score ?? 0) * 10;
  };
}
