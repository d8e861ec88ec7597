// The node IPAM controller: each node gets its share of the cluster's pod addresses, in the order in which nodes join; of two
// families one share of each.
import type {Node} from '../../../api/kinds/core-v1.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {patch} from '../../../client/verbs.ts';
import type {Outcome, WorkQueue} from '../../../client/work-queue.ts';
import type {Task} from '../../../sim/task.ts';
import type {Context, Controller} from '../context.ts';
import {Ranges} from './ranges.ts';

const nodes = builtin('nodes');

/** Hands out pod ranges. */
export const nodeIpamController: Controller = {
  name: 'node-ipam-controller',
  account: 'node-controller',
  component: 'cidrAllocator',
  start: context => {
    const ranges = context.settings.podRanges.map(({cidr, maskSize}) => new Ranges(cidr, maskSize));
    if (ranges.length > 0) new Allocator(context, ranges).start();
  },
};

class Allocator {
  readonly #context: Context;
  /** One for each family. */
  readonly #ranges: readonly Ranges[];
  readonly #queue: WorkQueue;
  /** What was handed out but not seen on its node yet. */
  readonly #given = new Map<string, readonly string[]>();

  constructor(context: Context, ranges: readonly Ranges[]) {
    this.#context = context;
    this.#ranges = ranges;
    // One after the other: the order of joining is the order of addresses.
    this.#queue = context.queue({reconcile: key => this.#reconcile(key), workers: 1});
  }

  start(): void {
    this.#context.informers.of<Node>(nodes).on({
      added: node => {
        this.#occupy(node);
        this.#queue.add(node.metadata.name);
      },
      updated: node => {
        if (node.spec.podCIDR === undefined) this.#queue.add(node.metadata.name);
        else this.#given.delete(node.metadata.name);
      },
      deleted: node => {
        this.#release(rangesOf(node));
        this.#release(this.#given.get(node.metadata.name) ?? []);
        this.#given.delete(node.metadata.name);
      },
    });
  }

  #occupy(node: Node): void {
    for (const [index, cidr] of rangesOf(node).entries()) this.#ranges[index]?.occupy(cidr);
  }

  #release(cidrs: readonly string[]): void {
    for (const [index, cidr] of cidrs.entries()) this.#ranges[index]?.release(cidr);
  }

  /** A share of each family; undefined when one of them has none left. */
  #take(): readonly string[] | undefined {
    const taken: string[] = [];
    for (const range of this.#ranges) {
      const cidr = range.take();
      if (cidr !== undefined) taken.push(cidr);
    }
    if (taken.length === this.#ranges.length) return taken;
    this.#release(taken);
    return undefined;
  }

  *#reconcile(name: string): Task<Outcome> {
    const {client, informers, recorder} = this.#context;
    const node = informers.of<Node>(nodes).get(name);
    if (!node || node.spec.podCIDR !== undefined) return undefined;
    const cidrs = this.#given.get(name) ?? this.#take();
    if (!cidrs) {
      const involved = {apiVersion: 'v1', kind: 'Node', name, uid: node.metadata.uid};
      const message = `Node ${name} status is now: CIDRNotAvailable`;
      recorder.recordOn(involved, {type: 'Normal', reason: 'CIDRNotAvailable', message});
      return 'again';
    }
    this.#given.set(name, cidrs);
    const result = yield* client.ask(patch(nodes, {name}, 'strategic', {spec: {podCIDR: cidrs[0], podCIDRs: cidrs}}));
    if (result.ok) return undefined;
    if (result.status.code !== 404 && result.status.code !== 422) return 'again';
    this.#release(cidrs);
    this.#given.delete(name);
    return undefined;
  }
}

function rangesOf({spec: {podCIDR, podCIDRs}}: Node): readonly string[] {
  return podCIDRs ?? (podCIDR === undefined ? [] : [podCIDR]);
}
