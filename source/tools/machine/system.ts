// `hostnamectl`, `timedatectl`, `dmesg`, `sysctl`, `modprobe`, `lsmod`, `swapon`, `swapoff`: the system below Kubernetes. Its settings can
// be read, and set for as long as the machine runs; nothing here follows from them.
import type {Machine, Program} from '../../sim/process/machine.ts';
import type {Hardware} from './facts.ts';

/** `hostnamectl` */
export function makeHostnamectl(hardware: Hardware): Program {
  return async process => {
    const {system, kernel} = hardware(process.machine.name);
    const rows = [
      [' Static hostname', process.machine.name],
      ['       Icon name', 'computer-vm'],
      ['         Chassis', 'vm'],
      ['  Virtualization', 'kvm'],
      ['Operating System', system],
      ['          Kernel', `Linux ${kernel}`],
      ['    Architecture', 'x86-64'],
    ];
    await process.out(rows.map(([name, value]) => `${name}: ${value}\n`).join(''));
    return 0;
  };
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** `timedatectl` */
export const timedatectl: Program = async process => {
  const date = new Date(Math.floor(process.machine.wall()));
  const text = date.toISOString();
  const now = `${DAYS[date.getUTCDay()]} ${text.slice(0, 10)} ${text.slice(11, 19)}`;
  await process.out(
    `               Local time: ${now} UTC\n           Universal time: ${now} UTC\n                 RTC time: ${now}\n` +
      '                Time zone: Etc/UTC (UTC, +0000)\nSystem clock synchronized: no\n              NTP service: inactive\n          RTC in local TZ: no\n',
  );
  return 0;
};

/** `dmesg`: what the kernel has said. */
export function makeDmesg(hardware: Hardware): Program {
  return async process => {
    const wall = process.argv.slice(1).some(word => /^(-\w*T|--ctime)/.test(word));
    const start = process.machine.wall() - process.kernel.clock.now;
    const lines = hardware(process.machine.name).kernelLog.map(({atMs, text}) => {
      const at = wall ? ctime(start + atMs) : (atMs / 1000).toFixed(6).padStart(12);
      return `[${at}] ${text}\n`;
    });
    await process.out(lines.join(''));
    return 0;
  };
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function ctime(ms: number): string {
  const date = new Date(Math.floor(ms));
  const day = String(date.getUTCDate()).padStart(2);
  return `${DAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]} ${day} ${date.toISOString().slice(11, 19)} ${date.getUTCFullYear()}`;
}

const KERNEL_SETTINGS: readonly (readonly [string, string])[] = [
  ['fs.inotify.max_user_instances', '128'],
  ['fs.inotify.max_user_watches', '65536'],
  ['kernel.panic', '10'],
  ['kernel.panic_on_oops', '1'],
  ['net.bridge.bridge-nf-call-ip6tables', '1'],
  ['net.bridge.bridge-nf-call-iptables', '1'],
  ['net.ipv4.ip_forward', '1'],
  ['net.ipv4.ip_local_port_range', '32768\t60999'],
  ['vm.overcommit_memory', '1'],
  ['vm.swappiness', '60'],
];

const settings = new WeakMap<Machine, Map<string, string>>();

/** `sysctl [-w] NAME[=VALUE] …`, `sysctl -a`, `sysctl -p`, `sysctl --system`: kept for one machine. */
export const sysctl: Program = async process => {
  const values = settings.get(process.machine) ?? new Map(KERNEL_SETTINGS);
  settings.set(process.machine, values);
  const words = process.argv.slice(1);
  const asked = words.includes('-a') ? [...values.keys()] : words.filter(word => !word.startsWith('-'));
  const given = words.some(word => /^(-p|--load|--system)/.test(word)) ? settingsOf(process.machine.files) : asked;
  let code = 0;
  for (const word of given) {
    const [, name = '', value] = /^([^=\s]+)\s*(?:=\s*(.*))?$/.exec(word) ?? [];
    const key = name.replaceAll('/', '.');
    if (!values.has(key)) {
      await process.err(`sysctl: cannot stat /proc/sys/${key.replaceAll('.', '/')}: No such file or directory\n`);
      code = 1;
      continue;
    }
    if (value !== undefined) values.set(key, value);
    await process.out(words.includes('-n') ? `${values.get(key)}\n` : `${key} = ${values.get(key)}\n`);
  }
  return code;
};

function settingsOf(files: {list(path: string): string[] | undefined; read(path: string): string | undefined}): string[] {
  const paths = [...(files.list('/etc/sysctl.d') ?? []).map(name => `/etc/sysctl.d/${name}`), '/etc/sysctl.conf'];
  const lines = paths.flatMap(path => (files.read(path) ?? '').split('\n'));
  return lines.map(line => line.trim()).filter(line => line !== '' && !/^[#;]/.test(line));
}

const MODULES = new Set([
  'br_netfilter',
  'overlay',
  'nf_conntrack',
  'ip_tables',
  'iptable_nat',
  'xt_comment',
  'bridge',
  'veth',
  'vxlan',
]);

/** `modprobe NAME …` */
export const modprobe: Program = async process => {
  let code = 0;
  for (const name of process.argv.slice(1).filter(word => !word.startsWith('-'))) {
    if (MODULES.has(name)) continue;
    await process.err(`modprobe: FATAL: Module ${name} not found in directory /lib/modules/6.12\n`);
    code = 1;
  }
  return code;
};

/** `lsmod` */
export const lsmod: Program = async process => {
  const rows = [...MODULES].map(name => `${name.padEnd(22)} ${'16384'.padStart(7)}  0\n`);
  await process.out(`Module                  Size  Used by\n${rows.join('')}`);
  return 0;
};

/** `swapon`, `swapoff`: there is none. */
export const swap: Program = () => Promise.resolve(0);
