// `--pod-running-timeout`: how long a pod is waited for.
import {failUsage, type Failure} from '../../failure.ts';
import type {Session} from '../../session.ts';

/** It must be more than nothing. */
export function podTimeoutProblem({flags}: Pick<Session, 'flags'>): Failure | undefined {
  return flags.duration('pod-running-timeout') > 0
    ? undefined
    : failUsage(flags.command.path, '--pod-running-timeout must be higher than zero');
}
