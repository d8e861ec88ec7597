// Is a node alive? Its kubelet renews a lease every ten seconds and posts a status now and then; each of them counts as a sign.
// Fifty seconds without a sign (sixty for a node that never posted anything) and all that the kubelet said of the node is
// Unknown. The times of signs are the controller's own: clocks of nodes may differ.
import type {Lease} from '../../../api/kinds/coordination-v1.ts';
import type {Node, NodeCondition} from '../../../api/kinds/core-v1.ts';
import {findCondition} from '../../../api/meta/conditions.ts';
import {parseTime} from '../../../api/meta/time.ts';
import type {NodeTuning} from '../tuning.ts';

/** What is remembered of a node. */
export interface Health {
  /** When the last sign was seen. */
  readonly seenMs: number;
  /** The heartbeat of the Ready condition then; undefined where there was none. */
  readonly heartbeat: string | undefined;
  readonly hasReady: boolean;
  readonly renewTime: string | undefined;
}

const KINDS = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'] as const;

/** The node's health after a look at its object and its lease. */
export function observe(
  old: Health | undefined,
  node: Node,
  seen: {readonly lease: Lease | undefined; readonly nowMs: number; readonly wallMs: number},
): Health {
  const {lease, nowMs, wallMs} = seen;
  const ready = findCondition(node.status?.conditions, 'Ready');
  const renewTime = lease?.spec.renewTime;
  const renewed = renewTime !== undefined && (old?.renewTime === undefined || renewTime > old.renewTime);
  const next = {
    hasReady: ready !== undefined,
    heartbeat: ready?.lastHeartbeatTime,
    renewTime: renewed ? renewTime : old?.renewTime,
  };
  if (!old) {
    const ageMs = Math.max(0, wallMs - (parseTime(node.metadata.creationTimestamp) ?? wallMs));
    return {...next, seenMs: ready || renewed ? nowMs : nowMs - ageMs};
  }
  const posted = old.hasReady !== next.hasReady || old.heartbeat !== next.heartbeat;
  if (!posted && !renewed) return old;
  return {...next, seenMs: nowMs};
}

/** When it is given up, unless a sign comes. */
export function deadlineMs({seenMs, hasReady}: Health, {graceMs, startupGraceMs}: NodeTuning): number {
  return seenMs + (hasReady ? graceMs : startupGraceMs);
}

/** The Ready status that the node object shows; Unknown where it shows none. */
export function readyStatus(node: Node): string {
  return findCondition(node.status?.conditions, 'Ready')?.status ?? 'Unknown';
}

/** The conditions of a node that is given up; undefined when they say so already. */
export function unknownConditions(node: Node, now: string): readonly NodeCondition[] | undefined {
  const old = node.status?.conditions ?? [];
  const ready = findCondition(old, 'Ready');
  if (ready?.status === 'Unknown') return undefined;
  const next = old.map(condition => {
    if (!KINDS.some(kind => kind === condition.type) || condition.status === 'Unknown') return condition;
    const words = {reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.'};
    return {...condition, ...words, status: 'Unknown', lastTransitionTime: now};
  });
  const missing = KINDS.filter(kind => !findCondition(old, kind)).map((type): NodeCondition => ({
    type,
    status: 'Unknown',
    reason: 'NodeStatusNeverUpdated',
    message: 'Kubelet never posted node status.',
    lastHeartbeatTime: node.metadata.creationTimestamp,
    lastTransitionTime: now,
  }));
  return [...next, ...missing];
}
