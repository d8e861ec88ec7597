// The objects that a rollout command is about.
import {fail, Failure} from '../../failure.ts';
import type {Selected} from '../../resources/found.ts';
import {select} from '../../resources/select.ts';
import type {Session} from '../../session.ts';
import {COMMON_FLAGS, FILE_FLAGS} from '../command.ts';

/** Flags of every rollout command. */
export const ROLLOUT_FLAGS: readonly string[] = [...COMMON_FLAGS, ...FILE_FLAGS, 'selector'];

/** What flags and arguments choose. */
export async function rolloutTargets(session: Session): Promise<Selected | Failure> {
  const {flags, args} = session;
  if (args.length === 0 && !session.hasFiles) return fail('required resource not specified');
  return select(session, {
    args,
    kindAlone: true,
    labels: flags.text('selector') || undefined,
    files: session.files,
    recursive: flags.on('recursive'),
    latest: true,
  });
}
