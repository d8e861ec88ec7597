// What a cluster costs that nobody touches.
import {World} from '../../source/world/world.ts';
import {PRESETS, type PresetName} from '../../source/world/presets.ts';
import {bareCluster} from './descriptions.ts';
import {cpuMs, median, type Bench} from './measure.ts';

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
      const minutes: number[] = [];
      const before = world.physics.clock.count;
      for (let i = 0; i < 5; i++) minutes.push(await cpuMs(() => world.advance(60_000)));
      return [
        {name: 'CPU', value: median(minutes), unit: 'ms', goal},
        {name: 'events of the clock', value: (world.physics.clock.count - before) / 5, unit: ''},
      ];
    },
  };
}
