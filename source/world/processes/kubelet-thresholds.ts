// The kubelet's eviction thresholds, as its configuration writes them: signals and amounts or shares, with grace periods where they
// are soft. What cannot be read ends the kubelet: hard thresholds before it makes itself, all others while it does.
import type {Fields} from '../../api/meta/fields.ts';
import {goQuote} from '../../api/meta/go-text.ts';
import {parseQuantity} from '../../api/meta/quantity.ts';
import {parseGoDuration} from '../../api/meta/time.ts';
import {
  STANDARD_EVICTION,
  type EvictionSettings,
  type Signal,
  type Threshold,
} from '../../cluster/kubelet/eviction/thresholds.ts';
import {spanOf} from './flag-values.ts';

const SIGNALS: ReadonlySet<string> = new Set([
  'allocatableMemory.available',
  'containerfs.available',
  'containerfs.inodesFree',
  'imagefs.available',
  'imagefs.inodesFree',
  'memory.available',
  'nodefs.available',
  'nodefs.inodesFree',
  'pid.available',
]);

/** The signals that a simulated node has. */
const SIMULATED: readonly Signal[] = ['memory.available', 'nodefs.available', 'imagefs.available'];
const TRANSITION_MS = 300_000;

/** The thresholds of a configuration; hard ones that are given stand in the place of all standard ones. */
export function evictionOf(config: Fields): EvictionSettings {
  const given = (name: string) => config[name] as Readonly<Record<string, string>> | undefined;
  const [hard, soft, graces] = [given('evictionHard'), given('evictionSoft'), given('evictionSoftGracePeriod')];
  const merged = config['mergeDefaultEvictionSettings'] === true;
  const thresholds = SIMULATED.flatMap((signal): Threshold[] => {
    const own = hard?.[signal];
    const standard =
      own === undefined && (!hard || merged) ? STANDARD_EVICTION.thresholds.filter(each => each.signal === signal) : [];
    const late = soft?.[signal];
    return [
      ...standard,
      ...(own === undefined ? [] : [{signal, value: own, graceMs: 0}]),
      ...(late === undefined ? [] : [{signal, value: late, graceMs: spanOf(graces?.[signal], 0)}]),
    ];
  });
  return {
    thresholds,
    transitionMs: spanOf(config['evictionPressureTransitionPeriod'], TRANSITION_MS) || TRANSITION_MS,
    mostGraceSeconds: Number(config['evictionMaxPodGracePeriod'] ?? 0),
  };
}

/** Why the thresholds of a configuration cannot be read. */
export function whyNoThresholds(config: Fields): string | undefined {
  const pairs = (name: string) => Object.entries((config[name] as Readonly<Record<string, string>> | undefined) ?? {});
  const hard = first(pairs('evictionHard'), whyNoAmount);
  if (hard !== undefined) return hard;
  const graces = pairs('evictionSoftGracePeriod');
  const soft = pairs('evictionSoft');
  const late =
    first(soft, whyNoAmount) ??
    first(graces, whyNoGrace) ??
    first(soft, ([signal]) =>
      graces.some(([name]) => name === signal)
        ? undefined
        : `grace period must be specified for the soft eviction threshold ${signal}`,
    ) ??
    first(pairs('evictionMinimumReclaim'), whyNoReclaim);
  return late === undefined ? undefined : `failed to create kubelet: ${late}`;
}

type Pair = readonly [string, string];

function first(pairs: readonly Pair[], why: (pair: Pair) => string | undefined): string | undefined {
  for (const pair of pairs) {
    const found = why(pair);
    if (found !== undefined) return found;
  }
  return undefined;
}

function whyStranger(signal: string): string | undefined {
  return SIGNALS.has(signal) ? undefined : `unsupported eviction signal ${signal}`;
}

function whyNoAmount([signal, value]: Pair): string | undefined {
  const stranger = whyStranger(signal);
  if (stranger !== undefined) return stranger;
  if (value.endsWith('%')) {
    const share = Number(value.slice(0, -1));
    if (Number.isNaN(share) || value === '%') return `strconv.ParseFloat: parsing ${goQuote(value.slice(0, -1))}: invalid syntax`;
    if (share < 0) return `eviction percentage threshold ${signal} must be >= 0%: ${value}`;
    return share > 100 ? `eviction percentage threshold ${signal} must be <= 100%: ${value}` : undefined;
  }
  const read = parseQuantity(value);
  if ('error' in read) return read.error;
  return read.nanos <= 0n ? `eviction threshold ${signal} must be positive: ${read.canonical}` : undefined;
}

function whyNoGrace([signal, value]: Pair): string | undefined {
  const stranger = whyStranger(signal);
  if (stranger !== undefined) return stranger;
  const read = parseGoDuration(value);
  if ('error' in read) return read.error;
  return read.ms < 0 ? `invalid eviction grace period specified: ${value}, must be a positive value` : undefined;
}

function whyNoReclaim([signal, value]: Pair): string | undefined {
  const stranger = whyStranger(signal);
  if (stranger !== undefined) return stranger;
  if (value.endsWith('%')) return undefined;
  const read = parseQuantity(value);
  if ('error' in read) return read.error;
  return read.nanos < 0n ? `negative eviction minimum reclaim specified for ${signal}` : undefined;
}
