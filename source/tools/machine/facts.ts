// What the programs that look at a machine ask of it.
import type {MachineService} from '../../sim/process/machine.ts';

export interface HardwareFacts {
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly usedMemoryBytes: number;
  readonly diskBytes: number;
  readonly kernel: string;
  readonly system: string;
  readonly services: readonly MachineService[];
  readonly ports: readonly {readonly address: string; readonly port: number; readonly holder: string; readonly pid: number}[];
  /** What the kernel has said since the machine began, with the clock's times. */
  readonly kernelLog: readonly {readonly atMs: number; readonly text: string}[];
}

/** The facts of a machine, by its name. */
export type Hardware = (machine: string) => HardwareFacts;
