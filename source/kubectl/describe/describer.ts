// What the describer of a kind is given, and what several of them share.
import type {AnyObject} from '../../api/meta/object.ts';
import {formatTime, parseTime} from '../../api/meta/time.ts';
import type {Failure} from '../failure.ts';
import type {Session} from '../session.ts';

/** The surroundings of a description. */
export interface Surroundings {
  readonly session: Session;
  /** Events are shown. */
  readonly showEvents: boolean;
}

/** Makes the page of an object. */
export type Describer = (object: AnyObject, around: Surroundings) => Promise<string | Failure>;

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A time as RFC 1123 writes it, with the offset in numbers: `Mon, 30 Nov 2026 04:40:32 +0000`. */
export function timeText(timestamp: string | undefined | null): string {
  const ms = parseTime(timestamp);
  if (ms === undefined) return 'Mon, 01 Jan 0001 00:00:00 +0000';
  const date = new Date(ms);
  const day = String(date.getUTCDate()).padStart(2, '0');
  return `${DAYS[date.getUTCDay()] ?? ''}, ${day} ${MONTHS[date.getUTCMonth()] ?? ''} ${date.getUTCFullYear()} ${formatTime(ms).slice(11, 19)} +0000`;
}

/** A field of an object that no type describes. */
export function part(value: unknown, ...path: readonly string[]): unknown {
  let at: unknown = value;
  for (const key of path) at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined;
  return at;
}
