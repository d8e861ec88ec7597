// What a cluster costs that nobody touches.
import {World} from '../../source/world/world.ts';
import {PRESETS, type PresetName} from '../../source/world/presets.ts';
import {bareCluster} from './descriptions.ts';
import {cpuMs, median, type Bench} from './measure.ts';

const MINUTES = 5;
/** After so long all code that runs has been compiled. */
const WARM_MS = 3_600_000;

/** A quiet virtual minute of a preset. */
export function quietMinute(preset: PresetName, goal: string): Bench {
  return {
    name: `a quiet virtual minute of ${preset}`,
    async run() {
      const world = await World.open({
        description: {...bareCluster(0), nodes: PRESETS[preset], kubeadm: true},
        hostNow: () => performance.now(),
      });
      await world.advance(120_000);
      const minutes = async () => {
        const each: number[] = [];
        for (let i = 0; i < MINUTES; i++) each.push(await cpuMs(() => world.advance(60_000)));
        return median(each);
      };
      const before = world.physics.clock.count;
      const first = await minutes();
      const events = (world.physics.clock.count - before) / MINUTES;
      await world.advance(WARM_MS);
      return [
        {name: 'CPU, the first minutes', value: first, unit: 'ms', goal},
        {name: 'CPU, after an hour', value: await minutes(), unit: 'ms', goal},
        {name: 'events of the clock', value: events, unit: ''},
      ];
    },
  };
}
