// What the kubelet knows of its runtime as a whole: whether it answers, whether the pod network is set up. The runtime tells by its
// stream of events, which are looked through once a second, as in life; a stream that breaks is opened again. The node is called not ready half a minute after the runtime went.
import {isCriError, type RuntimeEvent, type RuntimeStatus} from '../../api/wire/cri.ts';
import {sleep, wait, type Task} from '../../sim/task.ts';
import type {PodEvent} from './knowledge.ts';
import type {KubeletParts} from './surroundings.ts';

const DOWN_AFTER_MS = 30_000;
const RECONNECT_MS = 1000;
const RELIST_MS = 1000;

export interface RuntimeWatchHandler {
  /** What happened since the last look, in order. */
  events(events: readonly PodEvent[]): void;
  /** Something that the node's status tells of. */
  changed(): void;
  /** The runtime is there again; what it holds may be anything. */
  back(): Task;
}

/** Watches one runtime. */
export class RuntimeWatch {
  readonly #parts: KubeletParts;
  readonly #handler: RuntimeWatchHandler;
  #lostAt: number | undefined;
  #status: RuntimeStatus | undefined;
  #heard: PodEvent[] = [];
  readonly #phase: number;
  podCIDR: string | undefined;

  constructor(parts: KubeletParts, handler: RuntimeWatchHandler) {
    this.#parts = parts;
    this.#handler = handler;
    this.#phase = parts.daemon.dice.below(RELIST_MS);
  }

  /** Why the node is not ready. */
  get notReady(): string | undefined {
    if (this.#lostAt !== undefined && this.#parts.daemon.clock.now - this.#lostAt >= DOWN_AFTER_MS)
      return 'container runtime is down';
    return this.#status ? this.networkNotReady : 'container runtime status check may not have completed yet';
  }

  /** Why pods with a network of their own cannot start. */
  get networkNotReady(): string | undefined {
    if (!this.#status || this.#status.networkReady) return undefined;
    const {networkReason, networkMessage} = this.#status;
    return `container runtime network not ready: NetworkReady=false reason:${networkReason} message:${networkMessage}`;
  }

  /** Connects for the first time. A runtime that is not there ends the kubelet's start. */
  *connect(): Task {
    const {daemon, runtime} = this.#parts;
    while (!(yield* this.#open())) {
      daemon.print(
        `E run.go:72] "command failed" err="failed to run Kubelet: validate service connection: validate CRI v1 runtime API for endpoint \\"unix://${runtime.socket}\\": rpc error: code = Unavailable"`,
      );
      yield* sleep(RECONNECT_MS);
    }
    yield* this.#ask();
  }

  /** Asks for the status anew. */
  look(): void {
    this.#parts.daemon.scope.run(this.#ask());
  }

  *#ask(): Task {
    const answer = yield* this.#parts.runtime.ask<RuntimeStatus>({kind: 'status'});
    if (isCriError(answer)) return;
    const before = this.networkNotReady;
    this.#status = answer;
    if (before !== this.networkNotReady) this.#handler.changed();
  }

  *#open(): Task<boolean> {
    return yield* wait<boolean>(wake => {
      let open = false;
      this.#parts.runtime.stream<unknown, RuntimeEvent>(
        {kind: 'events'},
        {
          answer: () => {
            open = true;
            this.#lostAt = undefined;
            wake(true);
          },
          frame: event => this.#take(event),
          end: () => {
            if (open) this.#lost();
            else wake(false);
          },
        },
      );
    });
  }

  #take(event: RuntimeEvent): void {
    if (event.kind === 'status') {
      this.#status = event.status;
      this.#handler.changed();
      return;
    }
    if (this.#heard.push(event) > 1) return;
    const {scope, clock} = this.#parts.daemon;
    scope.after(RELIST_MS - ((clock.now + this.#phase) % RELIST_MS), () => {
      const heard = this.#heard;
      this.#heard = [];
      this.#handler.events(heard);
    });
  }

  #lost(): void {
    const {scope, clock} = this.#parts.daemon;
    this.#lostAt = clock.now;
    this.#parts.images.forget();
    scope.after(DOWN_AFTER_MS, () => this.#handler.changed());
    scope.run(this.#reconnect());
  }

  *#reconnect(): Task {
    do yield* sleep(RECONNECT_MS);
    while (!(yield* this.#open()));
    const {podCIDR} = this;
    if (podCIDR !== undefined) yield* this.#parts.runtime.ask({kind: 'update-runtime-config', podCIDR});
    yield* this.#ask();
    this.#handler.changed();
    yield* this.#handler.back();
  }
}
