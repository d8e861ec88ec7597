// From what the metrics ask for to what is done: recommendations are smoothed over a while, then the speed and the bounds limit
// them. Without `behavior` a wish for fewer waits until it was the highest for five minutes, and growing stops at twice as many
// (or four); with it, windows and policies say so for both directions.
import type {HorizontalPodAutoscaler, HPAScalingRules} from '../../../api/kinds/autoscaling-v2.ts';

/** What happened before to an autoscaler's target. */
export interface History {
  readonly recommendations: readonly {readonly replicas: number; readonly atMs: number}[];
  /** By how many it grew, or shrank (negative), and when. */
  readonly changes: readonly {readonly by: number; readonly atMs: number}[];
}

/** A number within its limits, and what is to be said of it. */
export interface Limited {
  readonly replicas: number;
  readonly able: Words;
  readonly limited: Words & {readonly status: 'True' | 'False'};
}

interface Words {
  readonly reason: string;
  readonly message: string;
}

/** What is to be limited. */
export interface Wish {
  readonly current: number;
  readonly desired: number;
  readonly nowMs: number;
  readonly history: History;
}

const FITS: Words = {reason: 'ReadyForNewScale', message: 'recommended size matches current size'};
const HIGHEST: Words = {
  reason: 'ScaleDownStabilized',
  message: 'recent recommendations were higher than current one, applying the highest recent recommendation',
};
const LOWEST: Words = {
  reason: 'ScaleUpStabilized',
  message: 'recent recommendations were lower than current one, applying the lowest recent recommendation',
};
const WITHIN: Words = {reason: 'DesiredWithinRange', message: 'the desired count is within the acceptable range'};
const TOO_MANY: Words = {reason: 'TooManyReplicas', message: 'the desired replica count is more than the maximum replica count'};
const TOO_FEW: Words = {reason: 'TooFewReplicas', message: 'the desired replica count is less than the minimum replica count'};
const TOO_FAST: Words = {
  reason: 'ScaleUpLimit',
  message: 'the desired replica count is increasing faster than the maximum scale rate',
};
const TOO_FAST_DOWN: Words = {
  reason: 'ScaleDownLimit',
  message: 'the desired replica count is decreasing faster than the maximum scale rate',
};

/** How many it will be. */
export function limit({spec}: HorizontalPodAutoscaler, wish: Wish, downscaleMs: number): Limited {
  const {behavior, minReplicas = 1, maxReplicas} = spec;
  const calm = behavior ? calmBoth(wish, behavior, downscaleMs) : calmDown(wish, downscaleMs);
  const able = calm.replicas === wish.desired ? FITS : calm.words;
  const range: Range = {min: minReplicas, max: maxReplicas};
  const bounded = behavior
    ? boundByRules({...wish, desired: calm.replicas}, range, behavior)
    : bound({...wish, desired: calm.replicas}, range);
  return {
    replicas: bounded.replicas,
    able,
    limited: {status: bounded.replicas === calm.replicas ? 'False' : 'True', ...bounded.words},
  };
}

interface Bounded {
  readonly replicas: number;
  readonly words: Words;
}

interface Range {
  readonly min: number;
  readonly max: number;
}

function calmDown({desired, nowMs, history}: Wish, downscaleMs: number): Bounded {
  const recent = history.recommendations.filter(({atMs}) => atMs > nowMs - downscaleMs);
  return {replicas: Math.max(desired, ...recent.map(each => each.replicas)), words: HIGHEST};
}

function calmBoth(
  {current, desired, nowMs, history}: Wish,
  {scaleUp: up, scaleDown: down}: {readonly scaleUp?: HPAScalingRules; readonly scaleDown?: HPAScalingRules},
  downscaleMs: number,
): Bounded {
  const upMs = (up?.stabilizationWindowSeconds ?? 0) * 1000;
  const downMs = (down?.stabilizationWindowSeconds ?? downscaleMs / 1000) * 1000;
  let lowest = desired;
  let highest = desired;
  for (const {replicas, atMs} of history.recommendations) {
    if (atMs > nowMs - upMs) lowest = Math.min(lowest, replicas);
    if (atMs > nowMs - downMs) highest = Math.max(highest, replicas);
  }
  const replicas = Math.min(Math.max(current, lowest), highest);
  return {replicas, words: desired >= current ? LOWEST : HIGHEST};
}

function bound({current, desired}: Wish, {min, max}: Range): Bounded {
  const fastest = Math.max(2 * current, 4);
  if (desired < min) return {replicas: min, words: TOO_FEW};
  if (max > fastest) return desired > fastest ? {replicas: fastest, words: TOO_FAST} : {replicas: desired, words: WITHIN};
  return desired > max ? {replicas: max, words: TOO_MANY} : {replicas: desired, words: WITHIN};
}

function boundByRules(
  wish: Wish,
  {min, max}: Range,
  behavior: {readonly scaleUp?: HPAScalingRules; readonly scaleDown?: HPAScalingRules},
): Bounded {
  const {current, desired} = wish;
  if (desired > current) {
    const most = Math.max(current, highestByRules(wish, behavior.scaleUp));
    if (desired > Math.min(most, max)) return max > most ? {replicas: most, words: TOO_FAST} : {replicas: max, words: TOO_MANY};
  } else if (desired < current) {
    const least = Math.min(current, lowestByRules(wish, behavior.scaleDown));
    if (desired < Math.max(least, min))
      return min < least ? {replicas: least, words: TOO_FAST_DOWN} : {replicas: min, words: TOO_FEW};
  }
  return {replicas: desired, words: WITHIN};
}

function highestByRules(wish: Wish, {selectPolicy = 'Max', policies = []}: HPAScalingRules = {}): number {
  if (selectPolicy === 'Disabled') return wish.current;
  const limits = policies.map(({type, value, periodSeconds}) => {
    const start = startOfPeriod(wish, periodSeconds);
    return type === 'Pods' ? start + value : Math.ceil(start * (1 + value / 100));
  });
  return selectPolicy === 'Min' ? Math.min(...limits) : Math.max(...limits);
}

function lowestByRules(wish: Wish, {selectPolicy = 'Max', policies = []}: HPAScalingRules = {}): number {
  if (selectPolicy === 'Disabled') return wish.current;
  const limits = policies.map(({type, value, periodSeconds}) => {
    const start = startOfPeriod(wish, periodSeconds);
    return type === 'Pods' ? start - value : Math.trunc(start * (1 - value / 100));
  });
  return selectPolicy === 'Min' ? Math.max(...limits) : Math.min(...limits);
}

/** How many there were when the period began. */
function startOfPeriod({current, history, nowMs}: Wish, periodSeconds: number): number {
  let start = current;
  for (const {by, atMs} of history.changes) if (atMs > nowMs - periodSeconds * 1000) start -= by;
  return start;
}
