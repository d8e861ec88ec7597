// What happened before a level begins, by real means: a map with the verb under `do` and its own fields, or a wait.
import type {Check} from '../goals/check.ts';
import {isScalar, type Node} from 'yaml';
import {kubeObject} from './manifest.ts';
import {checked, duration, entriesOf, list, mapOf, needed, optional, record, text, type Reader} from './reader.ts';

const size = checked(text(), words =>
  /^\d+(\.\d+)?([kMGT]i?)?$/.test(words) ? undefined : 'a size such as 90Gi is wanted here',
);
const verb = needed(text());

const VERBS = {
  'net.partition': record({do: verb, node: needed(text()), from: needed(list(text()))}),
  'net.heal': record({do: verb, node: optional(text())}),
  'api.apply': record({do: verb, via: optional(text()), object: needed(kubeObject())}),
  'file.write': record({do: verb, node: needed(text()), path: needed(text()), text: needed(text())}),
  'file.move': record({do: verb, node: needed(text()), from: needed(text()), to: needed(text())}),
  'file.delete': record({do: verb, node: needed(text()), path: needed(text())}),
  'file.patch': record({do: verb, node: needed(text()), path: needed(text()), set: needed(mapOf(text()))}),
  'disk.wipe': record({do: verb, node: needed(text()), path: needed(text())}),
  'disk.fill': record({do: verb, node: optional(text()), claim: optional(text()), size: needed(size)}),
  'power.off': record({do: verb, node: needed(text())}),
  'power.on': record({do: verb, node: needed(text())}),
  'power.reboot': record({do: verb, node: needed(text())}),
  'clock.jump': record({do: verb, node: needed(text()), by: needed(duration())}),
  'service.stop': record({do: verb, node: needed(text()), name: needed(text())}),
  'service.start': record({do: verb, node: needed(text()), name: needed(text())}),
  'user.run': record({do: verb, on: optional(text()), run: needed(text())}),
} as const;

type Verbs = typeof VERBS;
export type VerbName = keyof Verbs;
/** What a verb is told. */
export type Told<V extends VerbName> = NonNullable<ReturnType<Verbs[V]>>;
/** One deed. */
export type Deed = {readonly [V in VerbName]: {readonly verb: V; readonly told: Told<V>}}[VerbName];
/** One thing that happened, or was waited for. */
export type Happening = Deed | {readonly wait: {readonly forMs: number} | {readonly until: Check}; readonly timeout?: number};

/** Reads one; `wait` reads what a wait is for. */
export function happening(wait: Reader<{readonly forMs: number} | {readonly until: Check}>): Reader<Happening> {
  const waiting = record({wait: needed(wait), timeout: optional(duration())});
  return (node, place) => {
    const entries = entriesOf(node, place);
    if (!entries) return undefined;
    const entry = entries.find(([key]) => key === 'do');
    if (!entry) return waiting(node, place);
    const [, value, key] = entry;
    const name = isScalar(value) ? String(value.value) : '';
    if (!Object.hasOwn(VERBS, name)) {
      place.report(value ?? key, `there is no verb ${JSON.stringify(name)}; known are ${Object.keys(VERBS).join(', ')}`);
      return undefined;
    }
    const read = VERBS[name as VerbName] as Reader<object>;
    const told = read(node as Node, place);
    return told && ({verb: name, told} as Happening);
  };
}
