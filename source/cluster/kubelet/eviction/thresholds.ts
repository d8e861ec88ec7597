// The thresholds below which a node counts as pressed: how much memory and how much of its disk must be left. A hard threshold is
// acted on at once, a soft one when it has been met for its grace period. Thresholds that a configuration gives stand in the place of
// all standard ones of their sort.
import {formatUnits, unitValue} from '../../../api/meta/quantity.ts';

export type Signal = 'memory.available' | 'nodefs.available' | 'imagefs.available';

/** One threshold. */
export interface Threshold {
  readonly signal: Signal;
  /** A quantity or a percentage. */
  readonly value: string;
  /** How long it must be met; 0 for a hard one. */
  readonly graceMs: number;
}

/** What the kubelet's configuration says of eviction. */
export interface EvictionSettings {
  readonly thresholds: readonly Threshold[];
  /** How long a pressure is still told of after it has gone. */
  readonly transitionMs: number;
  /** The longest time that a soft eviction leaves a pod. */
  readonly mostGraceSeconds: number;
}

/** What is left of something, and how much there is of it. */
export interface Observation {
  readonly available: number;
  readonly capacity: number;
}

export const STANDARD_EVICTION: EvictionSettings = {
  thresholds: [
    {signal: 'memory.available', value: '100Mi', graceMs: 0},
    {signal: 'nodefs.available', value: '10%', graceMs: 0},
    {signal: 'imagefs.available', value: '15%', graceMs: 0},
  ],
  transitionMs: 300_000,
  mostGraceSeconds: 0,
};

/** The resource that a signal speaks of. */
export function resourceOf(signal: Signal): 'memory' | 'ephemeral-storage' {
  return signal === 'memory.available' ? 'memory' : 'ephemeral-storage';
}

/** The threshold in bytes. */
export function bytesOf({value}: Threshold, capacity: number): number {
  const share = /^([\d.]+)%$/.exec(value)?.[1];
  return share === undefined ? unitValue(value) : Math.floor((capacity * Number(share)) / 100);
}

/** The threshold as messages write it: a percentage becomes a quantity. */
export function shownThreshold(threshold: Threshold, capacity: number): string {
  return threshold.value.endsWith('%') ? formatUnits(bytesOf(threshold, capacity), 'BinarySI') : threshold.value;
}

export type Observations = ReadonlyMap<Signal, Observation>;

/** Those that are met, memory first. */
export function metThresholds(thresholds: readonly Threshold[], seen: Observations): Threshold[] {
  const met = thresholds.filter(threshold => {
    const observed = seen.get(threshold.signal);
    return observed !== undefined && observed.available < bytesOf(threshold, observed.capacity);
  });
  return met.sort((a, b) => Number(resourceOf(b.signal) === 'memory') - Number(resourceOf(a.signal) === 'memory'));
}
