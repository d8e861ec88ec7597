// What happens to a cluster that is large already: a Deployment of thousands, a node that is lost, a controller-manager that starts
// anew. Each is measured at two sizes, to show how the cost grows.
import type {Pod} from '../../source/api/kinds/core-v1.ts';
import {isReady} from '../../source/api/meta/pod.ts';
import {builtin} from '../../source/api/meta/resources.ts';
import {World} from '../../source/world/world.ts';
import {bareCluster, deployment} from './descriptions.ts';
import {cpuMs, type Bench, type Figure} from './measure.ts';

interface Size {
  readonly nodes: number;
  readonly pods: number;
}

const PER_DEPLOYMENT = 100;

/** One Deployment of so many replicas, from create to Ready. */
export function largeDeployment({nodes, pods}: Size): Bench {
  return {
    name: `a Deployment of ${pods} replicas on ${nodes} nodes`,
    async run() {
      const world = await World.open({description: bareCluster(nodes), hostNow: () => performance.now()});
      const cpu = await cpuMs(async () => {
        for (const object of deployment('web', pods)) world.send(object);
        await world.until(() => countReady(world) >= pods, 600_000, 500);
      });
      return [...perPod(cpu, countReady(world), 'created to Ready'), {name: 'virtual time', value: world.now / 1000, unit: 's'}];
    },
  };
}

/** A machine loses its power; its pods are made anew elsewhere. */
export function lostNode(size: Size): Bench {
  return {
    name: `a node lost among ${size.pods} pods on ${size.nodes} nodes`,
    async run() {
      const world = await filled(size);
      const name = (world.spectator.all(pods, 'default') as readonly Pod[]).map(pod => pod.spec.nodeName).find(Boolean) ?? '';
      const lost = podsOn(world, name).length;
      fault(world, `power off ${name}`);
      const moved = () => podsOn(world, name).every(pod => pod.metadata.deletionTimestamp !== undefined);
      const cpu = await cpuMs(async () => {
        await world.until(() => moved() && countReady(world) >= size.pods, 600_000, 1000);
      });
      const quiet = await cpuMs(() => world.advance(60_000));
      return [
        {name: 'until its pods run elsewhere', value: cpu, unit: 'ms of CPU'},
        {name: 'its pods', value: lost, unit: ''},
        {name: 'virtual time', value: world.now / 1000, unit: 's'},
        {name: 'a minute after that', value: quiet, unit: 'ms of CPU'},
      ];
    },
  };
}

/** The controller-managers end, and start anew over all that is there. */
export function controllerRestart(size: Size): Bench {
  return {
    name: `a controller-manager restart at ${size.pods} pods on ${size.nodes} nodes`,
    async run() {
      const world = await filled(size);
      const quiet = await cpuMs(() => world.advance(60_000));
      for (const host of ['cp-1', 'cp-2', 'cp-3']) fault(world, `stop kcm ${host}`);
      await world.advance(1000);
      const cpu = await cpuMs(async () => {
        for (const host of ['cp-1', 'cp-2', 'cp-3']) fault(world, `start kcm ${host}`);
        await world.advance(60_000);
      });
      return [
        {name: 'start and the minute after it', value: cpu, unit: 'ms of CPU'},
        {name: 'a minute without', value: quiet, unit: 'ms of CPU'},
      ];
    },
  };
}

const pods = builtin('pods');

async function filled(size: Size): Promise<World> {
  const world = await World.open({description: bareCluster(size.nodes), hostNow: () => performance.now()});
  for (let n = 0; n < size.pods / PER_DEPLOYMENT; n++)
    for (const object of deployment(`web-${n}`, PER_DEPLOYMENT)) world.send(object);
  await world.until(() => countReady(world) >= size.pods, 600_000, 500);
  await world.advance(10_000);
  return world;
}

/** Does something to the machines, as the shell's `fault` does. */
export function fault(world: World, words: string): void {
  const answer = world.fault(words);
  if ('error' in answer) throw new Error(String(answer.error));
}

function podsOn(world: World, node: string): readonly Pod[] {
  return (world.spectator.all(pods, 'default') as readonly Pod[]).filter(pod => pod.spec.nodeName === node);
}

function countReady(world: World): number {
  return (world.spectator.all(pods, 'default') as readonly Pod[]).filter(isReady).length;
}

function perPod(cpu: number, ready: number, name: string): readonly Figure[] {
  return [
    {name, value: ready / (cpu / 1000), unit: 'pods/s of CPU'},
    {name: 'CPU a pod', value: (cpu / ready) * 1000, unit: 'µs'},
  ];
}
