// What is heard of each component, read from the trace: when it last wrote anything at all, and what it last did about the objects of
// one pod's way. A component that has not been heard for longer than it may be silent is dark on the screen.
import {timeOfDay} from '../../api/meta/time.ts';
import type {Entry} from '../../sim/trace.ts';
import type {World} from '../../world/world.ts';
import type {Focus} from './lamps.ts';

/** What a component last did about the object: words as `patch pods/status web-1`, and the time of day. */
export interface Deed {
  readonly words: string;
  readonly at: string;
}

export interface Heard {
  /** The last that each did about the object's way; without one, the last write that the API server took. */
  readonly deeds: ReadonlyMap<Speaker, Deed>;
  /** Components that should have been heard by now and were not. */
  readonly silent: ReadonlySet<Speaker>;
}

export type Speaker = 'kubectl' | 'api' | 'etcd' | 'deploy' | 'rs' | 'sched' | 'kubelet' | 'service';

/** Leases are renewed every two seconds by the managers, every ten by kubelets: so long may each be silent, in milliseconds. */
const MANAGER_SILENCE_MS = 15_000;
const KUBELET_SILENCE_MS = 40_000;
/** How far the trace is read back. */
const ENTRIES_READ = 4000;

const MANAGER = 'kube-controller-manager';
const SYNCS: Readonly<Record<string, readonly [Speaker, string]>> = {
  'deployment-controller': ['deploy', 'deployments'],
  'replicaset-controller': ['rs', 'replicasets'],
};
const SCHEDULER = 'kube-scheduler';
/** What stands for etcd, which writes no entries: the newest write that was stored. */
const STORED = 'etcd';

/** Reads the trace for the pod, ReplicaSet and Deployment of a way. */
export function heardOf(world: World, focus: Focus): Heard {
  const {trace, startMs} = world.physics;
  const own = ownNames(focus);
  const deeds = new Map<Speaker, Deed>();
  const last = new Map<string, number>();
  let read = 0;
  for (const entry of trace.backwards()) {
    if (++read > ENTRIES_READ) break;
    if (!last.has(entry.who)) last.set(entry.who, entry.at);
    if (!last.has(STORED) && isStored(entry)) last.set(STORED, entry.at);
    const speaker = own.size > 0 ? speakerOf(entry, own) : isStored(entry) ? 'api' : undefined;
    if (!speaker) continue;
    const isNewsOfApi = isWrite(entry) && !deeds.has('api');
    if (deeds.has(speaker) && !isNewsOfApi) continue;
    const words = `${entry.verb} ${entry.object.replace(/^([^/]+(?:\/(?:status|scale|binding))?)\/[^/]+\//, '$1 ')}`;
    const at = timeOfDay(startMs + entry.at);
    if (!deeds.has(speaker)) deeds.set(speaker, {words, at});
    if (isNewsOfApi) deeds.set('api', {words: `${words}, for ${entry.who}`, at});
  }
  return {deeds, silent: silentOnes(last, world.now, focus.pod?.spec.nodeName)};
}

function ownNames({pod, replicaSet, deployment}: Focus): ReadonlySet<string> {
  const places = [
    ['pods', pod],
    ['replicasets', replicaSet],
    ['deployments', deployment],
  ] as const;
  return new Set(
    places.flatMap(([resource, object]) => (object ? [`${resource}/${object.metadata.namespace}/${object.metadata.name}`] : [])),
  );
}

/** Whose deed it is, where it is about the way at all. */
function speakerOf({who, verb, object}: Entry, own: ReadonlySet<string>): Speaker | undefined {
  if (verb === 'sync') {
    const [speaker, resource] = SYNCS[who] ?? [];
    return own.has(`${resource}/${object}`) ? speaker : undefined;
  }
  const words = object.split('/');
  if (!own.has([words[0], ...words.slice(-2)].join('/'))) return undefined;
  if (who === SCHEDULER) return 'sched';
  if (who.startsWith('kubelet')) return 'kubelet';
  if (who === MANAGER) return object.startsWith('pods') ? 'rs' : 'deploy';
  return 'kubectl';
}

function isWrite({verb}: Entry): boolean {
  return verb !== 'sync' && verb !== 'schedule';
}

/** The API server answered a write as done, so etcd has stored it. */
function isStored(entry: Entry): boolean {
  const {code} = (entry.detail ?? {}) as {readonly code?: number};
  return isWrite(entry) && code !== undefined && code >= 200 && code < 300;
}

function silentOnes(last: ReadonlyMap<string, number>, now: number, node: string | undefined): ReadonlySet<Speaker> {
  const silent = new Set<Speaker>();
  const isSilent = (who: string, mostMs: number) => now - (last.get(who) ?? -Infinity) > mostMs;
  if (isSilent(MANAGER, MANAGER_SILENCE_MS)) for (const speaker of ['deploy', 'rs', 'service'] as const) silent.add(speaker);
  if (isSilent(STORED, MANAGER_SILENCE_MS)) silent.add('etcd');
  if (isSilent(SCHEDULER, MANAGER_SILENCE_MS)) silent.add('sched');
  if (node !== undefined && isSilent(`kubelet@${node}`, KUBELET_SILENCE_MS)) silent.add('kubelet');
  return silent;
}
