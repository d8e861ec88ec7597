// The files under /proc and /sys in a container that people look at: who it runs as, what is mounted, and the limits of its cgroup.
// What changes while it runs is made when somebody reads it.
import type {ContainerConfig, Mount} from '../../api/wire/cri.ts';
import type {Files} from '../../sim/files.ts';
import {statusFile} from './capabilities.ts';

export interface ProcFacts {
  readonly uid: number;
  readonly argv: readonly string[];
  readonly sysctls: Readonly<Record<string, string>> | undefined;
  readonly config: () => ContainerConfig;
  readonly memoryBytes: () => number;
}

/** The devices that a container gets; what they do the kernel knows. */
const DEVICES = ['full', 'null', 'ptmx', 'random', 'tty', 'urandom', 'zero'];

const CPU_PERIOD = 100_000;

/** Places them. */
export function placeProcFiles(files: Files, {uid, argv, sysctls = {}, config, memoryBytes}: ProcFacts): void {
  const start = config();
  const mounts = mountTable(start.mounts(), start.readOnlyRoot === true);
  for (const device of DEVICES) files.place(`/dev/${device}`, '', 0o666);
  for (const folder of ['/dev/mqueue', '/dev/pts', '/dev/shm']) files.makeFolder(folder);
  files.place('/proc/mounts', mounts);
  for (const folder of ['/proc/1', '/proc/self']) {
    files.place(`${folder}/status`, statusFile(start, uid));
    files.place(`${folder}/mounts`, mounts);
    files.place(`${folder}/cgroup`, '0::/\n');
    files.place(`${folder}/uid_map`, '         0          0 4294967295\n');
  }
  files.place('/proc/1/cmdline', `${argv.join('\0')}\0`);
  for (const [name, value] of Object.entries(sysctls)) files.place(`/proc/sys/${name.replaceAll('.', '/')}`, `${value}\n`);
  const live = (path: string, read: () => string | number) => {
    const text = () => `${read()}\n`;
    files.placeLive(`/sys/fs/cgroup/${path}`, {read: text, size: () => text().length, owner: undefined}, 0o644);
  };
  const still = (name: string, text: string) => files.place(`/sys/fs/cgroup/${name}`, `${text}\n`);
  live('memory.max', () => config().memoryLimit ?? 'max');
  live('memory.current', memoryBytes);
  live('memory.peak', memoryBytes);
  for (const name of ['memory.min', 'memory.low', 'memory.swap.current', 'memory.swap.max']) still(name, '0');
  still('memory.high', 'max');
  still('pids.max', 'max');
  still('cgroup.controllers', 'cpuset cpu io memory hugetlb pids rdma misc');
  still('cpuset.cpus', '');
  live('cpu.max', () => {
    const {cpuLimit} = config();
    return `${cpuLimit === undefined ? 'max' : Math.round(cpuLimit * CPU_PERIOD)} ${CPU_PERIOD}`;
  });
}

/** /proc/mounts: the root, and every mount with the size of those in memory. */
function mountTable(mounts: readonly Mount[], readOnlyRoot: boolean): string {
  const lines = [
    `overlay / overlay ${readOnlyRoot ? 'ro' : 'rw'},relatime 0 0`,
    'proc /proc proc rw,nosuid,nodev,noexec,relatime 0 0',
  ];
  for (const {path, readOnly, memoryBytes} of mounts) {
    const access = readOnly ? 'ro' : 'rw';
    if (memoryBytes === undefined) lines.push(`/dev/vda1 ${path} ext4 ${access},relatime 0 0`);
    else lines.push(`tmpfs ${path} tmpfs ${access},relatime,size=${Math.floor(memoryBytes / 1024)}k,noswap 0 0`);
  }
  return `${lines.join('\n')}\n`;
}
