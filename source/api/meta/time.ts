// Times and durations as Kubernetes and Go write them. Instants are milliseconds since 1970 everywhere in the product;
// objects carry RFC 3339 in UTC with whole seconds (`metav1.Time`) or with microseconds (`metav1.MicroTime`).

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY_HOURS = 24;
const YEAR_HOURS = 365 * DAY_HOURS;

let lastSecond = Number.NaN;
let lastText = '';

/** `2026-11-30T04:20:20Z`: whole seconds, as objects carry them. */
export function formatTime(ms: number): string {
  const second = Math.floor(ms / SECOND);
  // Many writes carry the same second.
  if (second !== lastSecond) {
    lastSecond = second;
    lastText = `${new Date(second * SECOND).toISOString().slice(0, 19)}Z`;
  }
  return lastText;
}

/** The time of day of a moment, `09:04:12`, in UTC. */
export function timeOfDay(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}

/** `2026-11-30T04:20:20.123000Z`: microseconds, as leases and events.k8s.io carry them. */
export function formatMicroTime(ms: number): string {
  const whole = Math.floor(ms);
  const micros = Math.floor((ms - whole) * 1000);
  return `${new Date(whole).toISOString().slice(0, 23)}${String(micros).padStart(3, '0')}Z`;
}

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** Times that were read lately: objects that were made together have the same. */
const read = new Map<string, number | undefined>();
const MOST_READ = 4096;

/** Milliseconds of an RFC 3339 text, with fractions of a millisecond where written; undefined when it is none. */
export function parseTime(text: string | undefined | null): number | undefined {
  if (text === undefined || text === null) return undefined;
  const known = read.get(text);
  if (known !== undefined) return known;
  const ms = readTime(text);
  if (read.size >= MOST_READ) read.clear();
  read.set(text, ms);
  return ms;
}

function readTime(text: string): number | undefined {
  const parts = RFC3339.exec(text);
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = parts;
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > days) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const base = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  return base + (fraction ? Number(`0${fraction}`) * SECOND : 0) - zoneOffset(zone);
}

function zoneOffset(zone: string): number {
  if (zone === 'Z' || zone === 'z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  return (zone.startsWith('-') ? -minutes : minutes) * MINUTE;
}

/** A span as `kubectl get` shows ages: `45s`, `5m3s`, `2d4h`; `<invalid>` for a future of more than a second. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / SECOND);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 10) return withRest(minutes, 'm', {rest: seconds % 60, unit: 's'});
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return withRest(hours, 'h', {rest: minutes % 60, unit: 'm'});
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / DAY_HOURS);
  if (hours < 192) return withRest(days, 'd', {rest: hours % DAY_HOURS, unit: 'h'});
  if (hours < YEAR_HOURS * 2) return `${days}d`;
  const years = Math.trunc(hours / YEAR_HOURS);
  if (hours < YEAR_HOURS * 8) return withRest(years, 'y', {rest: days % 365, unit: 'd'});
  return `${years}y`;
}

/** A span with one unit alone: `45s`, `5m`, `2d`. */
export function shortHumanDuration(ms: number): string {
  const seconds = Math.trunc(ms / SECOND);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < DAY_HOURS) return `${hours}h`;
  if (hours < YEAR_HOURS) return `${Math.trunc(hours / DAY_HOURS)}d`;
  return `${Math.trunc(hours / YEAR_HOURS)}y`;
}

/** How old something is; `<unknown>` when it carries no time. */
export function ageOf(timestamp: string | undefined | null, nowMs: number): string {
  const since = parseTime(timestamp);
  return since === undefined ? '<unknown>' : humanDuration(nowMs - since);
}

function withRest(count: number, unit: string, small: {rest: number; unit: string}): string {
  return small.rest === 0 ? `${count}${unit}` : `${count}${unit}${small.rest}${small.unit}`;
}

/** A span as Go prints it: `1m30s`, `1h0m0s`, `1.5s`, `100ms`, `0s`. */
export function formatGoDuration(ms: number): string {
  if (ms === 0) return '0s';
  if (ms < 0) return `-${formatGoDuration(-ms)}`;
  if (ms < SECOND) {
    if (ms >= 1) return `${trimmed(ms, 6)}ms`;
    return ms >= 0.001 ? `${trimmed(ms * 1000, 3)}µs` : `${Math.round(ms * 1e6)}ns`;
  }
  const hours = Math.floor(ms / HOUR);
  const minutes = Math.floor((ms % HOUR) / MINUTE);
  const seconds = trimmed((ms % MINUTE) / SECOND, 9);
  if (hours > 0) return `${hours}h${minutes}m${seconds}s`;
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
}

function trimmed(value: number, digits: number): string {
  return value.toFixed(digits).replace(/\.?0+$/, '');
}

const GO_UNITS: Readonly<Record<string, number>> = {ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1, s: SECOND, m: MINUTE, h: HOUR};

/** Milliseconds of a Go duration (`1h30m`, `-1.5h`, `300ms`, `0`), or what Go says of it. */
export function parseGoDuration(text: string): {readonly ms: number} | {readonly error: string} {
  const quoted = JSON.stringify(text);
  const sign = /^[+-]/.test(text) ? text.charAt(0) : '';
  const body = text.slice(sign.length);
  if (body === '0') return {ms: 0};
  if (body === '') return {error: `time: invalid duration ${quoted}`};
  let ms = 0;
  let at = 0;
  while (at < body.length) {
    const part = /^(\d*)(?:\.(\d*))?([^\d.]*)/.exec(body.slice(at));
    const [all = '', whole = '', fraction = '', unit = ''] = part ?? [];
    if (whole === '' && fraction === '') return {error: `time: invalid duration ${quoted}`};
    if (unit === '') return {error: `time: missing unit in duration ${quoted}`};
    const factor = GO_UNITS[unit];
    if (factor === undefined) return {error: `time: unknown unit ${JSON.stringify(unit)} in duration ${quoted}`};
    ms += Number(`${whole || '0'}.${fraction || '0'}`) * factor;
    at += all.length;
  }
  return {ms: sign === '-' ? -ms : ms};
}
