// What a kubelet knows of one pod on its node beside the object: what the runtime said last, what probes found, why a
// container does not start. It is rebuilt from the runtime when the kubelet starts anew.
import type {ContainerStatus, RuntimeEvent, SandboxStatus} from '../../api/wire/cri.ts';

/** Why a container is not running. */
export interface WaitingReason {
  readonly reason: string;
  readonly message: string;
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

/** The newest container of a name first; two are kept. */
type History = readonly ContainerStatus[];

const STEPS = {created: 0, running: 1, exited: 2} as const;

/** One pod's share of the kubelet's memory. */
export class PodKnowledge {
  sandbox: SandboxStatus | undefined;
  readonly containers = new Map<string, History>();
  readonly reasons = new Map<string, WaitingReason>();
  readonly probes = new Map<string, ProbeFindings>();
  /** The image that a container was started with, to see a change. */
  readonly images = new Map<string, string>();
  /** Termination messages, by container id. */
  readonly lastWords = new Map<string, string>();
  /** The pod as a whole has failed: rejected, evicted, too late. */
  failure: WaitingReason | undefined;

  newest(name: string): ContainerStatus | undefined {
    return this.containers.get(name)?.[0];
  }

  /** Is the container of this sandbox, not of one before? */
  isCurrent(status: ContainerStatus | undefined): status is ContainerStatus {
    return status !== undefined && status.sandboxId === this.sandbox?.id;
  }

  get running(): ContainerStatus[] {
    const all: ContainerStatus[] = [];
    for (const [newest] of this.containers.values()) if (newest?.state === 'running') all.push(newest);
    return all;
  }

  /** Takes what the runtime says. False when it is nothing new. */
  take(event: Exclude<RuntimeEvent, {kind: 'status'}>): boolean {
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
    const history = this.containers.get(status.name) ?? [];
    const [newest, before] = history;
    // An answer may overtake an event: nothing goes back to what it was before.
    const same = history.find(each => each.id === status.id);
    if (same && STEPS[same.state] >= STEPS[status.state]) return false;
    if (!newest) this.containers.set(status.name, [status]);
    else if (newest.id === status.id) this.containers.set(status.name, before ? [status, before] : [status]);
    else if (status.attempt > newest.attempt) this.containers.set(status.name, [status, newest]);
    else if (before === undefined || before.id === status.id || status.attempt > before.attempt)
      this.containers.set(status.name, [newest, status]);
    else return false;
    return true;
  }
}
