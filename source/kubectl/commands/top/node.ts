// `kubectl top node`: what nodes use, and how much of what they have.
import type {Node} from '../../../api/kinds/core-v1.ts';
import {milliValue, unitValue} from '../../../api/meta/quantity.ts';
import {fail, Failure, failUsage} from '../../failure.ts';
import {tableText} from './rows.ts';
import type {Session} from '../../session.ts';
import {COMMON_FLAGS, type Command, type Outcome} from '../command.ts';
import {askMetrics, wantedProblem, cpuText, memoryText, type NodeMetrics, type Usage} from './metrics.ts';

export const topNode: Command = {
  path: 'kubectl top node',
  short: 'Show what nodes use',
  examples: ['kubectl top node', 'kubectl top node node-1', 'kubectl top node --sort-by=memory'],
  does: [...COMMON_FLAGS, 'no-headers', 'selector', 'show-capacity', 'show-swap', 'sort-by', 'use-protocol-buffers'],
  run,
};

async function run(session: Session): Promise<Outcome> {
  const {flags, args} = session;
  if (args.length > 1) return failUsage('kubectl top node', 'node [NAME | -l label]');
  if (args.length === 1 && flags.text('selector') !== '') return fail('only one of NAME or --selector can be provided');
  const sortBy = flags.text('sort-by');
  if (!['', 'cpu', 'memory', 'swap'].includes(sortBy)) return fail('--sort-by accepts only cpu or memory');
  const wrong = wantedProblem(session);
  if (wrong) return wrong;
  const [name] = args;
  const query: Record<string, string> = flags.text('selector') === '' ? {} : {labelSelector: flags.text('selector')};
  const metrics = await askMetrics<NodeMetrics>(session, name === undefined ? '/nodes' : `/nodes/${name}`, query);
  if (metrics instanceof Failure) return metrics;
  if (metrics.length === 0) return fail('metrics not available yet');
  const nodes = await nodesOf(session, name, query);
  if (nodes instanceof Failure) return nodes;
  await session.out(tableText(rowsOf(session, metrics, nodes)));
  return undefined;
}

async function nodesOf(
  session: Session,
  name: string | undefined,
  query: Readonly<Record<string, string>>,
): Promise<readonly Node[] | Failure> {
  const api = session.api();
  if (api instanceof Failure) return api;
  const answer = await api.ask<{items?: readonly Node[]}>({
    method: 'GET',
    path: name === undefined ? '/api/v1/nodes' : `/api/v1/nodes/${name}`,
    query,
  });
  return answer instanceof Failure ? answer : (answer.items ?? [answer as unknown as Node]);
}

function rowsOf({flags}: Session, metrics: readonly NodeMetrics[], nodes: readonly Node[]): string[][] {
  const order = flags.text('sort-by');
  const amount = ({usage}: NodeMetrics) => (order === 'cpu' ? milliValue(usage['cpu']) : unitValue(usage['memory']));
  const sorted = metrics.toSorted(
    (a, b) => (order === '' ? 0 : amount(b) - amount(a)) || (a.metadata.name < b.metadata.name ? -1 : 1),
  );
  const rows = sorted.map(({metadata, usage}) => {
    const node = nodes.find(one => one.metadata.name === metadata.name);
    const has = flags.on('show-capacity') ? node?.status?.capacity : node?.status?.allocatable;
    const cpu = percent(milliValue(usage['cpu']), milliValue(has?.['cpu']));
    const memory = percent(unitValue(usage['memory']), unitValue(has?.['memory']));
    const swap = flags.on('show-swap') ? swapOf(usage, node) : [];
    return [metadata.name, cpuText(usage['cpu']), cpu, memoryText(usage['memory']), memory, ...swap];
  });
  const unknown = nodes.filter(node => !metrics.some(({metadata}) => metadata.name === node.metadata.name));
  const header = [
    'NAME',
    'CPU(cores)',
    'CPU(%)',
    'MEMORY(bytes)',
    'MEMORY(%)',
    ...(flags.on('show-swap') ? ['SWAP(bytes)', 'SWAP(%)'] : []),
  ];
  rows.push(...unknown.map(({metadata}) => [metadata.name, ...header.slice(1).map(() => '<unknown>')]));
  return flags.on('no-headers') ? rows : [header, ...rows];
}

/** A node without swap says nothing of it. */
function swapOf(usage: Usage, node: Node | undefined): string[] {
  const capacity = node?.status?.nodeInfo?.swap?.capacity ?? 0;
  return [usage['swap'] === undefined ? '<unknown>' : memoryText(usage['swap']), percent(unitValue(usage['swap']), capacity)];
}

function percent(used: number, has: number): string {
  return has === 0 ? '<unknown>' : `${Math.trunc((used / has) * 100)}%`;
}
