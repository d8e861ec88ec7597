import {expect, test} from 'vitest';
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {hasDiskLimit, whyTooMuchWritten} from './disk-limits.ts';

const MEBI = 1 << 20;

/** A pod by the limits of its containers. */
function podOf(limits: readonly (string | undefined)[]): Pod {
  const containers = limits.map((limit, at) => ({
    name: `c${at}`,
    ...(limit === undefined ? {} : {resources: {limits: {'ephemeral-storage': limit}}}),
  }));
  return {metadata: {name: 'p', uid: 'u'}, spec: {containers}} as unknown as Pod;
}

test.each([
  ['no limit at all', [undefined], [900], 900, undefined],
  ['less than the limit', ['10Mi'], [5], 5, undefined],
  [
    'a container and the folders together',
    ['10Mi'],
    [6],
    5,
    'Pod ephemeral local storage usage exceeds the total limit of containers 10Mi. ',
  ],
  [
    'the sum of two',
    ['10Mi', '1Gi'],
    [6, 1030],
    0,
    'Pod ephemeral local storage usage exceeds the total limit of containers 1034Mi. ',
  ],
  [
    'one of two, whose sum is kept',
    ['10Mi', '1Gi'],
    [11, 3],
    0,
    'Container c0 exceeded its local ephemeral storage limit "10Mi". ',
  ],
])('what a pod wrote: %s', (_, limits, written, folders, why) => {
  const pod = podOf(limits);
  const usage = written.map((amount, at) => ({
    id: String(at),
    uid: 'u',
    name: `c${at}`,
    cpuCores: 0,
    cpuSeconds: 0,
    memoryBytes: 0,
    diskBytes: amount * MEBI,
  }));
  expect(hasDiskLimit(pod) ? whyTooMuchWritten(pod, usage, folders * MEBI) : undefined).toBe(why);
});
