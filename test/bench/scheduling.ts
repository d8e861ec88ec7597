// Scheduling alone: decisions over a cluster that fills up, pods of Deployments as they come, plain and with rules about each other.
import {ClusterState} from '../../source/cluster/scheduler/state/cluster-state.ts';
import {decide, newCourse, type Course} from '../../source/cluster/scheduler/decide.ts';
import type {Profile} from '../../source/cluster/scheduler/framework.ts';
import {makeProfile} from '../../source/cluster/scheduler/profile.ts';
import {aNode, aPod, type PodBuilder} from '../../source/cluster/scheduler/testing/builders.ts';
import {Dice} from '../../source/sim/dice.ts';
import {cpuMs, type Bench} from './measure.ts';

const PER_APP = 100;

/** What the pods of an app want of each other. */
export type Mix = 'plain' | 'spread over zones' | 'spread over nodes' | 'never two on a node' | 'near each other';

export interface SchedulingRun {
  readonly nodes: number;
  readonly pods: number;
  readonly mix?: Mix;
  readonly goal?: string;
}

/** The bench for a size and a mix. */
export function scheduling({nodes, pods: count, mix = 'plain', goal}: SchedulingRun): Bench {
  return {
    name: `scheduling alone, ${mix}, ${count} pods on ${nodes} nodes`,
    async run() {
      const cluster = clusterOf(nodes);
      const pods = Array.from({length: count}, (_, n) => podOf(mix, n).pod);
      const scheduler = {cluster, profile: makeProfile({}), course: newCourse(new Dice(1))};
      let placed = 0;
      const cpu = await cpuMs(() => {
        for (const pod of pods) if (place(scheduler, pod)) placed++;
      });
      return [
        {name: 'decisions', value: count / (cpu / 1000), unit: '/s of CPU', ...(goal ? {goal} : {})},
        {name: 'placed', value: placed, unit: ''},
      ];
    },
  };
}

/** Important pods come to a cluster that is full of others: each makes room. */
export function preemptions({nodes, pods: count}: {readonly nodes: number; readonly pods: number}): Bench {
  return {
    name: `scheduling alone, preemption, ${count} pods on ${nodes} nodes`,
    async run() {
      const cluster = clusterOf(nodes, '4');
      const scheduler = {cluster, profile: makeProfile({}), course: newCourse(new Dice(1))};
      for (let n = 0; n < nodes * 4; n++) place(scheduler, aPod(`low-${n}`).asking({cpu: '1'}).pod);
      const pods = Array.from({length: count}, (_, n) => aPod(`high-${n}`).asking({cpu: '2'}).important(1000).pod);
      let ended = 0;
      const cpu = await cpuMs(() => {
        for (const pod of pods) ended += makeRoom(scheduler, pod);
      });
      return [
        {name: 'preemptions', value: count / (cpu / 1000), unit: '/s of CPU'},
        {name: 'pods that had to go', value: ended, unit: ''},
      ];
    },
  };
}

interface Scheduler {
  readonly cluster: ClusterState;
  readonly profile: Profile;
  readonly course: Course;
}

function clusterOf(nodes: number, cpu = '64'): ClusterState {
  const cluster = new ClusterState();
  for (let n = 0; n < nodes; n++)
    cluster.setNode(aNode(`node-${n}`, {cpu, memory: '256Gi', pods: '110'}).inZone('abc'[n % 3] ?? 'a').node);
  return cluster;
}

function podOf(mix: Mix, n: number): PodBuilder {
  const app = `web-${Math.floor(n / PER_APP)}`;
  const labelSelector = {matchLabels: {app}};
  const pod = aPod(`web-${n}`).asking({cpu: '100m', memory: '64Mi'}).labelled({app});
  const hostname = 'kubernetes.io/hostname';
  switch (mix) {
    case 'plain':
      return pod;
    case 'spread over zones':
      return pod.spread({
        topologyKey: 'topology.kubernetes.io/zone',
        maxSkew: 1,
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector,
      });
    case 'spread over nodes':
      return pod.spread({topologyKey: hostname, maxSkew: 1, whenUnsatisfiable: 'ScheduleAnyway', labelSelector});
    case 'never two on a node':
      return pod.drawnTo({
        podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: hostname, labelSelector}]},
      });
    case 'near each other':
      return pod.drawnTo({
        podAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            {weight: 10, podAffinityTerm: {topologyKey: 'topology.kubernetes.io/zone', labelSelector}},
          ],
        },
      });
  }
}

function place({cluster, profile, course}: Scheduler, pod: PodBuilder['pod']): boolean {
  const info = cluster.describe(pod);
  const {node} = decide(profile, {cluster, pod: info}, course);
  if (node) cluster.place(info, node.name, true);
  return node !== undefined;
}

/** Decides, finds no room, picks victims, ends them and moves in. How many had to go. */
function makeRoom({cluster, profile, course}: Scheduler, pod: PodBuilder['pod']): number {
  const info = cluster.describe(pod);
  const {node, diagnosis} = decide(profile, {cluster, pod: info}, course);
  if (node) cluster.place(info, node.name, true);
  if (node) return 0;
  for (const plugin of profile.postFilters) {
    const outcome = plugin.postFilter?.({cluster, pod: info, profile, diagnosis, dice: course.dice});
    if (outcome?.nominated === undefined) continue;
    for (const victim of outcome.victims ?? []) cluster.unplace(victim.uid);
    cluster.place(info, outcome.nominated, true);
    return outcome.victims?.length ?? 0;
  }
  return 0;
}
