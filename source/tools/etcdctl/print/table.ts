// A table as etcd's tools draw it: headings in the middle, cells at the right.

/** The lines of a table. */
export function tableText(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map(row => row[i]?.length ?? 0)));
  const rule = `+${widths.map(width => '-'.repeat(width + 2)).join('+')}+\n`;
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const head = line(heads.map((text, i) => centred(text, widths[i] ?? 0)));
  const body = rows.map(row => line(widths.map((width, i) => (row[i] ?? '').padStart(width)))).join('');
  return rule + head + rule + body + rule;
}

function centred(text: string, width: number): string {
  const left = Math.floor((width - text.length) / 2);
  return text.padStart(text.length + left).padEnd(width);
}
