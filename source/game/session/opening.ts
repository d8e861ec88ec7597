// Opens a level: builds the cluster, applies its objects, lets it run until the broken state is reached, and begins to judge.
import type {AnyObject} from '../../api/meta/object.ts';
import {World} from '../../world/world.ts';
import {describeLevel} from '../level/cluster.ts';
import type {Level} from '../level/level.ts';
import {letHappen} from './happenings.ts';
import {LevelError} from './level-error.ts';
import {Judge} from './judging/judge.ts';
import {WorldReferee} from './judging/referee.ts';

/** A level's world, settled, with its judge. */
export interface Opened {
  readonly world: World;
  readonly referee: WorldReferee;
  readonly judge: Judge;
  /** Virtual milliseconds at which the player begins. */
  readonly startedAt: number;
}

const SETTLED_FOR_MS = 2000;
const SETTLED_WITHIN_MS = 30_000;

export interface Opening {
  readonly hostNow: () => number;
  readonly seed?: number;
  /** When it begins, in milliseconds since 1970, instead of what the level says. */
  readonly startMs?: number;
}

export async function openLevel(level: Level, {hostNow, seed, startMs}: Opening): Promise<Opened> {
  const described = describeLevel(level, seed);
  const description = startMs === undefined ? described : {...described, startMs};
  const world = await World.open({description, hostNow});
  for (const object of description.objects) await apply(world, object, level);
  world.beginPlayerView();
  await world.advance(level.settle ?? 0);
  const referee = new WorldReferee(world);
  referee.rememberMembers();
  const vain = await letHappen(level.faults ?? [], {world, referee});
  if (vain !== undefined) throw new LevelError(`${level.id}: ${vain}`);
  const judge = new Judge(level, referee);
  const checks = [...level.objectives, ...(level.constraints ?? [])].map(each => each.check);
  for (const check of checks) check.judge(referee);
  referee.startProbes(checks.flatMap(check => check.probes));
  await world.until(
    () => world.spectator.isReady && checks.every(check => check.probes.every(probe => referee.samples(probe).length > 0)),
    10_000,
  );
  referee.remember();
  for (const [name, text] of Object.entries(description.player.files)) world.player.writeFile(name, text);
  return {world, referee, judge, startedAt: world.now};
}

async function apply(world: World, object: AnyObject, level: Level): Promise<void> {
  const problem = await world.apply(object);
  if (problem !== undefined)
    throw new LevelError(`${level.id}: the API server refuses ${object.kind} ${object.metadata.name}: ${problem}`);
  if (level.applyOrder?.includes(object.metadata.name)) await world.quiet(SETTLED_FOR_MS, SETTLED_WITHIN_MS);
}
