// Statements of a script a second.
import {World} from '../../source/world/world.ts';
import {PRESETS} from '../../source/world/presets.ts';
import {bareCluster} from './descriptions.ts';
import {cpuMs, type Bench} from './measure.ts';

const LOOPS = 100_000;

export const shell: Bench = {
  name: 'a script',
  async run() {
    const world = await World.open({description: {...bareCluster(0), nodes: PRESETS.one}, hostNow: () => performance.now()});
    await world.player.run('for ((i = 0; i < 1000; i++)); do :; done');
    const cpu = await cpuMs(() => world.player.run(`for ((i = 0; i < ${LOOPS}; i++)); do x=$i; done`));
    return [{name: 'statements', value: LOOPS / (cpu / 1000), unit: '/s of CPU'}];
  },
};
