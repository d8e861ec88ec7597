// The programs that look at one machine, by name.
import type {Program} from '../../sim/process/machine.ts';
import type {Hardware} from './facts.ts';
import {makeLsof, makeNetstat} from './holders.ts';
import {makeFree, makeLsblk, makeNproc, makeTop} from './load.ts';
import {lsmod, makeDmesg, makeHostnamectl, modprobe, swap, sysctl, timedatectl} from './system.ts';
import {makeServiceProgram} from './versions.ts';

/** All of them. */
export function machinePrograms(hardware: Hardware): readonly (readonly [string, Program])[] {
  return [
    ['top', makeTop(hardware)],
    ['free', makeFree(hardware)],
    ['nproc', makeNproc(hardware)],
    ['lsblk', makeLsblk(hardware)],
    ['netstat', makeNetstat(hardware)],
    ['lsof', makeLsof(hardware)],
    ['hostnamectl', makeHostnamectl(hardware)],
    ['timedatectl', timedatectl],
    ['dmesg', makeDmesg(hardware)],
    ['sysctl', sysctl],
    ['modprobe', modprobe],
    ['lsmod', lsmod],
    ['swapon', swap],
    ['swapoff', swap],
    ['kubelet', makeServiceProgram('kubelet')],
    ['containerd', makeServiceProgram('containerd')],
  ];
}
