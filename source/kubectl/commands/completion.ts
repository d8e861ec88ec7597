// `kubectl completion`: the real one's scripts, where the build found them. The shells here complete kubectl by themselves, so that
// without one there is nothing to do.
import {fail, failUsage} from '../failure.ts';
import {pageOf} from '../flags/help.ts';
import type {Session} from '../session.ts';
import {COMMON_FLAGS, type Command, type Outcome} from './command.ts';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'];

export const completion: Command = {
  path: 'kubectl completion',
  short: 'Print a script that makes a shell complete kubectl',
  examples: ['source <(kubectl completion bash)'],
  does: [...COMMON_FLAGS],
  run,
};

async function run(session: Session): Promise<Outcome> {
  const {args} = session;
  const [shell] = args;
  if (shell === undefined) return failUsage('kubectl completion', 'Shell not specified.');
  if (args.length > 1) return failUsage('kubectl completion', 'Too many arguments. Expected only the shell type.');
  if (!SHELLS.includes(shell)) return failUsage('kubectl completion', `Unsupported shell type ${JSON.stringify(shell)}.`);
  const script = pageOf(`completion ${shell}`);
  if (script === undefined && shell !== 'bash') return fail(`there is no ${shell} here: the shells of this game are bash`);
  await session.out(script ?? '# bash completes kubectl here without a script: there is nothing to load.\n');
  return undefined;
}
