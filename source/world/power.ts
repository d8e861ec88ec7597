// Power and space: a machine that stops at once and comes back with what was on its disk; one that is shut down in order, or booted
// anew; and a disk that somebody fills.
import type {Cluster} from './cluster.ts';
import type {Host} from './host.ts';

/** The power goes: everything on the machine ends without a word, the network falls silent, what was not synced is lost. */
export function powerOff(cluster: Cluster, host: Host): void {
  if (!host.powered) return;
  const {network, kernel} = host.physics;
  host.powered = false;
  host.goesDown = false;
  host.inhibitors.clear();
  network.power(host.name, false);
  host.units.powerOff();
  cluster.nodes.get(host.name)?.containers.powerOff();
  for (const daemon of host.daemons.values()) daemon.exit(137);
  for (const process of kernel.processes.values()) if (process.machine === host.machine) kernel.signal(process, 'KILL');
  for (const disk of host.disks) disk.powerCut();
}

/** The power is back: the machine boots. */
export function powerOn(cluster: Cluster, host: Host): void {
  if (host.powered) return;
  host.powered = true;
  host.physics.network.power(host.name, true);
  cluster.boot(host);
}

/** From the end of the last program to the first one of the next life. */
const BOOT_MS = 20_000;
/** A moment for those who asked for it to hear the answer. */
const NOTICE_MS = 50;
/** Longer than any of them may take. */
const LONGEST_MS = 60 * 60_000;

/** Somebody shuts the machine down, or boots it anew. Those who asked for it are told before, and waited for. */
export function shutDown(cluster: Cluster, host: Host, then: 'off' | 'boot'): void {
  if (!host.powered || host.goesDown) return;
  host.goesDown = true;
  const {clock} = host.physics;
  const waiting = new Set([...host.inhibitors.keys()].filter(daemon => daemon.exitCode === undefined));
  const end = (): void => {
    if (!host.goesDown) return;
    powerOff(cluster, host);
    if (then === 'boot') clock.after(BOOT_MS, () => powerOn(cluster, host));
  };
  for (const daemon of waiting) {
    host.inhibitors.get(daemon)?.(() => {
      waiting.delete(daemon);
      if (waiting.size === 0) clock.after(NOTICE_MS, end);
    });
  }
  clock.after(waiting.size === 0 ? NOTICE_MS : LONGEST_MS, end);
}

/** What a machine's files may hold here, in place of so large a disk. */
const FILES_BYTES = 64 * 1024 * 1024;

/** Somebody fills the disk with so many bytes. Files get a share of the room that is left. */
export function fillDisk(host: Host, bytes: number): void {
  const {diskBytes, files} = host;
  host.filledBytes = Math.min(diskBytes, host.filledBytes + bytes);
  files.limitBytes = Math.max(files.usedBytes, Math.floor(FILES_BYTES * (1 - host.filledBytes / diskBytes)));
}
