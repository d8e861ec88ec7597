// Some commands answer wrong use with their help.
import {Failure, failRaw} from '../failure.ts';
import {usageText} from '../flags/usage.ts';
import type {Session} from '../session.ts';

/** Shows the help of the command on standard error; the outcome has that exit code. */
export async function showUsage(session: Session, code: number): Promise<Failure | undefined> {
  await session.err(usageText(session.flags.command));
  return code === 0 ? undefined : failRaw('', code);
}
