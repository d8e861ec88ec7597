// What a machine does, not a player: `stop etcd cp-2`, `cut cp-1 cp-2`, `alive kcm cp-1`. Shell lines in the recordings begin with
// `@` for these. Components can be started (with other flags), stopped, killed, paused, wiped and asked; links cut and healed;
// machines are shut down or booted anew, lose power, space and the right time.
import {unitValue} from '../api/meta/quantity.ts';
import type {Cluster} from './cluster.ts';
import {BINARIES, type ComponentName} from './control-plane.ts';
import type {Host} from './host.ts';
import {fillDisk, powerOff, powerOn, shutDown} from './power.ts';

/** What a fault came to: an answer, or one that comes when a process is up or has ended. */
export type Answer = {readonly out?: string} | {readonly error: string} | Awaited;

/** Done once `holds`, or when so much time has passed. */
export interface Awaited {
  readonly holds: () => boolean;
  readonly mostMs: number;
}

/** After so long a process that starts has ended if its flags or files are wrong. */
const START_MS = 1000;
/** An end in order takes no longer. */
const STOP_MS = 15_000;

const PROCESS: Readonly<Record<string, string>> = {...BINARIES, kubelet: 'kubelet', containerd: 'containerd'};

type Fault = (cluster: Cluster, words: readonly string[]) => Answer;

const FAULTS: Readonly<Record<string, Fault>> = {
  start: (cluster, words) => ofProcess(cluster, 'start', words),
  stop: (cluster, words) => ofProcess(cluster, 'stop', words),
  kill: (cluster, words) => ofProcess(cluster, 'kill', words),
  pause: (cluster, words) => ofProcess(cluster, 'pause', words),
  resume: (cluster, words) => ofProcess(cluster, 'resume', words),
  alive: (cluster, words) => ofProcess(cluster, 'alive', words),
  log: (cluster, words) => ofProcess(cluster, 'log', words),
  logs: (cluster, words) => ofProcess(cluster, 'logs', words),
  wipe: (cluster, words) => ofProcess(cluster, 'wipe', words),
  cut: (cluster, words) => {
    const [first = '', second = ''] = words;
    if (words.length !== 2) return {error: 'cut takes two machines'};
    const unknown = words.find(name => name !== 'load-balancer' && !cluster.machine(name));
    if (unknown !== undefined) return noMachine(unknown);
    cluster.physics.network.cut(first, second);
    return {};
  },
  heal: cluster => {
    cluster.physics.network.heal();
    return {};
  },
  clock: (cluster, [name = '', by = '']): Answer => {
    const host = cluster.machine(name);
    if (!host || !/^[+-]\d+s?$/.test(by)) return {error: 'clock takes a machine and +SECONDS or -SECONDS'};
    host.clockErrorMs += Number.parseInt(by, 10) * 1000;
    return {};
  },
  power: (cluster, [what = '', name = '']) => {
    const host = cluster.machine(name);
    if (!host) return noMachine(name);
    if (what === 'off') powerOff(cluster, host);
    else if (what === 'on') powerOn(cluster, host);
    else return {error: 'power takes off or on, and a machine'};
    return {};
  },
  shutdown: (cluster, [name = '']) => goDown(cluster, name, 'off'),
  reboot: (cluster, [name = '']) => goDown(cluster, name, 'boot'),
  'fill-disk': (cluster, [name = '', size = '']) => {
    const {disks} = cluster.physics;
    const disk = name.includes('/') ? disks.findFor(name) : undefined;
    const host = cluster.machine(name);
    const bytes = /^\d+(\.\d+)?([kMGT]i?)?$/.test(size) ? unitValue(size) : undefined;
    if (!host && !disk) return noMachine(name);
    if (bytes === undefined) return {error: `fill-disk takes a machine and a size such as 90Gi, not ${JSON.stringify(size)}`};
    if (disk) disks.fill(disk.name, bytes);
    if (host) fillDisk(host, bytes);
    return {};
  },
};

/** Carries out a fault. */
export function runFault(cluster: Cluster, words: string): Answer {
  const [verb = '', ...rest] = wordsOf(words);
  const fault = FAULTS[verb];
  return fault
    ? fault(cluster, rest)
    : {error: `there is no fault ${JSON.stringify(verb)}; there are ${Object.keys(FAULTS).join(', ')}`};
}

/** Words as a shell would take them, with quotes of both kinds. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [, single, double, bare] of text.matchAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|(\S+)/g))
    words.push(single ?? double?.replaceAll(/\\(.)/g, '$1') ?? bare ?? '');
  return words;
}

function goDown(cluster: Cluster, name: string, then: 'off' | 'boot'): Answer {
  const host = cluster.machine(name);
  if (!host) return noMachine(name);
  shutDown(cluster, host, then);
  return {};
}

function noMachine(name: string): Answer {
  return {error: `there is no machine ${JSON.stringify(name)}`};
}

function ofProcess(cluster: Cluster, verb: string, [component = '', hostName = '', ...rest]: readonly string[]): Answer {
  const name = PROCESS[component];
  if (name === undefined)
    return {error: `${verb} takes a component and a machine; components are ${Object.keys(PROCESS).join(', ')}`};
  const host = cluster.machine(hostName);
  if (!host) return noMachine(hostName);
  if (verb === 'log' || verb === 'logs') return logs(host, {name, pattern: verb === 'log' ? rest.join(' ') : undefined});
  if (verb === 'wipe') {
    if (component !== 'etcd') return {error: 'only etcd can be wiped'};
    host.files.remove('/var/lib/etcd/member', true);
    return {};
  }
  if (verb === 'alive') {
    const daemon = host.daemons.get(name);
    return {out: daemon && daemon.exitCode === undefined ? 'yes\n' : 'no\n'};
  }
  return move(cluster, verb, {component, host, flags: rest});
}

interface Target {
  readonly component: string;
  readonly host: Host;
  readonly flags: readonly string[];
}

function move(cluster: Cluster, verb: string, {component, host, flags}: Target): Answer {
  const name = PROCESS[component] ?? component;
  const isUnit = host.units.state(name) !== undefined;
  const daemon = host.daemons.get(name);
  if (verb === 'start') {
    if (!host.powered) return {error: `${host.name} has no power`};
    if (isUnit) host.units.start(name);
    else if (!cluster.controlPlane.startComponent(component as ComponentName, host.name, flags))
      return {error: `${host.name} is no machine of the control plane`};
    const started = host.daemons.get(name);
    return {holds: () => started?.exitCode !== undefined, mostMs: START_MS};
  }
  if (verb === 'stop') {
    if (isUnit) host.units.stop(name);
    else cluster.controlPlane.stopComponent(component as ComponentName, host);
    return {holds: () => daemon?.exitCode !== undefined, mostMs: daemon && !daemon.scope.paused ? STOP_MS : 0};
  }
  if (verb === 'kill') {
    if (isUnit) host.units.stop(name);
    else cluster.controlPlane.killComponent(component as ComponentName, host);
  } else if (verb === 'pause') daemon?.scope.pause();
  else daemon?.scope.resume();
  return {};
}

function logs(host: Host, {name, pattern}: {readonly name: string; readonly pattern: string | undefined}): Answer {
  const lines = host.logOf(name, pattern === undefined);
  if (pattern === undefined) return {out: lines.map(line => `${line}\n`).join('')};
  let regex: RegExp;
  try {
    regex = new RegExp(pattern);
  } catch {
    return {error: `${JSON.stringify(pattern)} is no regular expression`};
  }
  const found = lines.findLast(line => regex.test(line));
  return {out: found === undefined ? '' : `${found}\n`};
}
