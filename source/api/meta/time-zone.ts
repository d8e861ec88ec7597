// Time zones by their names. Each has a rule in the form of POSIX, the last line of its file in the tz database, which tells of the present
// and the years to come (for some zones not of the past):
//
//     CET-1CEST,M3.5.0,M10.5.0/3     an hour before UTC (the sign is turned round); in summer, from the last (5) Sunday (0) of March
//                                    at 2:00 to the last Sunday of October at 3:00, an hour more
//
// `data/time-zones.json` has the names by rule.
import zones from '../data/time-zones.json' with {type: 'json'};

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A moment of each year, in the time that holds before it. */
interface Turn {
  readonly month: number;
  /** Which one of the month; the fifth is the last. */
  readonly week: number;
  readonly weekday: number;
  readonly minutes: number;
}

/** What a zone's clocks show. */
export interface TimeZone {
  /** Minutes ahead of UTC. */
  readonly standard: number;
  readonly summer?: {readonly ahead: number; readonly from: Turn; readonly to: Turn};
}

const RULES = new Map<string, string>(
  Object.entries(zones as Readonly<Record<string, string>>).flatMap(([rule, names]) =>
    names.split(' ').map(name => [name, rule] as const),
  ),
);
const known = new Map<string, TimeZone>();

/** Is there a zone of that name? */
export function isTimeZone(name: string): boolean {
  return RULES.has(name);
}

/** A zone by its name. */
export function timeZone(name: string): TimeZone | undefined {
  const before = known.get(name);
  const rule = RULES.get(name);
  if (before || rule === undefined) return before;
  const made = parseRule(rule);
  known.set(name, made);
  return made;
}

const NAME = String.raw`(?:[A-Za-z]+|<[^>]+>)`;
const TIME = String.raw`[+-]?\d+(?::\d+)?`;
const RULE = new RegExp(`^${NAME}(${TIME})(?:${NAME}(${TIME})?,(.+),(.+))?$`);

/** Reads a rule. */
export function parseRule(rule: string): TimeZone {
  const [, standardText = '0', summerText, from, to] = RULE.exec(rule) ?? [];
  const standard = 0 - minutesOf(standardText);
  if (from === undefined || to === undefined) return {standard};
  const ahead = summerText === undefined ? standard + 60 : 0 - minutesOf(summerText);
  return {standard, summer: {ahead, from: turnOf(from), to: turnOf(to)}};
}

/** Hours and minutes after something, as minutes. */
function minutesOf(text: string): number {
  const [hours = '0', minutes = '0'] = text.replace(/^[+-]/, '').split(':');
  return (Number(hours) * 60 + Number(minutes)) * (text.startsWith('-') ? -1 : 1);
}

function turnOf(text: string): Turn {
  const [day = '', time = '2'] = text.split('/');
  const [month = 1, week = 1, weekday = 0] = day.slice(1).split('.').map(Number);
  return {month, week, weekday, minutes: minutesOf(time)};
}

/** A moment as the clocks of a zone show it, in RFC 3339: `2026-11-30T10:00:00+01:00`. */
export function formatIn(zone: TimeZone, atMs: number): string {
  const {minutes} = offsetAt(zone, atMs);
  const shown = new Date(Math.floor(atMs / 1000) * 1000 + minutes * MINUTE_MS).toISOString().slice(0, 19);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return minutes === 0
    ? `${shown}Z`
    : `${shown}${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}

/** When a turn is, in a year, by the time that holds before it. */
function momentOf({month, week, weekday, minutes}: Turn, year: number, aheadMinutes: number): number {
  const first = Date.UTC(year, month - 1, 1);
  const until = (weekday - new Date(first).getUTCDay() + 7) % 7;
  let day = 1 + until + (week - 1) * 7;
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  while (day > days) day -= 7;
  return first + (day - 1) * DAY_MS + (minutes - aheadMinutes) * MINUTE_MS;
}

/** How far the clocks of a zone are ahead of UTC at a moment, and until when. */
export function offsetAt(zone: TimeZone, atMs: number): {readonly minutes: number; readonly untilMs: number} {
  const {standard, summer} = zone;
  if (!summer) return {minutes: standard, untilMs: Infinity};
  const year = new Date(atMs).getUTCFullYear();
  const turns = [year - 1, year, year + 1]
    .flatMap(each => [
      {at: momentOf(summer.from, each, standard), minutes: summer.ahead},
      {at: momentOf(summer.to, each, summer.ahead), minutes: standard},
    ])
    .sort((a, b) => a.at - b.at);
  const next = turns.findIndex(({at}) => at > atMs);
  return {minutes: turns[next - 1]?.minutes ?? standard, untilMs: turns[next]?.at ?? Infinity};
}
