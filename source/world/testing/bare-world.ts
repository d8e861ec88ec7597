// A bare cluster for tests: the machines of a preset, and nothing on them but what every cluster has.
import {PRESETS, type PresetName} from '../presets.ts';
import {World} from '../world.ts';

/** Opens it and lets so many milliseconds pass. */
export async function bareWorld(preset: PresetName, settleMs: number): Promise<World> {
  const description = {
    seed: 7,
    startMs: Date.UTC(2026, 10, 30, 9, 0, 0),
    nodes: PRESETS[preset],
    kubeadm: false,
    metricsServer: false,
    images: [],
    programs: {},
    objects: [],
    player: {user: 'root', groups: [], namespace: '', files: {}, allowed: []},
  };
  const world = await World.open({description, hostNow: () => 0});
  await world.advance(settleMs);
  return world;
}
