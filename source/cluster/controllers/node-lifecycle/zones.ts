// How fast pods are driven away. When many nodes fall silent together the network is more likely broken than the nodes, so each
// zone lets one node be tainted at once and then one every ten seconds. A zone where more than half of its nodes (55 %, and
// more than two) are not ready slows down: to one in a hundred seconds when it is large, to none at all when it is small.
//
// Not modelled: a cluster whose every node is not ready stops evictions by what is written about it. The recordings of a
// cluster with one node show its taint all the same, so such a cluster goes on at the normal rate here.
import type {Node} from '../../../api/kinds/core-v1.ts';
import type {NodeTuning} from '../tuning.ts';

/** Fewer that are silent say nothing of their zone. */
const FEW = 2;

/** The zone of a node, region and all; nodes without labels share one. */
export function zoneOf({metadata: {labels}}: Node): string {
  return `${labels?.['topology.kubernetes.io/region'] ?? ''}:${labels?.['topology.kubernetes.io/zone'] ?? ''}`;
}

/** The span between two nodes that are tainted in a zone; Infinity for never. */
export function paceMs(
  zone: {readonly nodes: number; readonly notReady: number},
  tuning: Pick<NodeTuning, 'paceMs' | 'slowPaceMs' | 'unhealthyShare' | 'largeZone'>,
): number {
  const {nodes, notReady} = zone;
  const partial = notReady < nodes && notReady > FEW && notReady / nodes >= tuning.unhealthyShare;
  if (!partial) return tuning.paceMs;
  return nodes > tuning.largeZone ? tuning.slowPaceMs : Infinity;
}
