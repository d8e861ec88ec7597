// From create to Ready: so many pods in Deployments of a hundred, each with a Service, through three members of etcd, RBAC, admission,
// controllers, scheduler, kubelets and EndpointSlices.
import type {Node, Pod} from '../../source/api/kinds/core-v1.ts';
import {isReady} from '../../source/api/meta/pod.ts';
import {builtin} from '../../source/api/meta/resources.ts';
import {World} from '../../source/world/world.ts';
import {bareCluster, deployment} from './descriptions.ts';
import {cpuMs, type Bench, type Figure} from './measure.ts';

const PER_DEPLOYMENT = 100;

export interface PodRun {
  readonly nodes: number;
  readonly pods: number;
  readonly goal?: string;
}

/** The bench for a size. */
export function podsToReady({nodes, pods, goal}: PodRun): Bench {
  return {
    name: `${pods} pods on ${nodes} nodes`,
    async run() {
      const world = await World.open({description: bareCluster(nodes), hostNow: () => performance.now()});
      const withRange = () => (world.spectator.all(builtin('nodes')) as readonly Node[]).filter(node => node.spec.podCIDR).length;
      await world.until(() => withRange() >= nodes, 60_000, 500);
      globalThis.gc?.();
      const before = process.memoryUsage().heapUsed;
      const events = world.physics.clock.count;
      const start = world.now;
      const cpu = await cpuMs(async () => {
        for (let n = 0; n < pods / PER_DEPLOYMENT; n++)
          for (const object of deployment(`web-${n}`, PER_DEPLOYMENT)) world.send(object);
        await world.until(() => countReady(world) >= pods, 600_000, 500);
      });
      globalThis.gc?.();
      const ready = countReady(world);
      const quiet = await cpuMs(() => world.advance(60_000));
      const figures: Figure[] = [
        {name: 'created to Ready', value: ready / (cpu / 1000), unit: 'pods/s of CPU', ...(goal ? {goal} : {})},
        {name: 'CPU a pod', value: (cpu / ready) * 1000, unit: 'µs'},
        {name: 'events of the clock a pod', value: (world.physics.clock.count - events) / ready, unit: ''},
        {name: 'virtual time', value: (world.now - start) / 1000 - 60, unit: 's'},
        {name: 'heap for 1,000 pods', value: (((process.memoryUsage().heapUsed - before) / ready) * 1000) / 2 ** 20, unit: 'MiB'},
        {name: 'a quiet minute after that', value: quiet, unit: 'ms of CPU'},
      ];
      return figures;
    },
  };
}

function countReady(world: World): number {
  let count = 0;
  for (const pod of world.spectator.all(builtin('pods'), 'default') as readonly Pod[]) if (isReady(pod)) count++;
  return count;
}
