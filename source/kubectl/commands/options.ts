// `kubectl options`: the flags that every command takes.
import {optionsText} from '../flags/help.ts';
import type {Command} from './command.ts';

export const options: Command = {
  path: 'kubectl options',
  short: 'Show the flags that every command takes',
  does: [],
  run: async session => {
    await session.out(optionsText(session.process.environment.get('HOME') ?? ''));
    return undefined;
  },
};
