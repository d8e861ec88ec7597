import {expect, test} from 'vitest';
import {STANDARD_TUNING} from '../../cluster/controllers/tuning.ts';
import {tuningOf} from './controller-tuning.ts';
import {readCommandLine} from './flags.ts';

function tuned(...words: readonly string[]) {
  const line = readCommandLine('kube-controller-manager', words);
  if (!line.ok) throw new Error(line.lines.join());
  return tuningOf(line.flags);
}

test('without a word controllers are as patient as ever', () => {
  expect(tuned()).toEqual(STANDARD_TUNING);
});

test('flags make them more patient, or less', () => {
  const {nodes, endedPods, autoscaler, signedMs} = tuned(
    '--node-monitor-grace-period=20s',
    '--node-eviction-rate=0.5',
    '--secondary-node-eviction-rate=0',
    '--terminated-pod-gc-threshold=10',
    '--horizontal-pod-autoscaler-sync-period=5s',
    '--horizontal-pod-autoscaler-tolerance=0.2',
    '--cluster-signing-duration=48h',
  );
  expect([nodes.graceMs, nodes.paceMs, nodes.slowPaceMs, endedPods, autoscaler.periodMs, autoscaler.tolerance]).toEqual([
    20_000,
    2000,
    Infinity,
    10,
    5000,
    0.2,
  ]);
  expect(signedMs).toBe(2 * 86_400_000);
});
