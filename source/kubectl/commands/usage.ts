// Some commands answer wrong use with their help.
import {fail, type Failure} from '../failure.ts';
import {helpPage} from '../flags/help.ts';
import type {Session} from '../session.ts';

/** Shows the help of the command, and says what was wrong with its arguments. */
export async function showUsage(session: Session, code: number): Promise<Failure | undefined> {
  const {command} = session.flags;
  await session.out(helpPage(command) ?? `Usage:\n  ${command.usage}\n`);
  const word = command.path.endsWith('set-credentials') ? 'unexpected' : 'Unexpected';
  return code === 0 ? undefined : fail(`${word} args: [${session.args.join(' ')}]`);
}
