// `crashloop serve`: the cluster behind a TLS port on loopback, for a real kubectl, helm or k9s.
//
// Real clients compare times with their own clock, so the cluster's time is to be the host's when the port opens. How much virtual
// time it takes to open a cluster is only known afterwards: it is opened once to find out, and then again that much earlier.
import {randomBytes} from 'node:crypto';
import {readFileSync} from 'node:fs';
import type {Level} from '../game/level/level.ts';
import {ownCluster} from '../game/own-cluster.ts';
import {openLevel as openLevelWorld, type Opened} from '../game/session/opening.ts';
import {Watch} from '../game/session/judging/watch.ts';
import {makeIdentity} from '../serve/identity.ts';
import {kubeconfigText, writePrivate} from '../serve/kubeconfig.ts';
import {Port} from '../serve/port.ts';
import type {NodeDescription} from '../world/description.ts';
import {World} from '../world/world.ts';
import type {Command, Typed} from './command.ts';
import {numberFlag, UsageError} from './command.ts';
import {openLevel} from './level-files.ts';
import {nodesFrom} from './nodes.ts';

const SEED = 1;

export const serve: Command = {
  name: 'serve',
  usage: 'serve [LEVEL | --nodes FILE] --kubeconfig FILE [--port N] [--speed N] [--seed N]',
  summary:
    'the cluster behind a TLS port on loopback, for a real kubectl or helm; above --speed 1 the ages that a real kubectl prints are wrong',
  flags: [
    {name: 'kubeconfig', value: 'FILE', says: 'writes a kubeconfig for the port there (mode 0600)'},
    {name: 'nodes', value: 'FILE', says: 'a v1 List of Nodes: a bare cluster with a machine for each'},
    {name: 'port', value: 'N', says: 'the port on 127.0.0.1; 0, the default: any free one'},
    {name: 'speed', value: 'N', says: 'virtual seconds a real second; 1 by default, 0: time passes only while requests wait'},
    {name: 'seed', value: 'N', says: "another chance than the level's own"},
  ],
  words: {least: 0, most: 1},
  examples: [
    'crashloop serve --kubeconfig /tmp/lab.conf',
    'crashloop serve nine-nodes-no-room --kubeconfig lab.conf --port 6443',
  ],
  async run(typed) {
    const {path, port, speed, seed, ...what} = await readFlags(typed);
    const {world, opened} = await openNow(what, seed);
    const {user, groups, namespace} = world.description.player;
    const identity = makeIdentity(randomBytes(32).toString('hex'), {user, groups}, Date.now());
    world.pump.speed = speed;
    const open = new Port({world, identity, port, hostNow: () => performance.now(), failed});
    const ended = untilSignal();
    const server = `https://127.0.0.1:${await listen(open, port)}`;
    try {
      writeKubeconfig(path, kubeconfigText({server, user, namespace, identity}));
    } catch (error) {
      await open.close();
      throw error;
    }
    process.stdout.write(`ready ${server}\n`);
    if (opened) tellGoals(opened);
    await ended;
    await open.close();
    return 0;
  },
};

interface What {
  readonly level: Level | undefined;
  readonly nodes: readonly NodeDescription[] | undefined;
}

async function readFlags(typed: Typed) {
  const {flags, words} = typed;
  const [level] = words;
  const {kubeconfig, nodes} = flags;
  if (typeof kubeconfig !== 'string')
    throw new UsageError('crashloop serve: --kubeconfig FILE is missing: the file to write for kubectl');
  if (level !== undefined && nodes !== undefined) throw new UsageError('crashloop serve: give a LEVEL or --nodes FILE, not both');
  const port = numberFlag(typed, 'port') ?? 0;
  if (port > 65_535) throw new UsageError(`crashloop serve: --port takes a number up to 65535, not ${port}`);
  return {
    path: kubeconfig,
    port,
    speed: speedOf(flags['speed']),
    seed: numberFlag(typed, 'seed'),
    level: level === undefined ? undefined : (await openLevel(level)).level,
    nodes: typeof nodes === 'string' ? nodesFrom(readNodes(nodes), nodes) : undefined,
  };
}

const FASTEST = 1000;

function speedOf(text: string | boolean | undefined): number {
  if (typeof text !== 'string') return 1;
  const speed = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && speed <= FASTEST) return speed;
  throw new UsageError(`crashloop serve: --speed takes a number from 0 to ${FASTEST}, not ${JSON.stringify(text)}`);
}

function readNodes(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new UsageError(`crashloop serve: there is no file ${path}`);
  }
}

interface Ready {
  readonly world: World;
  readonly opened: Opened | undefined;
}

/** Opens the cluster so that its time is the host's. */
async function openNow(what: What, seed: number | undefined): Promise<Ready> {
  const trial = await openAt(what, seed, Date.now());
  const ready = await openAt(what, seed, Date.now() - trial.world.now);
  const late = Date.now() - ready.world.wall;
  if (late > 0) await ready.world.advance(late);
  return ready;
}

async function openAt({level, nodes}: What, seed: number | undefined, startMs: number): Promise<Ready> {
  const hostNow = () => performance.now();
  const ownSeed = seed === undefined ? {} : {seed};
  if (level) {
    const opened = await openLevelWorld(level, {hostNow, startMs, ...ownSeed});
    return {world: opened.world, opened};
  }
  const description = ownCluster({seed: seed ?? SEED, startMs, nodes, player: {groups: ['system:masters']}});
  return {world: await World.open({description, hostNow}), opened: undefined};
}

async function listen(port: Port, wanted: number): Promise<number> {
  try {
    return await port.open();
  } catch (error) {
    throw new UsageError(`crashloop serve: port ${wanted} of 127.0.0.1 cannot be had: ${(error as Error).message}`);
  }
}

function writeKubeconfig(path: string, text: string): void {
  try {
    writePrivate(path, text);
  } catch (error) {
    throw new UsageError(`crashloop serve: the kubeconfig cannot be written: ${(error as Error).message}`);
  }
}

/** Something that should never happen: the cluster is not to be trusted any more. */
function failed(error: unknown): void {
  process.stderr.write(`crashloop serve: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(70);
}

function untilSignal(): Promise<void> {
  return new Promise(resolve => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}

/** Prints each goal whose state changes. */
function tellGoals(opened: Opened): void {
  const told = new Map<string, string>();
  let won = false;
  const tell = ({goals, breaches, won: isWon}: Watch['latest']): void => {
    for (const {text, met} of goals) say(told, text, `[${met ? 'x' : ' '}] ${text}`);
    for (const {reason} of breaches) say(told, reason, `[!] ${reason}`);
    if (isWon && !won) process.stdout.write('Mended: all goals hold.\n');
    won = isWon;
  };
  tell(new Watch(opened, tell).latest);
}

function say(told: Map<string, string>, key: string, line: string): void {
  if (told.get(key) === line) return;
  told.set(key, line);
  process.stdout.write(`${line}\n`);
}
