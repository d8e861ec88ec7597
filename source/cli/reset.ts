// `crashloop reset`: forgets progress, after asking.
import {createInterface} from 'node:readline/promises';
import {produce} from 'immer';
import {NO_PROGRESS} from '../game/progress.ts';
import type {Command} from './command.ts';
import {UsageError} from './command.ts';
import {openLevel} from './level-files.ts';
import {profileOf} from './profile.ts';

export const reset: Command = {
  name: 'reset',
  usage: 'reset [LEVEL] [--yes] [--profile NAME]',
  summary: 'forgets progress, of one level or of all, after asking',
  flags: [
    {name: 'yes', says: 'does not ask'},
    {name: 'profile', value: 'NAME', says: 'whose progress'},
  ],
  words: {least: 0, most: 1},
  examples: ['crashloop reset wrong-crate', 'crashloop reset --yes'],
  async run({flags, words}) {
    const profile = profileOf(flags);
    const [word] = words;
    const level = word === undefined ? undefined : (await openLevel(word)).level;
    const what = level ? `what you did in ${level.title}` : 'all progress';
    if (flags['yes'] !== true && !(await agreed(`Forget ${what}? [y/N] `))) {
      process.stdout.write('Nothing was forgotten.\n');
      return 1;
    }
    const before = profile.load();
    profile.save(
      level
        ? produce(before, draft => {
            delete draft.levels[level.id];
            if (draft.saved?.level === level.id) draft.saved = undefined;
          })
        : {...NO_PROGRESS, settings: before.settings},
    );
    process.stdout.write(`Forgot ${what}.\n`);
    return 0;
  },
};

async function agreed(question: string): Promise<boolean> {
  if (process.stdin.isTTY !== true)
    throw new UsageError('crashloop reset: there is no terminal to ask on; say --yes if you mean it');
  const lines = createInterface({input: process.stdin, output: process.stdout});
  const answer = await lines.question(question);
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}
