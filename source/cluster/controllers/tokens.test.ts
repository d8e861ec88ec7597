// Tokens that nobody needs any more: of machines that wanted to join, and of accounts as older versions gave them.
import {expect, test} from 'vitest';
import type {Secret} from '../../api/kinds/core-v1.ts';
import {planLegacy} from './legacy-tokens.ts';
import {aCluster} from './testing/cluster.ts';
import {endOf} from './token-cleaner.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const aToken = (expiration?: string) =>
  ({data: expiration === undefined ? {} : {expiration: base64(expiration)}}) as unknown as Secret;

test('a bootstrap token ends when it says, never when it says nothing, and at once when it cannot be read', () => {
  expect(endOf(aToken('2026-11-30T10:00:00Z'))).toBe(Date.UTC(2026, 10, 30, 10));
  expect(endOf(aToken())).toBeUndefined();
  expect(endOf(aToken('soon'))).toBe(0);
});

test('a bootstrap token goes when its time is over, and not before', () => {
  const api = aCluster(undefined, {controllers: ['*', 'tokencleaner', '-node-lifecycle-controller']});
  const make = (name: string, expiration: string, type = 'bootstrap.kubernetes.io/token') =>
    api.create({
      apiVersion: 'v1',
      kind: 'Secret',
      type,
      metadata: {name, namespace: 'kube-system'},
      data: {expiration: base64(expiration)},
    });
  const at = (ms: number) => new Date(Math.floor(api.daemon.wall() + ms)).toISOString();
  make('bootstrap-token-aaaaaa', at(60_000));
  make('bootstrap-token-bbbbbb', at(3_600_000));
  make('other', at(60_000), 'Opaque');
  const names = () => api.all('secrets').map(each => each.metadata.name);
  api.run(55_000);
  expect(names()).toHaveLength(3);
  api.run(10_000);
  expect(names()).toEqual(['bootstrap-token-bbbbbb', 'other']);
});

test('nobody cleans bootstrap tokens where --controllers does not ask for it by name', () => {
  const api = aCluster(undefined, {controllers: ['*', '-node-lifecycle-controller']});
  const metadata = {name: 'bootstrap-token-aaaaaa', namespace: 'kube-system'};
  const data = {expiration: base64('2020-01-01T00:00:00Z')};
  api.create({apiVersion: 'v1', kind: 'Secret', type: 'bootstrap.kubernetes.io/token', metadata, data});
  api.run(60_000);
  expect(api.get('secrets', 'kube-system/bootstrap-token-aaaaaa')).toBeDefined();
});

const YEAR = 366;
test.each([
  ['used a month ago', {'kubernetes.io/legacy-token-last-used': '2026-11-01'}, 'keep'],
  ['not used for a year', {'kubernetes.io/legacy-token-last-used': '2025-06-01'}, 'mark'],
  ['never used', {}, 'mark'],
  ['marked lately', {'kubernetes.io/legacy-token-invalid-since': '2026-10-01'}, 'keep'],
  ['marked a year ago', {'kubernetes.io/legacy-token-invalid-since': '2025-06-01'}, 'remove'],
  [
    'marked, and used again',
    {'kubernetes.io/legacy-token-invalid-since': '2025-06-01', 'kubernetes.io/legacy-token-last-used': '2026-11-01'},
    'unmark',
  ],
])('a legacy token %s', (_what, labels, plan) => {
  const secret = {metadata: {name: 't', labels, creationTimestamp: '2022-01-01T00:00:00Z'}} as unknown as Secret;
  const now = Date.UTC(2026, 10, 30);
  expect(planLegacy(secret, now - 3 * YEAR * 86_400_000, now)).toBe(plan);
  expect(planLegacy(secret, now - 86_400_000, now)).toBe(
    'kubernetes.io/legacy-token-invalid-since' in labels ? 'unmark' : 'keep',
  );
});
