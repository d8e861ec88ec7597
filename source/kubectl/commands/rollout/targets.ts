// The objects that a rollout command is about.
import type {AnyObject} from '../../../api/meta/object.ts';
import {fail, Failure} from '../../failure.ts';
import type {Selected} from '../../resources/found.ts';
import {select} from '../../resources/select.ts';
import type {Session} from '../../session.ts';
import {COMMON_FLAGS, FILE_FLAGS} from '../command.ts';

/** Flags of every rollout command. */
export const ROLLOUT_FLAGS: readonly string[] = [...COMMON_FLAGS, ...FILE_FLAGS, 'selector'];

/** Something must be named. */
export function targetProblem(session: Session): Failure | undefined {
  return session.args.length === 0 && !session.hasFiles ? fail('required resource not specified') : undefined;
}

/** What flags and arguments choose. */
export async function rolloutTargets(session: Session): Promise<Selected | Failure> {
  const {flags, args} = session;
  const wrong = targetProblem(session);
  if (wrong) return wrong;
  return select(session, {
    args,
    kindAlone: true,
    labels: flags.text('selector') || undefined,
    files: session.files,
    recursive: flags.on('recursive'),
    latest: true,
    typed: true,
  });
}

/** Does the kind roll out? */
export function hasRollouts({kind}: AnyObject): boolean {
  return ['Deployment', 'DaemonSet', 'StatefulSet'].includes(kind);
}

/** Has the kind pods, but no rollouts of them? Other kinds are not even looked at. */
export function hasNoRollouts({kind}: AnyObject): boolean {
  return ['ReplicationController', 'ReplicaSet', 'Pod', 'Job', 'CronJob'].includes(kind);
}

/** `ReplicaSet.apps`, `Pod`. */
export function groupKind({kind, group}: {readonly kind: string; readonly group: string}): string {
  return group === '' ? kind : `${kind}.${group}`;
}
