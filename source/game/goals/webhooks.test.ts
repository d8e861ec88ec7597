import {expect, test} from 'vitest';
import {builtin} from '../../api/meta/resources.ts';
import type {AnyObject} from '../../api/meta/object.ts';
import type {Referee, Sample} from './check.ts';
import {nodesReady} from './nodes-ready.ts';
import {webhookHears} from './webhook-hears.ts';
import {writeLatency} from './write-latency.ts';

const web = {resource: builtin('apps', 'deployments'), namespace: 'shop', name: 'web'};

function referee(seen: {samples?: readonly Sample[]; reviews?: readonly string[]; nodes?: readonly string[]}): Referee {
  const nodes = (seen.nodes ?? []).map(
    (status, n) => ({metadata: {name: `node-${n}`}, status: {conditions: [{type: 'Ready', status}]}}) as unknown as AnyObject,
  );
  return {
    now: 100_000,
    find: () => undefined,
    all: () => nodes,
    original: () => undefined,
    samples: () => seen.samples ?? [],
    reviews: () => new Set(seen.reviews),
    failures: () => ({failed: 0, last: ''}),
    members: () => [],
    originalMember: () => undefined,
  } as Partial<Referee> as Referee;
}

function sample(at: number, tookMs: number, status = 200): Sample {
  return {at, tookMs, status, body: '', failure: undefined};
}

test.for<[string, readonly Sample[], boolean, string]>([
  ['all were quick', [sample(90_000, 20), sample(92_000, 40)], true, 'p99 40 ms'],
  ['one was slow', [sample(90_000, 20), sample(92_000, 700)], false, 'p99 700 ms'],
  ['the slow one is long ago', [sample(70_000, 9000), sample(92_000, 40)], true, 'p99 40 ms'],
  ['one was refused', [sample(92_000, 10, 500)], false, 'refused'],
  ['none was tried of late', [sample(10_000, 10)], false, 'p99 10 ms'],
  ['none was tried', [], false, 'not tried yet'],
])('the latency of writes: %s', ([, samples, met, note]) => {
  expect(writeLatency.judge({object: web, below: 500}, referee({samples}))).toEqual({met, note});
});

test.for<[string, readonly string[], boolean, string]>([
  ['what it should', ['deployments', 'pods'], true, 'deployments, pods'],
  ['not all', ['pods'], false, 'hears of no deployments'],
  ['what it should not', ['deployments', 'leases'], false, 'hears of leases'],
  ['a status', ['deployments', 'pods/status'], false, 'hears of pods/status'],
])('a webhook hears %s', ([, reviews, met, note]) => {
  const args = {configuration: 'audit', writes: [web], never: ['leases', '*/status']};
  expect(webhookHears.judge(args, referee({reviews}))).toEqual({met, note});
});

test.for<[readonly string[], boolean, string]>([
  [['True', 'True'], true, '2/2'],
  [['True', 'Unknown'], false, '1/2'],
  [[], false, '0/0'],
])('nodes that are %s', ([nodes, met, note]) => {
  expect(nodesReady.judge({}, referee({nodes}))).toEqual({met, note});
});
