// `crashloop levels`: the catalogue, with what is solved.
import {starsText} from '../game/score.ts';
import type {Command} from './command.ts';
import {ownCatalogue} from './own-catalogue.ts';
import {profileOf} from './profile.ts';

export const levels: Command = {
  name: 'levels',
  usage: 'levels [--json] [--profile NAME]',
  summary: 'lists the levels: what is solved, stars, best time',
  flags: [
    {name: 'json', says: 'prints one JSON list, for programs'},
    {name: 'profile', value: 'NAME', says: 'whose progress'},
  ],
  words: {least: 0, most: 0},
  examples: ['crashloop levels', 'crashloop levels --json'],
  async run({flags}) {
    const {cards, broken} = await ownCatalogue();
    const progress = profileOf(flags).load();
    const rows = cards.map(({number, id, title, domain, difficulty, minutes}) => {
      const known = progress.levels[id];
      return {
        number,
        id,
        title,
        domain,
        difficulty,
        minutes,
        solved: known?.solved ?? false,
        stars: known?.stars ?? 0,
        bestSeconds: known?.bestMs === undefined ? null : known.bestMs / 1000,
      };
    });
    if (flags['json'] === true) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
    else
      for (const row of rows)
        process.stdout.write(
          `${row.number.padEnd(5)} ${row.id.padEnd(22)} ${row.title.padEnd(24)} ${row.solved ? starsText(row.stars) : '   '}  ${row.minutes} min\n`,
        );
    for (const problem of broken) process.stderr.write(`${problem}\n`);
    return broken.length > 0 ? 1 : 0;
  },
};
