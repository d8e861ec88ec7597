// What the webhooks of a configuration are asked about, over the last while: some resources they must hear of, others not. (The
// game itself writes what they must hear of, so that a quiet cluster is no excuse.)
import {duration, list, needed, optional, record, text} from '../level/reader.ts';
import type {CheckKind, ObjectReference} from './check.ts';
import {objectReference} from './references.ts';

interface Arguments {
  readonly configuration: string;
  /** Objects that the game changes, as dry runs; their resources must be heard of. */
  readonly writes: readonly ObjectReference[];
  /** As `leases`, `pods/status`; `*\/status` for every status. */
  readonly never?: readonly string[];
  readonly window?: number;
}

const WINDOW_MS = 20_000;

export const webhookHears: CheckKind<Arguments> = {
  name: 'webhookHears',
  arguments: record({
    configuration: needed(text()),
    writes: needed(list(objectReference())),
    never: optional(list(text())),
    window: optional(duration()),
  }),
  judge({configuration, writes, never = [], window = WINDOW_MS}, referee) {
    const heard = referee.reviews(configuration, referee.now - window);
    const missing = writes.map(({resource}) => resource.resource).find(name => !heard.has(name));
    const unwanted = [...heard].find(about => never.some(each => isMeant(each, about)));
    const note = unwanted ? `hears of ${unwanted}` : missing ? `hears of no ${missing}` : [...heard].sort().join(', ');
    return {met: missing === undefined && unwanted === undefined, note};
  },
  probes: ({writes}) => writes.map(write => ({write})),
};

function isMeant(name: string, about: string): boolean {
  return name === about || (name.startsWith('*/') && about.endsWith(name.slice(1)));
}
