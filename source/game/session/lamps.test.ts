import {expect, test} from 'vitest';
import type {Deployment, ReplicaSet} from '../../api/kinds/apps-v1.ts';
import type {Heard, Speaker} from './heard.ts';
import {focusOf, lampsOf, type Seen} from './lamps.ts';

const NOTHING: Seen = {deployments: [], replicaSets: [], pods: [], services: [], slices: [], events: [], stale: false};

function lights(seen: Seen, ...silent: readonly Speaker[]): Record<string, string> {
  const heard: Heard = {deeds: new Map(), silent: new Set(silent)};
  return Object.fromEntries(lampsOf(seen, focusOf(seen), heard).map(({id, light}) => [id, light]));
}

test('where the player has no object the lamps tell who is heard, and whoever is not is dark', () => {
  expect(lights(NOTHING)).toMatchObject({api: 'ready', etcd: 'ready', deploy: 'ready', sched: 'ready', kubelet: 'waiting'});
  expect(lights(NOTHING, 'etcd', 'sched')).toMatchObject({api: 'ready', etcd: 'stale', sched: 'stale', kubelet: 'waiting'});
});

test('while the API server is not heard, only kubectl is not old', () => {
  const {kubectl, ...others} = lights({...NOTHING, stale: true});
  expect(kubectl).toBe('waiting');
  expect(new Set(Object.values(others))).toEqual(new Set(['stale']));
});

test('of Deployments that are all well, the way shown is of the one rolled out last', () => {
  const deployment = (name: string) => ({metadata: {name, uid: name}, spec: {replicas: 1}, status: {readyReplicas: 1}});
  const set = (of: string, creationTimestamp: string) => ({
    metadata: {name: `${of}-1`, uid: `${of}-1`, creationTimestamp, ownerReferences: [{uid: of}]},
    spec: {replicas: 1},
  });
  const seen = {
    ...NOTHING,
    deployments: [deployment('cache'), deployment('web')] as unknown as readonly Deployment[],
    replicaSets: [set('cache', '2026-11-30T02:14:00Z'), set('web', '2026-11-30T02:15:00Z')] as unknown as readonly ReplicaSet[],
  };
  expect(focusOf(seen).deployment?.metadata.name).toBe('web');
});
