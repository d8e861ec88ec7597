// Times as `journalctl --since` and `--until` take them, and spans such as `10 min ago`.
const UNITS: readonly [RegExp, number][] = [
  [/^(s|sec|secs|second|seconds)$/, 1000],
  [/^(m|min|mins|minute|minutes)$/, 60_000],
  [/^(h|hr|hour|hours)$/, 3_600_000],
  [/^(d|day|days)$/, 86_400_000],
  [/^(w|week|weeks)$/, 604_800_000],
];
const DAY_MS = 86_400_000;

/** In milliseconds since 1970; undefined for what is no time. */
export function journalTime(text: string, now: number): number | undefined {
  const words = text.trim();
  const midnight = Math.floor(now / DAY_MS) * DAY_MS;
  if (words === 'now') return now;
  if (words === 'today') return midnight;
  if (words === 'yesterday') return midnight - DAY_MS;
  if (words === 'tomorrow') return midnight + DAY_MS;
  const relative = /^([+-])(.+)$/.exec(words) ?? /^(?<sign>)(.+?)\s+ago$/.exec(words);
  if (relative) {
    const span = spanOf(relative[2] ?? '');
    if (span !== undefined) return relative[1] === '+' ? now + span : now - span;
  }
  if (words.startsWith('@') && /^@\d+(\.\d+)?$/.test(words)) return Number(words.slice(1)) * 1000;
  const [, date, time] =
    /^(?:(?:[A-Z][a-z]{2}\s+)?(\d{4}-\d{2}-\d{2}))?[T\s]*(\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?(?:\s*(?:UTC|Z))?$/.exec(words) ??
    [];
  if (date === undefined && time === undefined) return undefined;
  const [hours = '0', minutes = '0', seconds = '0'] = (time ?? '').split(':');
  const day = date === undefined ? midnight : Date.parse(`${date}T00:00:00Z`);
  const at = day + Number(hours || 0) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000;
  return Number.isNaN(at) ? undefined : at;
}

function spanOf(text: string): number | undefined {
  let total = 0;
  let found = false;
  for (const [, count, unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]*)/g)) {
    const factor = unit === '' ? 1000 : UNITS.find(([pattern]) => pattern.test(unit))?.[1];
    if (factor === undefined) return undefined;
    total += Number(count) * factor;
    found = true;
  }
  return found && text.replaceAll(/(\d+(?:\.\d+)?)\s*([a-z]*)/g, '').trim() === '' ? total : undefined;
}
