// Schedules as cron writes them: minute, hour, day of the month, month, day of the week. Each field is a list of numbers, names,
// ranges and steps. Where both days are restricted, either may fit. `@every 90s` and the like count from the last time.
//
// A schedule may be in a time zone. Then its fields are what the clocks show there: a time that they leave out in spring does not come
// that day, one that they show twice in autumn comes twice.
import {offsetAt, type TimeZone} from '../../../api/meta/time-zone.ts';

/** A schedule, ready to be asked. */
export type Schedule =
  | {readonly kind: 'every'; readonly everyMs: number}
  | {
      readonly kind: 'fields';
      readonly fields: readonly ReadonlySet<number>[];
      readonly anyDay: boolean;
      readonly anyWeekday: boolean;
      /** Absent: UTC. */
      readonly zone?: TimeZone;
    };

interface Field {
  readonly least: number;
  readonly most: number;
  readonly names: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const FIELDS: readonly Field[] = [
  {least: 0, most: 59, names: []},
  {least: 0, most: 23, names: []},
  {least: 1, most: 31, names: []},
  {least: 1, most: 12, names: MONTHS},
  {least: 0, most: 6, names: DAYS},
];
const NAMED: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};
const UNITS: Readonly<Record<string, number>> = {h: 3_600_000, m: 60_000, s: 1000};
const MINUTE = 60_000;
const DAY = 1440;
const FAR_DAYS = 5 * 366;
/** Clocks are turned twice a year. */
const MOST_TURNS = 10;

/** Reads a schedule, of a time zone other than UTC if one is given; undefined when it is none. */
export function parseSchedule(text: string, zone?: TimeZone): Schedule | undefined {
  const trimmed = text.trim();
  const every = /^@every\s+((?:\d+[hms])+)$/.exec(trimmed)?.[1];
  if (every !== undefined) {
    const parts = [...every.matchAll(/(\d+)([hms])/g)];
    const everyMs = parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? ''] ?? 0), 0);
    return everyMs >= 1000 ? {kind: 'every', everyMs} : undefined;
  }
  const words = (NAMED[trimmed] ?? trimmed).split(/\s+/);
  if (words.length !== FIELDS.length) return undefined;
  const fields: ReadonlySet<number>[] = [];
  for (const [index, word] of words.entries()) {
    const field = FIELDS[index];
    const values = field && parseField(word.toLowerCase(), field);
    if (!values) return undefined;
    fields.push(values);
  }
  const isAny = (word = '') => /^[*?]/.test(word);
  return {kind: 'fields', fields, anyDay: isAny(words[2]), anyWeekday: isAny(words[4]), ...(zone ? {zone} : {})};
}

function parseField(text: string, field: Field): ReadonlySet<number> | undefined {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const [range = '', stepText, more] = part.split('/');
    const step = stepText === undefined ? 1 : Number(stepText);
    if (more !== undefined || !Number.isInteger(step) || step < 1) return undefined;
    const [first, last] = parseRange(range, field, stepText !== undefined) ?? [];
    if (first === undefined || last === undefined || first > last || first < field.least || last > field.most) return undefined;
    for (let value = first; value <= last; value += step) values.add(value);
  }
  return values;
}

function parseRange(text: string, field: Field, stepped: boolean): readonly [number, number] | undefined {
  if (text === '*' || text === '?') return [field.least, field.most];
  const ends = text.split('-').map(each => numberOf(each, field));
  const [first, last] = ends;
  if (ends.length > 2 || first === undefined || (ends.length === 2 && last === undefined)) return undefined;
  return [first, last ?? (stepped ? field.most : first)];
}

function numberOf(text: string, {names, least}: Field): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const at = names.indexOf(text);
  return at < 0 ? undefined : at + least;
}

/** The first time after `afterMs`; undefined when there is none within five years. */
export function nextTime(schedule: Schedule, afterMs: number): number | undefined {
  if (schedule.kind === 'every') return Math.floor(afterMs / 1000) * 1000 + schedule.everyMs;
  if (!schedule.zone) return nextOnClock(schedule, afterMs);
  // While the clocks of a zone are not turned, theirs is UTC shifted.
  let [from, at] = [afterMs, afterMs];
  for (let turns = 0; turns <= MOST_TURNS; turns++) {
    const {minutes, untilMs} = offsetAt(schedule.zone, at);
    const shown = nextOnClock(schedule, from + minutes * MINUTE);
    if (shown !== undefined && shown - minutes * MINUTE < untilMs) return shown - minutes * MINUTE;
    [from, at] = [untilMs - 1, untilMs];
  }
  return undefined;
}

function nextOnClock(schedule: Fields, afterMs: number): number | undefined {
  const start = Math.floor(afterMs / MINUTE) + 1;
  const firstDay = Math.floor(start / DAY);
  for (let day = firstDay; day < firstDay + FAR_DAYS; day++) {
    if (!fitsDay(schedule, day)) continue;
    const minute = minuteOfDay(schedule, day === firstDay ? start - day * DAY : 0);
    if (minute !== undefined) return (day * DAY + minute) * MINUTE;
  }
  return undefined;
}

type Fields = Extract<Schedule, {kind: 'fields'}>;

function fitsDay({fields, anyDay, anyWeekday}: Fields, day: number): boolean {
  const date = new Date(day * DAY * MINUTE);
  if (!fields[3]?.has(date.getUTCMonth() + 1)) return false;
  const monthDay = fields[2]?.has(date.getUTCDate()) === true;
  const weekday = fields[4]?.has(date.getUTCDay()) === true;
  return anyDay || anyWeekday ? monthDay && weekday : monthDay || weekday;
}

function minuteOfDay({fields}: Fields, from: number): number | undefined {
  for (let minute = from; minute < DAY; minute++) {
    if (fields[1]?.has(Math.floor(minute / 60)) && fields[0]?.has(minute % 60)) return minute;
  }
  return undefined;
}

/** The latest time up to `nowMs` after `earliestMs`, and how many there were, by the distance of the first two. */
export function latestTime(
  schedule: Schedule,
  earliestMs: number,
  nowMs: number,
): {readonly time: number | undefined; readonly missed: number} {
  const first = nextTime(schedule, earliestMs);
  if (first === undefined || first > nowMs) return {time: undefined, missed: 0};
  const second = nextTime(schedule, first);
  if (second === undefined || second > nowMs) return {time: first, missed: 0};
  const missed = Math.floor((nowMs - first) / (second - first)) + 1;
  // Far behind, the search starts close to now; where the distances are not alike it may find nothing.
  let time: number | undefined;
  const start = first + (missed - 2) * (second - first);
  for (let next = nextTime(schedule, start); next !== undefined && next <= nowMs; next = nextTime(schedule, next)) time = next;
  return {time, missed};
}
