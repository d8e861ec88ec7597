// How much a machine has, and what uses it: what `top`, `free`, `df` and the kubelet see. Disks are as large as the recordings' nodes
// have them; of what lies on one, a part is the system's own, and images are counted besides files.
import {unitValue} from '../api/meta/quantity.ts';
import type {HardwareFacts} from '../tools/machine/facts.ts';
import type {Cluster} from './cluster.ts';
import type {Host} from './host.ts';

/** What the system itself needs. */
const SYSTEM_MEMORY = 300 * 1024 ** 2;
const SYSTEM_DISK = 3.2 * 1024 ** 3;

/** The facts of a machine; of one that there is not, those of a small one. */
export function hardwareOf(cluster: Cluster, name: string): HardwareFacts {
  const host = cluster.machine(name);
  const description = cluster.describe(name);
  const containers = cluster.nodes.get(name)?.containers;
  const used = (containers?.usage() ?? []).reduce((sum, each) => sum + each.memoryBytes, SYSTEM_MEMORY);
  return {
    cpus: Math.max(1, Math.round(unitValue(description?.capacity['cpu'] ?? '2'))),
    memoryBytes: unitValue(description?.capacity['memory'] ?? '4Gi'),
    usedMemoryBytes: used,
    diskBytes: host?.diskBytes ?? 0,
    kernel: description?.nodeInfo.kernelVersion ?? '6.12.0',
    system: description?.nodeInfo.osImage ?? 'Debian GNU/Linux 13 (trixie)',
    services: host?.machine.services?.() ?? [],
    ports: host?.ports ?? [],
    kernelLog: host ? kernelLog(cluster, host) : [],
  };
}

/** How much of a machine's disk is taken. */
export function diskUsed(host: Host, imageBytes: number): number {
  return Math.min(host.diskBytes, Math.round(SYSTEM_DISK + host.filledBytes + host.files.usedBytes + imageBytes));
}

/** Of all that the kernel says only what matters here: which processes it killed for want of memory. */
function kernelLog(cluster: Cluster, host: Host): HardwareFacts['kernelLog'] {
  const start = host.wall() - host.physics.clock.now;
  const killed = [...(cluster.nodes.get(host.name)?.containers.containers.values() ?? [])].filter(
    ({status}) => status.reason === 'OOMKilled',
  );
  const lines = killed.map(({status, argv}) => {
    const program = (argv[0] ?? '').replace(/^.*\//, '');
    const text = `Memory cgroup out of memory: Killed process ${status.id.slice(0, 12)} (${program}), UID:${status.user.uid}`;
    return {atMs: (status.finishedAt ?? start) - start, text};
  });
  const boot = {atMs: 0, text: 'Linux version 6.12.0 (debian-kernel@lists.debian.org)'};
  return [boot, ...lines.sort((a, b) => a.atMs - b.atMs)];
}
