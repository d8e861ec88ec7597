// Counts what the player wrote, from the trace: requests of kubectl that changed something. Looking is free.
import type {Entry} from '../../../sim/trace.ts';

const WRITES: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection', 'apply']);

/** How many of these entries are the player's writes. */
export function writeCount(entries: Iterable<Entry>): number {
  let count = 0;
  for (const {who, verb, object, detail} of entries) {
    if (!who.startsWith('kubectl') || !WRITES.has(verb) || /^(selfsubject|subjectaccess|localsubject|tokenreview)/.test(object))
      continue;
    const {code = 200, dryRun = false} = (detail ?? {}) as {code?: number; dryRun?: boolean};
    if (code < 300 && !dryRun) count++;
  }
  return count;
}
