// `crashloop new FILE`: a level to start from.
import {existsSync, writeFileSync} from 'node:fs';
import {STARTER_LEVEL} from '../game/level/starter.ts';
import type {Command} from './command.ts';
import {UsageError} from './command.ts';

export const newLevel: Command = {
  name: 'new',
  usage: 'new FILE',
  summary: 'writes a commented level to start from, that passes check',
  flags: [],
  words: {least: 1, most: 1},
  examples: ['crashloop new my-level.yaml', 'crashloop check my-level.yaml'],
  async run({words}) {
    const [path = ''] = words;
    if (existsSync(path)) throw new UsageError(`crashloop new: ${path} is there already; name a file that is not`);
    writeFileSync(path, STARTER_LEVEL);
    process.stdout.write(`${path} is a level. Play it with: crashloop play ${path}   Prove it with: crashloop check ${path}\n`);
    return 0;
  },
};
