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
