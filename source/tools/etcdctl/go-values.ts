// Durations and sizes as Go programs print them.

/** A duration: `12.3ms`, `1.2s`. */
export function goDuration(ms: number): string {
  if (ms >= 1000) return `${trimmed(ms / 1000)}s`;
  if (ms >= 1) return `${trimmed(ms)}ms`;
  return ms === 0 ? '0s' : `${trimmed(ms * 1000)}µs`;
}

function trimmed(value: number): string {
  return value.toFixed(6).replace(/\.?0+$/, '');
}

/** Bytes in powers of a thousand with two digits at least: `20 kB`, `2.1 GB`. */
export function goBytes(bytes: number): string {
  if (bytes < 10) return `${bytes} B`;
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  const rounded = Math.floor(value * 10 + 0.5) / 10;
  return `${rounded < 10 && unit > 0 ? rounded.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** A 64-bit id as a decimal number. */
export function decimal(id: string | number): string {
  return typeof id === 'number' ? BigInt(id).toString() : id === '' ? '0' : BigInt(`0x${id}`).toString();
}

/** A lease's id as etcdctl writes it. */
export function leaseText(id: number): string {
  return BigInt(id).toString(16).padStart(16, '0');
}
