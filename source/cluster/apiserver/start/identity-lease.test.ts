import {expect, test} from 'vitest';
import type {Lease} from '../../../api/kinds/coordination-v1.ts';
import {isOver} from './identity-lease.ts';

const NOW = Date.UTC(2026, 10, 30, 9);
const aLease = (renewTime: string, identity = 'kube-apiserver') =>
  ({
    metadata: {name: 'apiserver-x', labels: {'apiserver.kubernetes.io/identity': identity}},
    spec: {leaseDurationSeconds: 3600, renewTime},
  }) as unknown as Lease;

test.each([
  ['renewed lately', aLease('2026-11-30T08:59:50.000000Z'), false],
  ['an hour old', aLease('2026-11-30T07:59:59.000000Z'), true],
  ['of something else', aLease('2026-11-30T07:00:00.000000Z', 'other'), false],
])('a lease %s', (_what, lease, over) => {
  expect(isOver(lease, NOW)).toBe(over);
});
