// What a way of writing gives back, by the kind that is written.
import {expect, test} from 'vitest';
import {ignoredBy} from './ownership.ts';
import type {Write} from './write.ts';

const writing = (group: string, resource: string, subresource: string): Write =>
  ({served: {facts: {group, resource}, hasStatus: true}, subresource}) as Write;

test.each([
  ['pods', '', 'status'],
  ['deployments', 'apps', 'status'],
  ['certificatesigningrequests', 'certificates.k8s.io', ''],
])('a definition that is called %s as well is a kind like any other', (resource, group, subresource) => {
  const custom = ignoredBy(writing('shop.example.com', 'parcels', subresource));
  expect(ignoredBy(writing('shop.example.com', resource, subresource))).toBe(custom);
  expect(ignoredBy(writing(group, resource, subresource))).not.toEqual(custom);
});
