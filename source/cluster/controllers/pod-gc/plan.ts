// Which pods nobody will end any more, so that the collector must: pods of nodes that are gone, terminating pods that never got
// a node, terminating pods of a node that is out of service, and the oldest of too many that have ended.
import type {Node, Pod} from '../../../api/kinds/core-v1.ts';
import {isTerminating} from '../../../api/meta/pod.ts';
import {findCondition} from '../../../api/meta/conditions.ts';

const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';

/** Is the node not ready, and declared as out of service? Then what runs there is believed to be dead. */
function isOutOfService(node: Node | undefined): boolean {
  if (!node || findCondition(node.status?.conditions, 'Ready')?.status === 'True') return false;
  return (node.spec.taints ?? []).some(taint => taint.key === OUT_OF_SERVICE);
}

/** A pod that waits for its end without anybody to bring it. */
export function isStuck(pod: Pod, node: Node | undefined): boolean {
  if (!isTerminating(pod)) return false;
  return pod.spec.nodeName ? isOutOfService(node) : true;
}

/** The oldest of the pods that have ended, beyond the threshold. */
export function surplusOf(ended: readonly Pod[], threshold: number): readonly Pod[] {
  const over = ended.length - threshold;
  if (over <= 0) return [];
  return ended.toSorted(byAge).slice(0, over);
}

function byAge(a: Pod, b: Pod): number {
  const left = `${a.metadata.creationTimestamp} ${a.metadata.name}`;
  const right = `${b.metadata.creationTimestamp} ${b.metadata.name}`;
  return left < right ? -1 : left > right ? 1 : 0;
}
