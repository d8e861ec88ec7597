// The node IPAM controller: each node gets its share of the cluster's pod addresses, in the order in which nodes join.
//
// Modelled for one IPv4 range; shares of a second family are not.
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
    const {clusterCidr, nodeCidrMaskSize} = context.settings;
    if (clusterCidr !== undefined) new Allocator(context, new Ranges(clusterCidr, nodeCidrMaskSize)).start();
  },
};

class Allocator {
  readonly #context: Context;
  readonly #ranges: Ranges;
  readonly #queue: WorkQueue;
  /** What was handed out but not seen on its node yet. */
  readonly #given = new Map<string, string>();

  constructor(context: Context, ranges: Ranges) {
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
        for (const cidr of rangesOf(node)) this.#ranges.release(cidr);
        const given = this.#given.get(node.metadata.name);
        if (given !== undefined) this.#ranges.release(given);
        this.#given.delete(node.metadata.name);
      },
    });
  }

  #occupy(node: Node): void {
    for (const cidr of rangesOf(node)) this.#ranges.occupy(cidr);
  }

  *#reconcile(name: string): Task<Outcome> {
    const {client, informers, recorder} = this.#context;
    const node = informers.of<Node>(nodes).get(name);
    if (!node || node.spec.podCIDR !== undefined) return undefined;
    const cidr = this.#given.get(name) ?? this.#ranges.take();
    if (cidr === undefined) {
      const involved = {apiVersion: 'v1', kind: 'Node', name, uid: node.metadata.uid};
      const message = `Node ${name} status is now: CIDRNotAvailable`;
      recorder.recordOn(involved, {type: 'Normal', reason: 'CIDRNotAvailable', message});
      return 'again';
    }
    this.#given.set(name, cidr);
    const result = yield* client.ask(patch(nodes, {name}, 'strategic', {spec: {podCIDR: cidr, podCIDRs: [cidr]}}));
    if (result.ok) return undefined;
    if (result.status.code !== 404 && result.status.code !== 422) return 'again';
    this.#ranges.release(cidr);
    this.#given.delete(name);
    return undefined;
  }
}

function rangesOf({spec: {podCIDR, podCIDRs}}: Node): readonly string[] {
  return podCIDRs ?? (podCIDR === undefined ? [] : [podCIDR]);
}
