// A log line as etcd's tools write it to a terminal: fields between tabs, the facts as JSON with spaces.

/** One line. */
export function consoleLine(
  wallMs: number,
  {caller, msg, facts}: {readonly caller: string; readonly msg: string; readonly facts: object},
): string {
  const at = `${new Date(Math.floor(wallMs)).toISOString().slice(0, 19)}Z`;
  const entries = Object.entries(facts).map(([name, value]) => `${JSON.stringify(name)}: ${spaced(value)}`);
  return `${[at, 'info', caller, msg, ...(entries.length > 0 ? [`{${entries.join(', ')}}`] : [])].join('\t')}\n`;
}

function spaced(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(spaced).join(', ')}]` : JSON.stringify(value);
}
