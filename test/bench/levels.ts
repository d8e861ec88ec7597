// What it costs to open each level, from nothing to its broken state.
import {ownCourse} from '../../source/cli/level-files.ts';
import {openLevel} from '../../source/game/session/opening.ts';
import {cpuMs, median, type Bench} from './measure.ts';

const TIMES = 5;

export const levels: Bench = {
  name: 'opening levels',
  async run() {
    const figures = [];
    for (const {level, number} of ownCourse().entries) {
      const hostNow = () => performance.now();
      const first = await cpuMs(() => openLevel(level, {hostNow}));
      const times: number[] = [];
      for (let i = 0; i < TIMES; i++) times.push(await cpuMs(() => openLevel(level, {hostNow})));
      figures.push(
        {name: `${number} the first time`, value: first, unit: 'ms of CPU'},
        {name: `${number} after that, median`, value: median(times), unit: 'ms of CPU', goal: 'at most 50'},
      );
    }
    return figures;
  },
};
