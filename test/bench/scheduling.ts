// Scheduling alone: decisions over a cluster that fills up, pods of Deployments as they come.
import {ClusterState} from '../../source/cluster/scheduler/cluster-state.ts';
import {decide, newCourse} from '../../source/cluster/scheduler/decide.ts';
import {makeProfile} from '../../source/cluster/scheduler/profile.ts';
import {aNode, aPod} from '../../source/cluster/scheduler/testing/builders.ts';
import {Dice} from '../../source/sim/dice.ts';
import {cpuMs, type Bench} from './measure.ts';

const PODS = 10_000;

/** The bench for so many nodes. */
export function scheduling(nodes: number, goal: string): Bench {
  return {
    name: `scheduling alone on ${nodes} nodes`,
    async run() {
      const cluster = new ClusterState();
      for (let n = 0; n < nodes; n++)
        cluster.setNode(aNode(`node-${n}`, {cpu: '64', memory: '256Gi', pods: '110'}).inZone('abc'[n % 3] ?? 'a').node);
      const pods = Array.from(
        {length: PODS},
        (_, n) =>
          aPod(`web-${n}`)
            .asking({cpu: '100m', memory: '64Mi'})
            .labelled({app: `web-${Math.floor(n / 100)}`}).pod,
      );
      const profile = makeProfile({});
      const course = newCourse(new Dice(1));
      let placed = 0;
      const cpu = await cpuMs(() => {
        for (const pod of pods) {
          const info = cluster.describe(pod);
          const {node} = decide(profile, {cluster, pod: info}, course);
          if (!node) continue;
          cluster.place(info, node.name, true);
          placed++;
        }
      });
      return [{name: 'decisions', value: placed / (cpu / 1000), unit: '/s of CPU', ...(goal ? {goal} : {})}];
    },
  };
}
