// The rights of a container's processes, as /proc shows them.
import type {ContainerConfig} from '../../api/wire/cri.ts';

/** In the order of their bits. */
const NAMES = [
  'CHOWN',
  'DAC_OVERRIDE',
  'DAC_READ_SEARCH',
  'FOWNER',
  'FSETID',
  'KILL',
  'SETGID',
  'SETUID',
  'SETPCAP',
  'LINUX_IMMUTABLE',
  'NET_BIND_SERVICE',
  'NET_BROADCAST',
  'NET_ADMIN',
  'NET_RAW',
  'IPC_LOCK',
  'IPC_OWNER',
  'SYS_MODULE',
  'SYS_RAWIO',
  'SYS_CHROOT',
  'SYS_PTRACE',
  'SYS_PACCT',
  'SYS_ADMIN',
  'SYS_BOOT',
  'SYS_NICE',
  'SYS_RESOURCE',
  'SYS_TIME',
  'SYS_TTY_CONFIG',
  'MKNOD',
  'LEASE',
  'AUDIT_WRITE',
  'AUDIT_CONTROL',
  'SETFCAP',
  'MAC_OVERRIDE',
  'MAC_ADMIN',
  'SYSLOG',
  'WAKE_ALARM',
  'BLOCK_SUSPEND',
  'AUDIT_READ',
  'PERFMON',
  'BPF',
  'CHECKPOINT_RESTORE',
];
const DEFAULT = [
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'SETGID',
  'SETUID',
  'SETPCAP',
  'NET_BIND_SERVICE',
  'NET_RAW',
  'SYS_CHROOT',
  'MKNOD',
  'AUDIT_WRITE',
  'SETFCAP',
];

/** The capabilities that a container's root has; another user's processes have none in effect. */
export function capabilitiesOf({privileged, capabilities}: ContainerConfig): ReadonlySet<string> {
  if (privileged) return new Set(NAMES);
  const {add = [], drop = []} = capabilities ?? {};
  const bare = (name: string) => name.replace(/^CAP_/, '');
  const kept = drop.some(name => bare(name) === 'ALL') ? [] : DEFAULT.filter(name => !drop.some(each => bare(each) === name));
  return new Set([...kept, ...(add.some(name => bare(name) === 'ALL') ? NAMES : add.map(bare))]);
}

/** What `/proc/1/status` says of them. */
export function statusFile(config: ContainerConfig, uid: number): string {
  const mask = (names: ReadonlySet<string>) =>
    NAMES.reduce((bits, name, at) => (names.has(name) ? bits | (1n << BigInt(at)) : bits), 0n)
      .toString(16)
      .padStart(16, '0');
  const bound = capabilitiesOf(config);
  const effective = uid === 0 ? bound : new Set<string>();
  const lines = [
    ['Name', 'main'],
    ['Pid', '1'],
    ['Uid', [uid, uid, uid, uid].join('\t')],
    ['CapInh', mask(new Set())],
    ['CapPrm', mask(effective)],
    ['CapEff', mask(effective)],
    ['CapBnd', mask(bound)],
    ['NoNewPrivs', config.noNewPrivileges ? '1' : '0'],
    ['Seccomp', config.privileged ? '0' : '2'],
  ];
  return lines.map(([name, value]) => `${name}:\t${value}\n`).join('');
}
