// What a machine does, not a player: `stop etcd cp-2`, `cut cp-1 cp-2`, `alive kcm cp-1`. Shell lines in the recordings begin with
// `@` for these. Processes can be started, stopped, killed, paused and asked; links cut and healed; machines lose power.
import type {Cluster} from './cluster.ts';
import type {ComponentName} from './control-plane.ts';

type Answer = {readonly out?: string} | {readonly error: string};

const PROCESS: Readonly<Record<string, string>> = {
  etcd: 'etcd',
  apiserver: 'kube-apiserver',
  kcm: 'kube-controller-manager',
  scheduler: 'kube-scheduler',
  kubelet: 'kubelet',
  containerd: 'containerd',
};

/** Carries out a fault. */
export function runFault(cluster: Cluster, words: string): Answer {
  const [verb = '', ...rest] = words.trim().split(/\s+/);
  const [first = '', second = ''] = rest;
  switch (verb) {
    case 'cut':
      if (rest.length !== 2) return {error: 'cut takes two machines'};
      cluster.physics.network.cut(first, second);
      return {};
    case 'heal':
      cluster.physics.network.heal();
      return {};
    case 'clock':
      return clock(cluster, first, second);
    case 'start':
    case 'stop':
    case 'kill':
    case 'pause':
    case 'resume':
    case 'alive':
    case 'log':
    case 'logs':
      return ofProcess(cluster, verb, rest);
    default:
      return {error: `there is no fault ${JSON.stringify(verb)} yet`};
  }
}

function clock(cluster: Cluster, name: string, by: string): Answer {
  const host = cluster.hosts.get(name);
  if (!host || !/^[+-]\d+$/.test(by)) return {error: 'clock takes a machine and +SECONDS or -SECONDS'};
  host.clockErrorMs += Number(by) * 1000;
  return {};
}

function ofProcess(cluster: Cluster, verb: string, [component = '', hostName = '']: readonly string[]): Answer {
  const host = cluster.hosts.get(hostName);
  const name = PROCESS[component];
  if (!host || name === undefined)
    return {error: `${verb} takes a component and a machine; components are ${Object.keys(PROCESS).join(', ')}`};
  const daemon = host.daemons.get(name);
  switch (verb) {
    case 'start':
      if (component === 'kubelet') cluster.nodes.get(hostName)?.startKubelet();
      else if (component === 'containerd') cluster.nodes.get(hostName)?.startRuntime();
      else cluster.controlPlane.startComponent(component as ComponentName, hostName);
      return {};
    case 'stop':
      daemon?.exit(0);
      return {};
    case 'kill':
      daemon?.exit(137);
      return {};
    case 'pause':
      daemon?.scope.pause();
      return {};
    case 'resume':
      daemon?.scope.resume();
      return {};
    case 'alive':
      return {out: daemon && daemon.exitCode === undefined ? 'yes\n' : 'no\n'};
    default:
      return {out: daemon && daemon.log.length > 0 ? `${daemon.log.join('\n')}\n` : ''};
  }
}
