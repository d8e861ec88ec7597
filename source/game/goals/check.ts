// What a goal kind is: a name, the shape of its arguments, and a judgement over what the referee sees. A level's check is a map
// with one key, the name: `{ready: {kind: Deployment, namespace: shop, name: web, replicas: 3}}`.
import type {AnyObject} from '../../api/meta/object.ts';
import type {ResourceFacts} from '../../api/meta/resources.ts';
import type {Machines, MemberView} from '../../world/machines.ts';
import type {Reader} from '../level/reader.ts';

/** The outcome: does it hold now, and what the goals panel says beside it (`0/3`, `3Gi`). */
export interface Verdict {
  readonly met: boolean;
  readonly note: string;
}

/** Something that the game tries again and again while a level runs, as a customer or a pipeline would. */
export type Probe = ReachProbe | WriteProbe | OutsideProbe;

/** Asks for a URL from a pod. */
export interface ReachProbe {
  readonly fromNamespace: string;
  readonly fromPod: string;
  readonly url: string;
}

/** Asks for a URL from outside of the cluster. */
export interface OutsideProbe {
  readonly outside: string;
}

/** Changes an object, as a dry run: all gates are passed, nothing is stored. */
export interface WriteProbe {
  readonly write: ObjectReference;
}

/** What one try gave: a status, or a word for why there was none. */
export interface Sample {
  readonly at: number;
  readonly tookMs: number;
  readonly status: number | undefined;
  readonly body: string;
  readonly failure: string | undefined;
}

/** All that a check may look at: the machine itself, not what the player may read. */
export interface Referee {
  /** Virtual milliseconds. */
  readonly now: number;
  find(reference: ObjectReference): AnyObject | undefined;
  all(resource: ResourceFacts, namespace?: string): readonly AnyObject[];
  /** The object as it was when the level began. */
  original(reference: ObjectReference): AnyObject | undefined;
  /** The latest tries of a probe, oldest first. */
  samples(probe: Probe): readonly Sample[];
  /** How many tries of a probe have failed since the level began, and how the last one of them did. */
  failures(probe: Probe): {readonly failed: number; readonly last: string};
  /** The machines: files, processes. */
  readonly machines: Machines;
  /** etcd on each machine of the control plane, now. */
  members(): readonly MemberView[];
  /** … and as it was when the level began; before that, as it is. */
  originalMember(node: string): Pick<MemberView, 'id' | 'clusterId'> | undefined;
  /** What the webhooks of a configuration were asked about since then: `pods`, `pods/status`, each once. */
  reviews(configuration: string, sinceMs: number): ReadonlySet<string>;
}

/** Which object, as `deploy/shop/web` or `node/gpu-1` says it. */
export interface ObjectReference {
  readonly resource: ResourceFacts;
  readonly namespace: string | undefined;
  readonly name: string;
}

/** One kind of check. */
export interface CheckKind<A = unknown> {
  readonly name: string;
  readonly arguments: Reader<A>;
  judge(args: A, referee: Referee): Verdict;
  /** What must be tried all the time for this check to be judged. */
  probes?(args: A): readonly Probe[];
}

/** A check of a level, ready to be judged. */
export interface Check {
  /** The kind's name, for messages. */
  readonly name: string;
  judge(referee: Referee): Verdict;
  readonly probes: readonly Probe[];
  /** Must never cease to hold: a breach is for good. */
  readonly forever: boolean;
}
