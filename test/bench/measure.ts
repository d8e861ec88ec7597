// CPU time of this process, and a fixed job to compare machines by.

/** A figure of the bench. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What design.md, *Speed*, asks for, as text. */
  readonly goal?: string;
}

export interface Bench {
  readonly name: string;
  run(): Promise<readonly Figure[]>;
}

/** CPU milliseconds, user and system, that `job` used. */
export async function cpuMs(job: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await job();
  const {user, system} = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** The middle of some figures. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** A fixed job: JSON of a thousand small objects there and back, fifty times. */
export async function yardstick(): Promise<number> {
  const objects = Array.from({length: 1000}, (_, n) => ({
    metadata: {name: `pod-${n}`, labels: {app: 'web', n: String(n)}},
    spec: {containers: [{name: 'web', image: 'web:1'}]},
    status: {phase: 'Running'},
  }));
  return cpuMs(() => {
    for (let i = 0; i < 50; i++) JSON.parse(JSON.stringify(objects));
  });
}

/** How often a second something is done, and how long it takes. Several at once where `lanes` says so. */
export async function timesOf(
  name: string,
  count: number,
  ask: (n: number) => Promise<unknown>,
  {goal, lanes = 1}: {readonly goal?: string; readonly lanes?: number} = {},
): Promise<readonly Figure[]> {
  for (let n = 0; n < Math.min(20, count); n++) await ask(count + n);
  const each: number[] = [];
  const begun = performance.now();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const start = performance.now();
      await ask(next++);
      each.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({length: lanes}, lane));
  const seconds = (performance.now() - begun) / 1000;
  each.sort((a, b) => a - b);
  return [
    {name, value: count / seconds, unit: '/s', ...(goal ? {goal} : {})},
    {name: `${name}, p50`, value: median(each), unit: 'ms'},
    {name: `${name}, p99`, value: each[Math.floor(each.length * 0.99)] ?? 0, unit: 'ms'},
  ];
}
