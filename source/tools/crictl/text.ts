// How crictl writes tables, ages and sizes.

/** A table with columns of at least twenty places. */
export function table(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(...rows.map(row => row.length));
  const widths = Array.from({length: columns}, (_, i) => Math.max(20, ...rows.map(row => (row[i]?.length ?? 0) + 3)));
  return rows
    .map(row => `${row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0))).join('')}\n`)
    .join('');
}

/** `About a minute ago`. */
export function ago(ms: number): string {
  return `${duration(ms)} ago`;
}

function duration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 1) return 'Less than a second';
  if (seconds === 1) return '1 second';
  if (seconds < 60) return `${seconds} seconds`;
  const minutes = Math.floor(seconds / 60);
  if (minutes === 1) return 'About a minute';
  if (minutes < 60) return `${minutes} minutes`;
  const hours = Math.floor(minutes / 60 + 0.5);
  if (hours === 1) return 'About an hour';
  if (hours < 48) return `${hours} hours`;
  const days = Math.floor(hours / 24);
  if (hours < 24 * 14) return `${days} days`;
  if (hours < 24 * 60) return `${Math.floor(days / 7)} weeks`;
  return hours < 24 * 365 * 2 ? `${Math.floor(days / 30)} months` : `${Math.floor(days / 365)} years`;
}

/** `3.42MB`: three digits, in thousands. */
export function size(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${Number(value.toPrecision(3))}${units[unit]}`;
}

/** The first 13 digits of an ID, without what says how it was made. */
export function short(id: string): string {
  return id.replace(/^sha256:/, '').slice(0, 13);
}

/** RFC 3339 with nanoseconds, as the CRI's times print. */
export function nanoTime(ms: number): string {
  if (ms === 0) return '0001-01-01T00:00:00Z';
  const whole = Math.floor(ms);
  const nanos = Math.round((ms - whole) * 1e6);
  return `${new Date(whole).toISOString().slice(0, -1)}${String(nanos).padStart(6, '0')}Z`;
}
