// How long a pod bears the NoExecute taints of its node.
import type {Taint, Toleration} from '../../../api/kinds/core-v1.ts';
import {toleratesTaint} from '../../../api/meta/taints.ts';

/** The NoExecute taints among a node's. */
export function drivingTaints(taints: readonly Taint[] | undefined): readonly Taint[] {
  return (taints ?? []).filter(taint => taint.effect === 'NoExecute');
}

/** 0: not at all; Infinity: for ever; else the shortest of the tolerations that cover the taints, in milliseconds. */
export function enduranceMs(tolerations: readonly Toleration[] | undefined, taints: readonly Taint[]): number {
  if (taints.length === 0) return Infinity;
  let least = Infinity;
  for (const taint of taints) {
    const covering = tolerations?.find(toleration => toleratesTaint(toleration, taint));
    if (!covering) return 0;
    if (covering.tolerationSeconds !== undefined) least = Math.min(least, Math.max(0, covering.tolerationSeconds * 1000));
  }
  return least;
}
