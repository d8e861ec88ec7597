// The API server alone, in process: requests a second and how long each takes.
import {builtin} from '../../source/api/meta/resources.ts';
import type {Request} from '../../source/api/wire/http.ts';
import {create, get, list, watch} from '../../source/client/verbs.ts';
import {PRESETS} from '../../source/world/presets.ts';
import {World} from '../../source/world/world.ts';
import {bareCluster} from './descriptions.ts';
import {cpuMs, timesOf, type Bench, type Figure} from './measure.ts';
import {configMap, pod} from './objects.ts';

const configMaps = builtin('configmaps');
const pods = builtin('pods');
const WATCHERS = 100;

/** Requests to a world in this process, one after the other: nobody's network, nobody's bytes. */
export function apiInProcess(stored: number): Bench {
  return {
    name: `the API in process, ${stored} pods stored`,
    async run() {
      const world = await bareWorld();
      for (let n = 0; n < stored; n++) world.send(pod(n));
      await world.until(() => world.spectator.all(pods, 'default').length >= stored, 600_000, 100);
      const figures: Figure[] = [
        ...(await times(world, 'get', 5000, () => get(pods, {namespace: 'default', name: 'web-7'}), 'more than 1,270')),
        ...(await times(world, `list of ${stored}`, 50, () => list(pods, {namespace: 'default'}))),
        ...(await times(world, 'create', 3000, n => create(configMaps, configMap(`c-${n}`)), 'more than 700')),
        ...(await fanOut(world)),
      ];
      return figures;
    },
  };
}

function bareWorld(): Promise<World> {
  const description = {...bareCluster(0), nodes: PRESETS.solo.filter(node => node.controlPlane)};
  return World.open({description, hostNow: () => performance.now()});
}

/** CPU of requests to a world, one at a time. */
async function times(
  world: World,
  name: string,
  count: number,
  make: (n: number) => Request,
  goal?: string,
): Promise<readonly Figure[]> {
  const ask = async (n: number): Promise<void> => {
    const result = await world.ask(make(n));
    if (!result.ok) throw new Error(result.status.message);
  };
  return timesOf(name, count, ask, goal === undefined ? {} : {goal});
}

/** Events to a hundred watchers a second. */
async function fanOut(world: World): Promise<readonly Figure[]> {
  let heard = 0;
  for (let n = 0; n < WATCHERS; n++) {
    const request = {...watch(configMaps, {namespace: 'default', resourceVersion: '0'}), headers: {'user-agent': `watcher-${n}`}};
    world.request(
      {...request, certificate: world.issue('kubernetes-admin', ['system:masters'])},
      {answer: () => undefined, frame: () => void heard++, end: () => undefined},
    );
  }
  await world.advance(1000);
  heard = 0;
  const CHANGES = 200;
  const cpu = await cpuMs(async () => {
    for (let n = 0; n < CHANGES; n++) world.send(configMap(`w-${n}`));
    await world.until(() => heard >= CHANGES * WATCHERS, 60_000, 10);
  });
  return [{name: `events to ${WATCHERS} watchers`, value: heard / (cpu / 1000), unit: '/s of CPU', goal: 'more than 13,000'}];
}
