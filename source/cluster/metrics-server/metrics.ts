// Measurements as objects of metrics.k8s.io/v1beta1.
import type {Node, Pod} from '../../api/kinds/core-v1.ts';
import {canonicalQuantity, formatUnits} from '../../api/meta/quantity.ts';
import {formatTime} from '../../api/meta/time.ts';
import type {PodUsage, Usage} from '../../api/wire/kubelet.ts';
import type {Scrape} from './scraper.ts';

interface Measured {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly creationTimestamp: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly timestamp: string;
  readonly window: string;
}

interface Amounts {
  readonly cpu: string;
  readonly memory: string;
}

export interface NodeMetrics extends Measured {
  readonly kind: 'NodeMetrics';
  readonly apiVersion: typeof API_VERSION;
  readonly usage: Amounts;
}

export interface PodMetrics extends Measured {
  readonly kind: 'PodMetrics';
  readonly apiVersion: typeof API_VERSION;
  readonly containers: readonly {readonly name: string; readonly usage: Amounts}[];
}

export const API_VERSION = 'metrics.k8s.io/v1beta1';
const WINDOW = '15s';
const PAGE_BYTES = 4096;

/** The metrics of a node; undefined when it was not measured. */
export function nodeMetrics(node: Node, scrape: Scrape): NodeMetrics | undefined {
  const summary = scrape.nodes.get(node.metadata.name);
  if (!summary) return undefined;
  return {kind: 'NodeMetrics', apiVersion: API_VERSION, ...measured(node, scrape), usage: amounts(summary.node)};
}

/** The metrics of a pod; undefined when it was not measured, as in its first seconds. */
export function podMetrics(pod: Pod, scrape: Scrape, usages: ReadonlyMap<string, PodUsage>): PodMetrics | undefined {
  const usage = usages.get(pod.metadata.uid);
  if (!usage || usage.startedAt >= scrape.wall || usage.containers.length === 0) return undefined;
  const containers = usage.containers.map(container => ({name: container.name, usage: amounts(container)}));
  return {kind: 'PodMetrics', apiVersion: API_VERSION, ...measured(pod, scrape), containers};
}

/** The pods' measurements by uid. */
export function podUsages(scrape: Scrape): ReadonlyMap<string, PodUsage> {
  return new Map([...scrape.nodes.values()].flatMap(summary => summary.pods.map(pod => [pod.uid, pod] as const)));
}

function measured({metadata}: Node | Pod, scrape: Scrape): Measured {
  const {name, namespace, labels} = metadata;
  const time = formatTime(scrape.wall);
  return {
    metadata: {name, ...(namespace ? {namespace} : {}), creationTimestamp: time, ...(labels ? {labels} : {})},
    timestamp: time,
    window: WINDOW,
  };
}

/** CPU in billionths of a core, memory in whole pages. */
function amounts({cpuCores, memoryBytes}: Pick<Usage, 'cpuCores' | 'memoryBytes'>): Amounts {
  const nanos = Math.round(cpuCores * 1_000_000_000);
  const bytes = Math.ceil(memoryBytes / PAGE_BYTES) * PAGE_BYTES;
  return {cpu: canonicalQuantity(`${nanos}n`), memory: formatUnits(bytes, 'BinarySI')};
}
