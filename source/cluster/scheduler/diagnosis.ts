// Why a pod found no node: what each node's first refusing plugin said, and the sentence that events and conditions carry.
//
//     0/9 nodes are available: 3 Insufficient memory, 6 node(s) had untolerated taint(s). no new claims to deallocate, …
//
// A node counts once for every reason of the one plugin that refused it first; the parts are sorted as text, so "10 …" stands
// before "2 …". A plugin that refused the pod before any node was looked at gives its words without a number.
import {compareStrings} from '../../api/meta/go-text.ts';
import type {NodeInfo} from './state/node-info.ts';
import type {Verdict} from './verdict.ts';

/** One node's refusal. */
export interface Refusal {
  readonly node: NodeInfo;
  readonly plugin: string;
  readonly verdict: Verdict;
}

/** What an attempt found. */
export class Diagnosis {
  readonly total: number;
  readonly refusals: Refusal[] = [];
  /** The plugins whose refusal the pod waits on. */
  readonly plugins = new Set<string>();
  /** Plugins that narrowed the nodes before any was looked at. */
  readonly narrowedBy: string[] = [];
  /** A plugin that refused the pod on every node at once. */
  refusedBefore: {readonly plugin: string; readonly verdict: Verdict} | undefined;
  /** A plugin that could not tell: the attempt failed, which is no verdict on the pod. */
  failed: Verdict | undefined;
  postFilter = '';

  constructor(total: number) {
    this.total = total;
  }

  refuse(node: NodeInfo, plugin: string, verdict: Verdict): void {
    this.refusals.push({node, plugin, verdict});
    this.plugins.add(plugin);
  }

  /** The refusal of each node, by name; a node that is missing was not a candidate. */
  byNode(): ReadonlyMap<string, Refusal> {
    return new Map(this.refusals.map(refusal => [refusal.node.name, refusal]));
  }

  /** The sentence, with or without what postFilter plugins said. */
  message(withPostFilter = true): string {
    if (this.failed) return this.failed.reasons.join(', ');
    if (this.total === 0) return 'no nodes available to schedule pods';
    const before = this.refusedBefore?.verdict.reasons.join(', ');
    const parts = before ?? countText(this.reasons());
    const first = parts === '' ? `0/${this.total} nodes are available:` : `0/${this.total} nodes are available: ${parts}.`;
    return withPostFilter && this.postFilter !== '' ? `${first} ${this.postFilter}` : first;
  }

  /** How many nodes each reason holds for. */
  reasons(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const {verdict} of this.refusals)
      for (const reason of verdict.reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    const others = this.total - this.refusals.length;
    if (others > 0 && this.narrowedBy.length > 0)
      counts.set(`node(s) didn't satisfy plugin(s) [${this.narrowedBy.join(' ')}]`, others);
    return counts;
  }
}

/** `3 Insufficient memory, 6 node(s) had untolerated taint(s)`. */
export function countText(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .sort(compareStrings)
    .join(', ');
}
