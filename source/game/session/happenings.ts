// Carries out what befell a cluster before its level begins: each by the means of a machine, a link, a disk, or somebody's hands.
import type {World} from '../../world/world.ts';
import type {Deed, Happening, Told, VerbName} from '../level/happening.ts';
import type {WorldReferee} from './judging/referee.ts';

const WAIT_MS = 120_000;
const ANSWER_MS = 60_000;
const BOOT_MS = 20_000;

/** Lets it happen in order; a sentence says what did not come about. */
export async function letHappen(
  happenings: readonly Happening[],
  around: {readonly world: World; readonly referee: WorldReferee},
): Promise<string | undefined> {
  const {world, referee} = around;
  for (const [index, each] of happenings.entries()) {
    const problem = 'verb' in each ? await carryOut(world, each) : await waitFor(each, {world, referee});
    if (problem !== undefined) return `faults[${index}]: ${problem}`;
  }
  return undefined;
}

async function waitFor(
  {wait, timeout = WAIT_MS}: Exclude<Happening, Deed>,
  {world, referee}: {world: World; referee: WorldReferee},
): Promise<string | undefined> {
  if ('forMs' in wait) {
    await world.advance(wait.forMs);
    return undefined;
  }
  if (await world.until(() => wait.until.judge(referee).met, timeout)) return undefined;
  return `waited ${timeout / 1000} s in vain for ${wait.until.name} (${wait.until.judge(referee).note})`;
}

/** Does it; a text that comes back says why it could not be done. */
type Act<V extends VerbName> = (world: World, told: Told<V>) => unknown;

const ACTS: {readonly [V in VerbName]: Act<V>} = {
  'net.partition': ({machines}, {node, from}) => machines.partition(node, from),
  'net.heal': ({machines}, {node}) => machines.heal(node),
  'api.apply': applyVia,
  'file.write': ({machines}, {node, path, text}) => machines.files(node)?.place(path, text),
  'file.move': ({machines}, {node, from, to}) => machines.files(node)?.rename(from, to),
  'file.delete': ({machines}, {node, path}) => machines.files(node)?.remove(path, true),
  'file.patch': patchFlags,
  'disk.wipe': ({machines}, {node, path}) => wipe(machines.files(node), path),
  'disk.fill': ({machines}, {node, claim, size}) => {
    if (node !== undefined) machines.fillDisk(node, size);
    if (claim !== undefined) machines.fillClaim(claim, size);
  },
  'power.off': ({machines}, {node}) => machines.power(node, false),
  'power.on': ({machines}, {node}) => machines.power(node, true),
  'power.reboot': async (world, {node}) => {
    world.machines.power(node, false);
    await world.advance(BOOT_MS);
    world.machines.power(node, true);
  },
  'clock.jump': ({machines}, {node, by}) => machines.moveClock(node, by),
  'service.stop': ({machines}, {node, name}) => machines.service(node, name, 'stop'),
  'service.start': ({machines}, {node, name}) => machines.service(node, name, 'start'),
  'user.run': async (world, {on, run}) => {
    await world.player.run(run, on);
  },
};

async function carryOut(world: World, deed: Deed): Promise<string | undefined> {
  const {node} = deed.told as {readonly node?: string};
  if (node !== undefined && !world.machines.has(node)) return `there is no machine ${JSON.stringify(node)}`;
  const act = ACTS[deed.verb] as Act<VerbName>;
  const problem = await act(world, deed.told as Told<VerbName>);
  return typeof problem === 'string' ? `${deed.verb}: ${problem}` : undefined;
}

/** Creates an object at the API server of one machine. */
async function applyVia(world: World, {via, object}: Told<'api.apply'>): Promise<string | undefined> {
  if (via === undefined) return world.apply(object);
  let answer: string | true | undefined;
  world.machines.create(via, object, result => (answer = result.ok || (result.status.message ?? 'refused')));
  await world.until(() => answer !== undefined, ANSWER_MS);
  return answer === true ? undefined : (answer ?? 'no answer');
}

/** Gives flags of a manifest's command other values. */
function patchFlags({machines}: World, {node, path, set}: Told<'file.patch'>): string | undefined {
  const files = machines.files(node);
  const text = files?.read(path);
  if (files === undefined || text === undefined) return `there is no file ${path} on ${node}`;
  let patched = text;
  for (const [flag, value] of Object.entries(set)) {
    const line = patched.split('\n').find(each => each.trimStart().startsWith(`- ${flag}=`));
    if (line === undefined) return `there is no flag ${flag} in ${path}`;
    patched = patched.replace(line, () => `${line.slice(0, line.indexOf('- '))}- ${flag}=${value}`);
  }
  files.place(path, patched, 0o600);
  return undefined;
}

/** Empties a folder. */
function wipe(files: ReturnType<World['machines']['files']>, path: string): string | undefined {
  for (const name of files?.list(path) ?? []) files?.remove(`${path}/${name}`, true);
  return undefined;
}
