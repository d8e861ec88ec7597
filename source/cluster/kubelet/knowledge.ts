// What a kubelet knows of one pod on its node beside the object: what the runtime said last, what probes found, why a
// container does not start. It is rebuilt from the runtime when the kubelet starts anew. There are as many of these as pods in
// the cluster, so they are kept small: a record for each container and nothing for what a pod does not have.
import type {ResourceRequirements} from '../../api/kinds/core-v1.ts';
import type {ContainerStatus, RuntimeEvent, SandboxStatus} from '../../api/wire/cri.ts';

/** Why a container is not running. */
export interface WaitingReason {
  readonly reason: string;
  readonly message: string;
}

/** Why a pod as a whole has failed. */
export interface PodFailure extends WaitingReason {
  /** Absent where it is no eviction; true where the node had too little for all, false where the pod had outgrown its own limits. */
  readonly disrupts?: boolean;
}

/** What probes found of the container that runs now. */
export interface ProbeFindings {
  readonly id: string;
  /** The startup probe has succeeded. */
  started: boolean;
  /** The readiness probe's last word. */
  ready: boolean;
  /** A probe that wants it killed. */
  failed?: 'liveness' | 'startup';
}

/** Everything about one container of the pod's spec. */
export interface ContainerKnowledge {
  readonly name: string;
  newest: ContainerStatus | undefined;
  before: ContainerStatus | undefined;
  /** Why it waits. */
  reason: WaitingReason | undefined;
  /** Absent for a container without probes. */
  probes: ProbeFindings | undefined;
  /** The image that the newest was started with, to see a change. */
  image: string | undefined;
  /** The resources that it runs with. */
  resources: ResourceRequirements | undefined;
  /** What the newest and the one before said at their end, by id. */
  lastWords: Map<string, string> | undefined;
}

const STEPS = {created: 0, running: 1, exited: 2} as const;

const NONE: readonly never[] = Object.freeze([]);

/** What the runtime tells of one pod. */
export type PodEvent = Exclude<RuntimeEvent, {kind: 'status'}>;

/** One pod's share of the kubelet's memory. */
export class PodKnowledge {
  sandbox: SandboxStatus | undefined;
  containers: readonly ContainerKnowledge[] = NONE;
  /** The pod as a whole has failed: rejected, evicted, too late. */
  failure: PodFailure | undefined;
  /** Its containers were removed before anybody had seen how they ended. */
  lost = false;
  /** Why its containers do not get the resources that its spec asks for now. */
  pendingResize: WaitingReason | undefined;
  /** They are to get others, and have not got them all yet. */
  resizing = false;
  /** Why they cannot be given them now. */
  resizeError: WaitingReason | undefined;

  /** What is known of a container; undefined for nothing at all. */
  find(name: string): ContainerKnowledge | undefined {
    for (const each of this.containers) if (each.name === name) return each;
    return undefined;
  }

  /** The same, begun where there was nothing. */
  of(name: string): ContainerKnowledge {
    const known = this.find(name);
    if (known) return known;
    const made = {
      name,
      newest: undefined,
      before: undefined,
      reason: undefined,
      probes: undefined,
      image: undefined,
      resources: undefined,
      lastWords: undefined,
    };
    this.containers = [...this.containers, made];
    return made;
  }

  newest(name: string): ContainerStatus | undefined {
    return this.find(name)?.newest;
  }

  /** The newest one that has ended. */
  ended(name: string): ContainerStatus | undefined {
    const {newest, before} = this.find(name) ?? {};
    return newest?.state === 'exited' ? newest : before?.state === 'exited' ? before : undefined;
  }

  /** Is the container of this sandbox, not of one before? */
  isCurrent(status: ContainerStatus | undefined): status is ContainerStatus {
    return status !== undefined && status.sandboxId === this.sandbox?.id;
  }

  get running(): ContainerStatus[] {
    const all: ContainerStatus[] = [];
    for (const {newest} of this.containers) if (newest?.state === 'running') all.push(newest);
    return all;
  }

  /** Takes what the runtime says. False when it is nothing new. */
  take(event: PodEvent): boolean {
    if (event.kind === 'sandbox') return this.#takeSandbox(event.status);
    if (event.kind === 'container') return this.#takeContainer(event.status);
    return this.sandbox?.id === event.id;
  }

  #takeSandbox(status: SandboxStatus): boolean {
    const known = this.sandbox;
    if (known === status || (known && known.id !== status.id && known.createdAt > status.createdAt)) return false;
    if (known?.id === status.id && known.state === 'notready') return false;
    this.sandbox = status;
    return true;
  }

  #takeContainer(status: ContainerStatus): boolean {
    const known = this.of(status.name);
    const {newest, before} = known;
    // An answer may overtake an event: nothing goes back to what it was before.
    const same = newest?.id === status.id ? newest : before?.id === status.id ? before : undefined;
    if (same && STEPS[same.state] >= STEPS[status.state]) return false;
    if (!newest || newest.id === status.id) known.newest = status;
    else if (status.attempt > newest.attempt) {
      known.newest = status;
      known.before = newest;
    } else if (!before || before.id === status.id || status.attempt > before.attempt) known.before = status;
    else return false;
    return true;
  }
}
