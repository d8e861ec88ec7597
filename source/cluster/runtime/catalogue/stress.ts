// Programs that use CPU and memory as their arguments say: `stress`, and the Go one of the resource tutorials. What they use is what
// a limit meets: throttled above the CPU's, killed above the memory's.
import {unitValue} from '../../../api/meta/quantity.ts';
import type {Start} from '../image.ts';
import type {ProgramModel} from '../program-model.ts';
import {only, releases, type Entry, type Family} from './family.ts';
import {valueOf} from './requests.ts';

const UNITS: Readonly<Record<string, number>> = {b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3};
const SECONDS: Readonly<Record<string, number>> = {s: 1, m: 60, h: 3600, d: 86_400};
const USUAL_BYTES = 256 * 1024 * 1024;
const OWN_BYTES = 2 * 1024 * 1024;

function counted(text: string | undefined, units: Readonly<Record<string, number>>, usual: number): number {
  const [, number, unit = ''] = /^(\d+)([a-zA-Z]?)/.exec(text ?? '') ?? [];
  return number === undefined ? usual : Number(number) * (units[unit.toLowerCase()] ?? 1);
}

/** `stress --cpu 2 --vm 1 --vm-bytes 250M --timeout 60s` */
export function stress({argv}: Pick<Start, 'argv'>): ProgramModel {
  const value = (long: string, short: string) => valueOf(argv, long) ?? valueOf(argv, short);
  const count = (long: string, short: string) => counted(value(long, short), {}, 0);
  const [cpu, io, vm, disk] = [count('cpu', 'c'), count('io', 'i'), count('vm', 'm'), count('hdd', 'd')];
  if (cpu + io + vm + disk === 0)
    return {exitCode: argv.length > 1 ? 1 : 0, log: ["`stress' imposes certain types of compute stress on your system"]};
  const bytes = vm * counted(valueOf(argv, 'vm-bytes'), UNITS, USUAL_BYTES);
  const timeout = value('timeout', 't');
  const seconds = counted(timeout, SECONDS, 0);
  return {
    cpu: `${Math.round((cpu + (valueOf(argv, 'vm-hang') === undefined ? vm : 0)) * 1000 + 1)}m`,
    memory: bytes + OWN_BYTES,
    log: [
      `stress: info: [1] dispatching hogs: ${cpu} cpu, ${io} io, ${vm} vm, ${disk} hdd`,
      ...(timeout === undefined ? [] : [{after: seconds, line: `stress: info: [1] successful run completed in ${seconds}s`}]),
    ],
    ...(timeout === undefined ? {} : {exitCode: 0, exitAfterSeconds: seconds}),
  };
}

/** `-cpus 2 -mem-total 150Mi -mem-alloc-size 100Mi -mem-alloc-sleep 1s`: it takes its memory in steps. */
function goStress({argv}: Start): ProgramModel {
  const total = unitValue(valueOf(argv, 'mem-total') ?? '0');
  const step = unitValue(valueOf(argv, 'mem-alloc-size') ?? '4Ki');
  const pause = counted(valueOf(argv, 'mem-alloc-sleep'), SECONDS, 0.001);
  const cpus = Number(valueOf(argv, 'cpus') ?? 0);
  const steps = step > 0 ? Math.ceil(total / step) : 0;
  const line = (text: string) => ({line: `I1 main.go:26] ${text}`, stream: 'stderr' as const});
  return {
    cpu: `${cpus * 1000 + 1}m`,
    memory: {
      points: [
        [0, OWN_BYTES],
        [Math.max(0.05, steps * pause), total + OWN_BYTES],
      ],
    },
    log: [
      line(
        `Allocating "${valueOf(argv, 'mem-total') ?? '0'}" memory, in "${valueOf(argv, 'mem-alloc-size') ?? '4Ki'}" chunks, with a ${valueOf(argv, 'mem-alloc-sleep') ?? '1ms'} sleep between allocations`,
      ),
      ...Array.from({length: cpus}, () => line('Spawning a thread to consume CPU')),
    ],
  };
}

const usual: ProgramModel = {cpu: '1m', memory: OWN_BYTES};
const image: Entry = {size: '4Mi', command: ['stress'], tools: 'busybox', program: usual, modelFor: stress};

export const STRESS: readonly Family[] = [
  {name: 'polinux/stress', tags: releases('1.0.4'), entry: image},
  {name: 'polinux/stress-ng', tags: only('latest'), entry: {...image, command: ['stress-ng']}},
  {name: 'progrium/stress', tags: only('latest'), entry: {...image, entrypoint: ['/usr/bin/stress', '--verbose'], command: []}},
  {name: 'alexeiled/stress-ng', tags: only('latest 0.12.05'), entry: {...image, entrypoint: ['/stress-ng'], command: ['--help']}},
  {
    name: 'vish/stress',
    tags: only('latest'),
    entry: {size: '3Mi', entrypoint: ['/stress'], tools: 'none', program: usual, modelFor: goStress},
  },
  {
    name: 'registry.k8s.io/stress',
    tags: only('v1'),
    entry: {size: '3Mi', entrypoint: ['/stress'], tools: 'none', program: usual, modelFor: goStress},
  },
];
