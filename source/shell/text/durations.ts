const UNITS: Readonly<Record<string, number>> = {'': 1000, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000};

/** A duration as `sleep` and `timeout` take it, in milliseconds: `5`, `0.5s`, `1m`, `infinity`. */
export function durationMs(text: string): number | undefined {
  if (/^inf(inity)?$/i.test(text)) return Infinity;
  const match = /^(\d+\.?\d*|\.\d+)([smhd]?)$/.exec(text);
  return match ? Number(match[1]) * (UNITS[match[2] ?? ''] ?? 1000) : undefined;
}
