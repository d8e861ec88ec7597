// What the scheduler thought of each node, as a table: who refused it and why, or what each judge gave and the sum.
import type {ScheduleDetail} from '../../api/wire/scheduling.ts';

const SHORT: Readonly<Record<string, string>> = {
  TaintToleration: 'Taints',
  NodeResourcesFit: 'LeastAllocated',
  NodeResourcesBalancedAllocation: 'Balanced',
  PodTopologySpread: 'PodSpread',
  InterPodAffinity: 'PodAffinity',
};

/** The table as text. Without the right to see nodes only the counts are told. */
export function verdictTable(detail: ScheduleDetail, maySeeNodes: boolean): string {
  const head =
    detail.node === undefined
      ? `  no node would do: ${detail.feasible} of ${detail.total}\n`
      : `  ${maySeeNodes ? detail.node : 'a node'} was chosen; ${detail.feasible} of ${detail.total} would have done\n`;
  if (!maySeeNodes)
    return `${head}${detail.reasons.map(([reason, count]) => `  ${String(count).padStart(4)} ${reason}\n`).join('')}  (which nodes those are, you may not see)\n`;
  const rows = rowsOf(detail);
  const left = detail.refusals.length + (detail.scores?.rows.length ?? 0);
  const more = left < detail.evaluated ? `  and ${detail.evaluated - left} more\n` : '';
  return head + table(rows) + more;
}

function rowsOf({refusals, scores, node}: ScheduleDetail): readonly (readonly string[])[] {
  const plugins = scores?.plugins ?? [];
  const head = ['NODE', 'Filter', ...plugins.map(plugin => SHORT[plugin] ?? plugin), ...(plugins.length > 0 ? ['TOTAL'] : [])];
  const scored = (scores?.rows ?? []).map(row => [
    row.node,
    'ok',
    ...row.scores.map(score => String(Math.round(score))),
    String(Math.round(row.total)),
  ]);
  const alone = node !== undefined && scored.length === 0 ? [[node, 'ok']] : [];
  const refused = refusals.map(({node: name, plugin, reasons}) => [name, `${plugin}: ${reasons.join(', ')}`]);
  return [head, ...scored, ...alone, ...refused];
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(
      ...rows.filter(row => row.length > column + 1).map(row => (row[column] ?? '').length),
      (rows[0]?.[column] ?? '').length,
    ),
  );
  return rows
    .map(row =>
      `  ${row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  ')}`.trimEnd(),
    )
    .join('\n')
    .concat('\n');
}
