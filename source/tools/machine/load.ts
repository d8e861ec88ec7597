// `top`, `free`, `nproc`, `lsblk`: how much a machine has, and what uses it.
import type {Program} from '../../sim/process/machine.ts';
import {getOpt, optionsOf} from '../flags/getopt.ts';
import type {Hardware} from './facts.ts';

const MIB = 1024 ** 2;
const UNITS: Readonly<Record<string, number>> = {b: 1, k: 1024, m: MIB, g: 1024 ** 3};

const FREE = optionsOf({letters: 'b=bytes k=kibi m=mebi g=gibi h=human', none: 'bytes kibi mebi gibi human', needed: ''});

/** `free [-bkmgh]` */
export function makeFree(hardware: Hardware): Program {
  return async process => {
    const read = getOpt('free', process.argv.slice(1), FREE);
    if (!read.ok) {
      await process.err(`${read.message}\n`);
      return 1;
    }
    const {memoryBytes, usedMemoryBytes} = hardware(process.machine.name);
    const unit = ['bytes', 'kibi', 'mebi', 'gibi'].find(name => read.given.has(name))?.charAt(0) ?? 'k';
    const cached = Math.floor((memoryBytes - usedMemoryBytes) / 3);
    const shown = (bytes: number) => (read.given.has('human') ? human(bytes) : String(Math.floor(bytes / (UNITS[unit] ?? 1024))));
    const row = (title: string, cells: readonly number[]) =>
      `${title.padEnd(7)}${cells
        .map(cell => shown(cell).padStart(13))
        .join('')
        .replace(/^ /, '')}`;
    const free = memoryBytes - usedMemoryBytes - cached;
    const head = `${' '.repeat(15)}total        used        free      shared  buff/cache   available`;
    const memory = row('Mem:', [memoryBytes, usedMemoryBytes, free, 0, cached, free + cached]);
    await process.out(`${head}\n${memory}\n${row('Swap:', [0, 0, 0])}\n`);
    return 0;
  };
}

function human(bytes: number): string {
  let at = 0;
  while (at < 4 && bytes >= 1024 ** (at + 1)) at++;
  const size = bytes / 1024 ** at;
  return `${size < 10 && at > 0 ? size.toFixed(1) : Math.floor(size)}${['B', 'Ki', 'Mi', 'Gi', 'Ti'][at]}`;
}

/** `nproc` */
export function makeNproc(hardware: Hardware): Program {
  return async process => {
    await process.out(`${hardware(process.machine.name).cpus}\n`);
    return 0;
  };
}

/** `lsblk` */
export function makeLsblk(hardware: Hardware): Program {
  return async process => {
    const size = `${Math.round(hardware(process.machine.name).diskBytes / 1024 ** 3)}G`.padStart(5);
    await process.out(
      `NAME   MAJ:MIN RM  SIZE RO TYPE MOUNTPOINTS\nvda    254:0    0 ${size}  0 disk \n└─vda1 254:1    0 ${size}  0 part /\n`,
    );
    return 0;
  };
}

/** `top -b -n1`: what runs, the largest first. */
export function makeTop(hardware: Hardware): Program {
  return async process => {
    const {memoryBytes, usedMemoryBytes, services} = hardware(process.machine.name);
    const {clock} = process.kernel;
    const free = (memoryBytes - usedMemoryBytes) / MIB;
    const at = new Date(Math.floor(process.machine.wall())).toISOString().slice(11, 19);
    const mib = (value: number) => value.toFixed(1).padStart(8);
    const head = [
      `top - ${at} up ${Math.floor(clock.now / 60_000)} min,  1 user,  load average: 0.00, 0.00, 0.00`,
      `Tasks: ${String(services.length + 1).padStart(3)} total,   1 running, ${String(services.length).padStart(3)} sleeping,   0 stopped,   0 zombie`,
      '%Cpu(s):  1.2 us,  0.6 sy,  0.0 ni, 98.2 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st',
      `MiB Mem : ${mib(memoryBytes / MIB)} total, ${mib(free)} free, ${mib(usedMemoryBytes / MIB)} used, ${mib(free / 3)} buff/cache`,
      `MiB Swap: ${mib(0)} total, ${mib(0)} free, ${mib(0)} used. ${mib(free)} avail Mem`,
      '',
      '    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND',
    ];
    const rows = [...services]
      .sort((a, b) => b.memoryBytes - a.memoryBytes || a.pid - b.pid)
      .map(({pid, argv, memoryBytes: held}) => {
        const name = (argv[0] ?? '').replace(/^.*\//, '').slice(0, 15);
        const kib = String(Math.round(held / 1024)).padStart(6);
        const share = ((held / memoryBytes) * 100).toFixed(1).padStart(5);
        return `${String(pid).padStart(7)} root      20   0 ${kib} ${kib}   3712 S   0.3 ${share}   0:00.10 ${name}`;
      });
    await process.out(`${[...head, ...rows].join('\n')}\n`);
    return 0;
  };
}
