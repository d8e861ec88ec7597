// What a Deployment writes on its ReplicaSets: the revision, earlier revisions of a set that came back, and how large the
// whole was meant to be, by which a scaling is told from a rollout. All other annotations of the Deployment are copied.
import type {Deployment, ReplicaSet} from '../../../api/kinds/apps-v1.ts';
import {desired, maxSurge} from './arithmetic.ts';

export const REVISION = 'deployment.kubernetes.io/revision';
const HISTORY = 'deployment.kubernetes.io/revision-history';
const DESIRED = 'deployment.kubernetes.io/desired-replicas';
const MAX = 'deployment.kubernetes.io/max-replicas';
const NOT_COPIED: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deprecated.deployment.rollback.to',
  REVISION,
  HISTORY,
  DESIRED,
  MAX,
]);
const HISTORY_LETTERS = 2000;

type Annotations = Readonly<Record<string, string>>;

/** The revision of a set; 0 for none. */
export function revisionOf(set: ReplicaSet): number {
  return numberOf(set.metadata.annotations?.[REVISION]) ?? 0;
}

/** The size of the whole when the set was last scaled. */
export function desiredOf(set: ReplicaSet): number | undefined {
  return numberOf(set.metadata.annotations?.[DESIRED]);
}

/** The most pods that were allowed then. */
export function maxOf(set: ReplicaSet): number | undefined {
  return numberOf(set.metadata.annotations?.[MAX]);
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** The annotations of the newest set, given the greatest revision of the others; the same object when all is well. */
export function newSetAnnotations(deployment: Deployment, own: Annotations | undefined, oldRevision: number): Annotations {
  const changes = new Map<string, string>();
  for (const [key, value] of Object.entries(deployment.metadata.annotations ?? {})) {
    if (!NOT_COPIED.has(key) && own?.[key] !== value) changes.set(key, value);
  }
  const before = numberOf(own?.[REVISION]) ?? 0;
  if (before < oldRevision + 1) {
    changes.set(REVISION, String(oldRevision + 1));
    if (own?.[REVISION] !== undefined) changes.set(HISTORY, history(own[HISTORY], own[REVISION]));
  }
  return changes.size === 0 && own ? own : Object.freeze({...own, ...Object.fromEntries(changes)});
}

function history(known: string | undefined, revision: string): string {
  const revisions = [...(known ? known.split(',') : []), revision];
  while (revisions.length > 1 && revisions.join(',').length > HISTORY_LETTERS) revisions.shift();
  return revisions.join(',');
}

/** The annotations with the size of the whole; the same object when it is there. */
export function withSizes(deployment: Deployment, own: Annotations | undefined): Annotations {
  const wanted = String(desired(deployment));
  const most = String(desired(deployment) + maxSurge(deployment));
  if (own?.[DESIRED] === wanted && own[MAX] === most) return own;
  return Object.freeze({...own, [DESIRED]: wanted, [MAX]: most});
}
