// The chain of causes of a pod, read backwards from the request that made it, and then what was written about it since.
import type {Pod} from '../../api/kinds/core-v1.ts';
import type {Entry, Trace} from '../../sim/trace.ts';

const LONGEST_CHAIN = 40;
const NEWEST_WRITES = 8;

/** Requests and decisions that led to the pod and to what it is now, oldest first. */
export function causesOf(trace: Trace, {metadata}: Pod): readonly Entry[] {
  const object = `pods/${metadata.namespace}/${metadata.name}`;
  const own: Entry[] = [];
  const itself = new Set([
    object,
    `pods/binding/${metadata.namespace}/${metadata.name}`,
    `pods/status/${metadata.namespace}/${metadata.name}`,
  ]);
  for (const entry of trace.backwards()) if (itself.has(entry.object) && entry.verb !== 'sync') own.push(entry);
  const made = own.find(entry => entry.verb === 'create' && entry.object === object) ?? own.at(-1);
  if (!made) return [];
  const before = chainOf(trace, made).filter(entry => isWrite(entry) && isNear(entry, metadata.namespace ?? ''));
  const since = own.filter(entry => entry !== made && entry.verb !== 'schedule').slice(0, NEWEST_WRITES);
  return [...before, made, ...since.reverse()];
}

/** The causes of an entry, oldest first; of several causes of one entry the first is followed. */
function chainOf(trace: Trace, entry: Entry): readonly Entry[] {
  const chain: Entry[] = [];
  let at: Entry | undefined = entry;
  while (at && chain.length < LONGEST_CHAIN) {
    const first: number | undefined = at.because[0];
    at = first === undefined ? undefined : trace.get(first);
    if (at) chain.unshift(at);
  }
  return chain;
}

/** Looks at a queue are how controllers work, not what they did. */
function isWrite({verb}: Entry): boolean {
  return verb !== 'sync';
}

/** In the pod's namespace, or about something that has none. */
function isNear({object}: Entry, namespace: string): boolean {
  const parts = object.split('/');
  return parts.length < 3 || parts.includes(namespace);
}
