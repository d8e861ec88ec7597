// What the nodes use, as it was at the last quarter minute. A real metrics-server asks all kubelets every fifteen seconds, whoever
// may want to know; this one asks when somebody does, at most once in each fifteen seconds, and dates the answer to their
// beginning. Nobody can tell the difference but by a kubelet that died within them, and an idle cluster stays idle.
import type {Node} from '../../api/kinds/core-v1.ts';
import {KUBELET_PORT, summaryRequest, type UsageSummary} from '../../api/wire/kubelet.ts';
import type {Answer} from '../../api/wire/http.ts';
import type {Daemon} from '../../sim/daemon.ts';
import {all, wait, type Task} from '../../sim/task.ts';

export const RESOLUTION_MS = 15_000;
const TIMEOUT_MS = 10_000;

/** One look at all nodes. */
export interface Scrape {
  /** Virtual time, and the machine's time in milliseconds since 1970. */
  readonly at: number;
  readonly wall: number;
  /** By node name; a node that did not answer is missing. */
  readonly nodes: ReadonlyMap<string, UsageSummary>;
}

export interface ScraperOptions {
  readonly daemon: Daemon;
  /** What proves to kubelets who asks. */
  readonly token: () => string | undefined;
  readonly nodes: () => Task<readonly Node[]>;
}

/** Looks at the nodes. */
export class Scraper {
  readonly #options: ScraperOptions;
  readonly #startedAt: number;
  #last: Scrape | undefined;
  #waiting: ((scrape: Scrape) => void)[] | undefined;

  constructor(options: ScraperOptions) {
    this.#options = options;
    this.#startedAt = options.daemon.clock.now;
  }

  /** The last look; a new one when fifteen seconds have begun since. Those who ask at the same time share it. */
  *look(): Task<Scrape> {
    const at = this.#boundary();
    if (this.#last && this.#last.at >= at) return this.#last;
    const waiting = this.#waiting;
    if (waiting) return yield* wait<Scrape>(wake => waiting.push(wake));
    const others: ((scrape: Scrape) => void)[] = [];
    this.#waiting = others;
    const scrape = yield* this.#scrape(at);
    this.#waiting = undefined;
    this.#last = scrape;
    for (const wake of others) wake(scrape);
    return scrape;
  }

  #boundary(): number {
    const passed = this.#options.daemon.clock.now - this.#startedAt;
    return this.#startedAt + Math.floor(passed / RESOLUTION_MS) * RESOLUTION_MS;
  }

  *#scrape(at: number): Task<Scrape> {
    const {daemon, nodes} = this.#options;
    const wall = daemon.wall() - (daemon.clock.now - at);
    const found = yield* nodes();
    const answers = yield* all(found.map(node => this.#ask(node)));
    const summaries = found.flatMap((node, index) => {
      const summary = answers[index];
      return summary ? [[node.metadata.name, summary] as const] : [];
    });
    return {at, wall, nodes: new Map(summaries)};
  }

  *#ask(node: Node): Task<UsageSummary | undefined> {
    const {daemon, token} = this.#options;
    const address = node.status?.addresses?.find(each => each.type === 'InternalIP')?.address;
    if (address === undefined) return undefined;
    const secret = token();
    const request = {
      ...summaryRequest,
      headers: {...summaryRequest.headers, ...(secret === undefined ? {} : {authorization: `Bearer ${secret}`})},
    };
    const outcome = yield* wait<Answer | string>(wake => {
      const caller = daemon.dial(address, KUBELET_PORT, request, {
        answer: answer => settle(answer as Answer),
        end: failure =>
          settle(failure === 'refused' ? `dial tcp ${address}:${KUBELET_PORT}: connect: connection refused` : 'EOF'),
      });
      const timer = daemon.scope.after(TIMEOUT_MS, () => {
        caller.cancel();
        settle('context deadline exceeded');
      });
      const settle = (result: Answer | string) => {
        daemon.clock.cancel(timer);
        wake(result);
      };
    });
    if (typeof outcome !== 'string' && outcome.status === 200) return outcome.body as UsageSummary;
    const why =
      typeof outcome === 'string'
        ? `Get "https://${address}:${KUBELET_PORT}/metrics/resource": ${outcome}`
        : `request failed, status: "${outcome.status}"`;
    daemon.print(`"Failed to scrape node" err=${JSON.stringify(why)} node=${JSON.stringify(node.metadata.name)}`);
    return undefined;
  }
}
