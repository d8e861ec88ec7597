// Which pods of a node a drain may send away. Pods of a DaemonSet would come back, a pod without a controller would be lost for
// good, what an emptyDir holds would be lost too: each needs a word of consent. Mirrors of static pods cannot be sent away.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {controllerOf, pathOf, type AnyObject} from '../../../api/meta/object.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {Failure} from '../../failure.ts';
import type {Session} from '../../session.ts';

/** The pods that leave, what is said about others, and what forbids it all. */
export interface Judgement {
  readonly leaving: readonly Pod[];
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
}

interface Verdict {
  readonly leaves: boolean;
  readonly warning?: string;
  readonly error?: string;
}

const LEAVES: Verdict = {leaves: true};
const MIRROR = 'kubernetes.io/config.mirror';

/** Judges all pods of a node. */
export async function judgePods(session: Session, pods: readonly Pod[]): Promise<Judgement> {
  const leaving: Pod[] = [];
  const warnings = new Map<string, string[]>();
  const errors = new Map<string, string[]>();
  for (const pod of pods) {
    const place = `${pod.metadata.namespace ?? ''}/${pod.metadata.name}`;
    const verdict = await judge(session, pod);
    if (verdict.leaves) leaving.push(pod);
    if (verdict.warning !== undefined) warnings.set(verdict.warning, [...(warnings.get(verdict.warning) ?? []), place]);
    if (verdict.error !== undefined) errors.set(verdict.error, [...(errors.get(verdict.error) ?? []), place]);
  }
  return {
    leaving,
    warnings: [...warnings].map(([words, places]) => `${words}: ${places.join(', ')}`),
    errors: [...errors].map(([words, places]) => `cannot delete ${words}: ${places.join(', ')}`),
  };
}

/** The first that forbids it has its way; of those that allow it, the last warning is told. */
async function judge(session: Session, pod: Pod): Promise<Verdict> {
  let verdict = LEAVES;
  for (const filter of [ofDaemonSet, isMirror, hasLocalStorage, isUnmanaged]) {
    const next = await filter(session, pod);
    if (!next.leaves) return next;
    if (next.warning !== undefined) verdict = next;
  }
  return verdict;
}

function isFinished({status}: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

async function ofDaemonSet(session: Session, pod: Pod): Promise<Verdict> {
  const owner = controllerOf(pod as unknown as AnyObject);
  if (owner?.kind !== 'DaemonSet' || isFinished(pod)) return LEAVES;
  const api = session.api();
  if (api instanceof Failure) return {leaves: false, error: api.message};
  const set = await api.ask({method: 'GET', path: pathOf(builtin('apps', 'daemonsets'), pod.metadata.namespace, owner.name)});
  if (set instanceof Failure) {
    if (set.is('NotFound') && session.flags.on('force')) return {leaves: true, warning: set.message};
    return {leaves: false, error: set.message};
  }
  if (!session.flags.on('ignore-daemonsets'))
    return {leaves: false, error: 'DaemonSet-managed Pods (use --ignore-daemonsets to ignore)'};
  return {leaves: false, warning: 'ignoring DaemonSet-managed Pods'};
}

function isMirror(_session: Session, {metadata}: Pod): Verdict {
  return metadata.annotations?.[MIRROR] === undefined ? LEAVES : {leaves: false};
}

function hasLocalStorage({flags}: Session, pod: Pod): Verdict {
  const isLocal = (pod.spec?.volumes ?? []).some(({emptyDir}) => emptyDir !== undefined);
  if (!isLocal || isFinished(pod) || flags.on('delete-emptydir-data')) return LEAVES;
  return {leaves: false, error: 'Pods with local storage (use --delete-emptydir-data to override)'};
}

function isUnmanaged({flags}: Session, pod: Pod): Verdict {
  if (isFinished(pod) || controllerOf(pod as unknown as AnyObject)) return LEAVES;
  if (flags.on('force')) return {leaves: true, warning: 'deleting Pods that declare no controller'};
  return {leaves: false, error: 'cannot delete Pods that declare no controller (use --force to override)'};
}
