// `crashloop` without a command: the game, from its title.
import type {Command} from './command.ts';
import {ownCatalogue} from './own-catalogue.ts';
import {openProfile} from './profile.ts';

export const game: Command = {
  name: '',
  usage: '[--profile NAME]',
  summary: 'the game: title, map of levels, the last one first',
  flags: [{name: 'profile', value: 'NAME', says: 'whose progress, where several play on one machine'}],
  words: {least: 0, most: 0},
  examples: ['crashloop', 'crashloop --profile nina'],
  async run({flags}) {
    const [{runGame}, catalogue] = await Promise.all([import('./run-game.tsx'), ownCatalogue()]);
    const profile = openProfile(typeof flags['profile'] === 'string' ? flags['profile'] : undefined);
    return runGame({
      catalogue,
      load: profile.load,
      save: profile.save,
      keepRun: profile.keepRun,
      ...(profile.notice === undefined ? {} : {notice: profile.notice}),
    });
  },
};
