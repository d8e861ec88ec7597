// `crashloop play LEVEL`: straight into a level.
import type {Command} from './command.ts';
import {numberFlag} from './command.ts';
import {withEntry} from '../game/catalogue.ts';
import {openLevel} from './level-files.ts';
import {ownCatalogue} from './own-catalogue.ts';
import {openProfile} from './profile.ts';

export const play: Command = {
  name: 'play',
  usage: 'play LEVEL [--seed N] [--profile NAME]',
  summary: 'straight into a level: a number (2.1), a name (nine-nodes-no-room) or a file',
  flags: [
    {name: 'seed', value: 'N', says: "another chance than the level's own"},
    {name: 'profile', value: 'NAME', says: 'whose progress'},
  ],
  words: {least: 1, most: 1},
  examples: ['crashloop play 2.1', 'crashloop play ./my-level.yaml'],
  async run(typed) {
    const entry = await openLevel(typed.words[0] ?? '');
    const seed = numberFlag(typed, 'seed');
    const {runGame} = await import('./run-game.tsx');
    const profile = openProfile(typeof typed.flags['profile'] === 'string' ? typed.flags['profile'] : undefined);
    const options = {
      catalogue: withEntry(await ownCatalogue(), entry),
      load: profile.load,
      save: profile.save,
      keepRun: profile.keepRun,
      ...(seed === undefined ? {} : {seed}),
      ...(profile.notice === undefined ? {} : {notice: profile.notice}),
    };
    return runGame(options, game => void game.open(entry.level.id));
  },
};
