// Events are few: the same words of one source about one object are one Event that counts, and no source tells of one object without
// end, whatever happens to it.
import type {AnyObject} from '../../../../source/api/meta/object.ts';
import type {Check} from './check.ts';
import type {Change} from '../ledger.ts';

/** An Event as the core API has it. */
interface CoreEvent extends AnyObject {
  readonly involvedObject?: {readonly uid?: string; readonly name?: string; readonly fieldPath?: string};
  readonly reason?: string;
  readonly message?: string;
  readonly type?: string;
  readonly count?: number;
  readonly source?: {readonly component?: string; readonly host?: string};
}

const BURST = 25;
const REFILL_MS = 300_000;

/** What makes two Events one. */
function keyOfWords({involvedObject, reason, message, type, source}: CoreEvent): string {
  const {uid, name, fieldPath} = involvedObject ?? {};
  return JSON.stringify([uid, name, fieldPath, reason, message, type, source?.component, source?.host]);
}

/** Remembers who wrote about what, and when. */
export function eventCheck(): Check {
  const written = new Map<string, number[]>();
  const known = new Map<string, {readonly name: string; at: number}>();
  return {
    change(change, {roundSince}) {
      const after = change.after as CoreEvent | undefined;
      if (change.resource !== 'events' || !after?.source?.component) return undefined;
      return tooMany(written, change, after) ?? twice(known, change, {after, roundSince}) ?? backwards(change, after);
    },
  };
}

function tooMany(written: Map<string, number[]>, {at}: Change, {involvedObject, source}: CoreEvent): string | undefined {
  const key = JSON.stringify([involvedObject?.uid, involvedObject?.name, source?.component, source?.host]);
  const times = [...(written.get(key) ?? []).filter(time => time > at - REFILL_MS), at];
  written.set(key, times);
  // A restarted source begins with a full bucket.
  return times.length > 2 * BURST + 2
    ? `${source?.component} wrote ${times.length} events about ${involvedObject?.name} in five minutes`
    : undefined;
}

function twice(
  known: Map<string, {readonly name: string; at: number}>,
  {before, at, key}: Change,
  {after, roundSince}: {readonly after: CoreEvent; readonly roundSince: number | undefined},
): string | undefined {
  const words = keyOfWords(after);
  const last = known.get(words);
  known.set(words, {name: key, at});
  // Who was started anew in between has forgotten what it wrote.
  if (before || !last || roundSince === undefined || last.at < roundSince || last.name === key) return undefined;
  return `${after.source?.component} says twice, in ${last.name} and ${key}: ${after.reason} ${after.message}`;
}

function backwards({before}: Change, {count = 1, message}: CoreEvent): string | undefined {
  const was = (before as CoreEvent | undefined)?.count ?? 0;
  return before && count < was ? `an event counts backwards, from ${was} to ${count}: ${message}` : undefined;
}
