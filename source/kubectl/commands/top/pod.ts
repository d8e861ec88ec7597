// `kubectl top pod`: what pods use, or each of their containers.
import {fail, Failure, failUsage} from '../../failure.ts';
import {tableText} from './rows.ts';
import type {Session} from '../../session.ts';
import {COMMON_FLAGS, type Command, type Outcome} from '../command.ts';
import {unitValue} from '../../../api/meta/quantity.ts';
import {askMetrics, wantedProblem, cpuText, memoryText, sumOf, type PodMetrics, type Usage} from './metrics.ts';

export const topPod: Command = {
  path: 'kubectl top pod',
  short: 'Show what pods use',
  examples: ['kubectl top pod', 'kubectl top pod -A --sort-by=cpu', 'kubectl top pod web --containers'],
  does: [
    ...COMMON_FLAGS,
    'all-namespaces',
    'containers',
    'field-selector',
    'no-headers',
    'selector',
    'show-swap',
    'sort-by',
    'sum',
    'use-protocol-buffers',
  ],
  run,
};

async function run(session: Session): Promise<Outcome> {
  const {flags, args} = session;
  if (args.length > 1) return failUsage('kubectl top pod', 'pod [NAME | -l label]');
  if (args.length === 1 && (flags.text('selector') !== '' || flags.text('field-selector') !== ''))
    return fail('only one of NAME or selector can be provided');
  if (!['', 'cpu', 'memory', 'swap'].includes(flags.text('sort-by'))) return fail('--sort-by accepts only cpu or memory');
  const wrong = wantedProblem(session);
  if (wrong) return wrong;
  const namespace = session.namespace();
  if (namespace instanceof Failure) return namespace;
  const query: Record<string, string> = {};
  if (flags.text('selector') !== '') query['labelSelector'] = flags.text('selector');
  if (flags.text('field-selector') !== '') query['fieldSelector'] = flags.text('field-selector');
  const base = flags.on('all-namespaces') ? '/pods' : `/namespaces/${namespace}/pods`;
  const metrics = await askMetrics<PodMetrics>(session, args[0] === undefined ? base : `${base}/${args[0]}`, query);
  if (metrics instanceof Failure) return metrics;
  if (metrics.length === 0) return nothing(session, namespace);
  await session.out(tableText(rowsOf(session, metrics)));
  return undefined;
}

async function nothing(session: Session, namespace: string): Promise<undefined> {
  await session.err(
    session.flags.on('all-namespaces') ? 'No resources found\n' : `No resources found in ${namespace} namespace.\n`,
  );
  return undefined;
}

function rowsOf({flags}: Session, metrics: readonly PodMetrics[]): string[][] {
  const rows = inOrder(flags.text('sort-by'), metrics).flatMap(pod => {
    const head = flags.on('all-namespaces') ? [pod.metadata.namespace] : [];
    if (flags.on('containers')) {
      return pod.containers
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .map(({name, usage}) => [
          ...head,
          pod.metadata.name,
          name,
          cpuText(usage['cpu']),
          memoryText(usage['memory']),
          ...swapOf(flags.on('show-swap'), [usage]),
        ]);
    }
    const {cpu, memory} = sumOf(pod);
    return [
      [
        ...head,
        pod.metadata.name,
        `${cpu}m`,
        `${Math.trunc(memory / (1024 * 1024))}Mi`,
        ...swapOf(
          flags.on('show-swap'),
          pod.containers.map(({usage}) => usage),
        ),
      ],
    ];
  });
  const columns = flags.on('containers') ? ['POD', 'NAME'] : ['NAME'];
  const header = [
    ...(flags.on('all-namespaces') ? ['NAMESPACE'] : []),
    ...columns,
    'CPU(cores)',
    'MEMORY(bytes)',
    ...(flags.on('show-swap') ? ['SWAP(bytes)'] : []),
  ];
  const all = flags.on('no-headers') ? rows : [header, ...rows];
  return flags.on('sum') ? [...all, ...sumRows(header.length, metrics)] : all;
}

function swapOf(isShown: boolean, usages: readonly Usage[]): string[] {
  const bytes = usages.reduce((sum, usage) => sum + unitValue(usage['swap']), 0);
  return isShown ? [`${Math.trunc(bytes / (1024 * 1024))}Mi`] : [];
}

function inOrder(order: string, metrics: readonly PodMetrics[]): readonly PodMetrics[] {
  const key = (pod: PodMetrics) => `${pod.metadata.namespace}/${pod.metadata.name}`;
  const amount = (pod: PodMetrics) => (order === 'cpu' ? sumOf(pod).cpu : sumOf(pod).memory);
  return metrics.toSorted((a, b) => (order === '' ? 0 : amount(b) - amount(a)) || (key(a) < key(b) ? -1 : 1));
}

function sumRows(columns: number, metrics: readonly PodMetrics[]): string[][] {
  const sums = metrics.map(sumOf);
  const cpu = sums.reduce((sum, one) => sum + one.cpu, 0);
  const memory = sums.reduce((sum, one) => sum + one.memory, 0);
  const blank = Array.from({length: columns - 2}, () => '');
  return [
    [...blank, '________', '________'],
    [...blank, `${cpu}m`, `${Math.trunc(memory / (1024 * 1024))}Mi`],
  ];
}
