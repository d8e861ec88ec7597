// What the kubelet knows of its runtime as a whole: whether it answers, whether the pod network is set up. The runtime tells by its
// stream of events, which are looked through once a second, as in life; a stream that breaks is opened again. The node is called not ready half a minute after the runtime went.
import {isCriError, type RuntimeEvent, type RuntimeStatus} from '../../../api/wire/cri.ts';
import {sleep, wait, type Task} from '../../../sim/task.ts';
import type {PodEvent} from '../knowledge.ts';
import {rpcError} from '../runtime-client.ts';
import type {KubeletParts} from '../surroundings.ts';
import {untilNext} from '../../../sim/grid.ts';

const DOWN_AFTER_MS = 30_000;
const RECONNECT_MS = 1000;
const RELIST_MS = 1000;
const NOTE_MS = 5000;

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

  /** Connects for the first time. A runtime that is not there ends the kubelet. */
  *connect(): Task {
    const {daemon, runtime} = this.#parts;
    if (!(yield* this.#open())) {
      const why = `validate CRI v1 runtime API for endpoint "unix://${runtime.socket}": ${rpcError(runtime.unavailable('refused'))}`;
      const line = `failed to run Kubelet: validate service connection: ${why}`;
      daemon.print(`E run.go:72] "command failed" err=${JSON.stringify(line)}`);
      daemon.exit(1);
      return;
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
    this.#noteNetwork();
    if (before !== this.networkNotReady) this.#handler.changed();
  }

  #noteNetwork(): void {
    const why = this.networkNotReady?.replace('container runtime network not ready: ', '');
    if (why !== undefined)
      this.#parts.daemon.print(`E kubelet.go:3130] "Container runtime network not ready" networkReady=${JSON.stringify(why)}`);
  }

  /** While the runtime is down no pod is looked at. */
  #noteDown(lostAt: number): void {
    if (this.#lostAt !== lostAt) return;
    const {daemon} = this.#parts;
    daemon.print('E kubelet.go:2525] "Skipping pod synchronization" err="container runtime is down"');
    daemon.scope.after(NOTE_MS, () => this.#noteDown(lostAt));
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
      this.#noteNetwork();
      this.#handler.changed();
      return;
    }
    if (this.#heard.push(event) > 1) return;
    const {scope, clock} = this.#parts.daemon;
    scope.after(untilNext(clock.now, RELIST_MS, -this.#phase), () => {
      const heard = this.#heard;
      this.#heard = [];
      this.#handler.events(heard);
    });
  }

  #lost(): void {
    const {scope, clock} = this.#parts.daemon;
    this.#lostAt = clock.now;
    this.#parts.images.forget();
    const lostAt = clock.now;
    scope.after(DOWN_AFTER_MS, () => {
      this.#handler.changed();
      this.#noteDown(lostAt);
    });
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
