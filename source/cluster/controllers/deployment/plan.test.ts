import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Deployment, ReplicaSet} from '../../../api/kinds/apps-v1.ts';
import {desired, maxSurge, maxUnavailable, specReplicas} from './arithmetic.ts';
import {planDeployment} from './plan.ts';

const percentOrNumber = fc.oneof(
  fc.integer({min: 0, max: 5}),
  fc.integer({min: 0, max: 100}).map(part => `${part}%`),
);
const sizes = fc.record({size: fc.integer({min: 0, max: 12}), available: fc.integer({min: 0, max: 12})});

const NOW = {nowMs: Date.UTC(2026, 10, 30, 5), now: '2026-11-30T05:00:00Z'};

function template(image: string) {
  return {metadata: {labels: {app: 'web'}}, spec: {containers: [{name: 'c', image}]}};
}

function aDeployment(replicas: number, rollingUpdate: object): Deployment {
  const spec = {
    replicas,
    selector: {matchLabels: {app: 'web'}},
    strategy: {type: 'RollingUpdate', rollingUpdate},
    template: template('new'),
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {name: 'web', namespace: 'default', uid: 'd', generation: 1},
    spec,
  } as unknown as Deployment;
}

function aSet(deployment: Deployment, index: number, {size, available}: {size: number; available: number}): ReplicaSet {
  const image = index === 0 ? 'new' : `old-${index}`;
  const annotations = {
    'deployment.kubernetes.io/revision': String(10 - index),
    'deployment.kubernetes.io/desired-replicas': String(desired(deployment)),
    'deployment.kubernetes.io/max-replicas': String(desired(deployment) + maxSurge(deployment)),
  };
  const metadata = {
    name: `web-${index}`,
    namespace: 'default',
    uid: `s${index}`,
    annotations,
    creationTimestamp: `2026-11-30T0${4 - index}:00:00Z`,
    generation: 1,
  };
  const status = {replicas: size, availableReplicas: Math.min(size, available), observedGeneration: 1};
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata,
    spec: {replicas: size, selector: {}, template: template(image)},
    status,
  } as unknown as ReplicaSet;
}

test('no step of a rolling update goes beyond the surge, or takes a pod that is needed', () => {
  fc.assert(
    fc.property(
      fc.integer({min: 1, max: 12}),
      percentOrNumber,
      percentOrNumber,
      fc.array(sizes, {minLength: 1, maxLength: 4}),
      (replicas, surge, missing, all) => {
        const deployment = aDeployment(replicas, {maxSurge: surge, maxUnavailable: missing});
        const sets = all.map((each, index) => aSet(deployment, index, each));
        const plan = planDeployment({deployment, sets, running: new Map(), ...NOW});
        const after = sets.map(set => plan.changes.find(change => change.from === set)?.to ?? set);
        const most = Math.max(specReplicas(sets), replicas + maxSurge(deployment));
        expect(specReplicas(after)).toBeLessThanOrEqual(most);
        // ReplicaSets take pods that are not available first.
        const alive = (list: readonly ReplicaSet[]) =>
          list.reduce((sum, {spec, status}) => sum + Math.min(spec.replicas ?? 0, status?.availableReplicas ?? 0), 0);
        expect(alive(after)).toBeGreaterThanOrEqual(Math.min(alive(sets), replicas - maxUnavailable(deployment)));
      },
    ),
  );
});

test('a rolling update with all pods well ends, whatever its numbers', () => {
  fc.assert(
    fc.property(fc.integer({min: 1, max: 12}), percentOrNumber, percentOrNumber, (replicas, surge, missing) => {
      const deployment = aDeployment(replicas, {maxSurge: surge, maxUnavailable: missing});
      let sets = [aSet(deployment, 0, {size: 0, available: 0}), aSet(deployment, 1, {size: replicas, available: replicas})];
      for (let step = 0; step < 2 * replicas + 2; step++) {
        const plan = planDeployment({deployment, sets, running: new Map(), ...NOW});
        sets = sets.map((set, index) => {
          const size = plan.changes.find(change => change.from === set)?.to.spec.replicas ?? set.spec.replicas ?? 0;
          return aSet(deployment, index, {size, available: size});
        });
      }
      expect(sets.map(set => set.spec.replicas)).toEqual([replicas, 0]);
    }),
  );
});

test('an old set whose status still tells of pods that it has given up gives up none on top', () => {
  const deployment = aDeployment(5, {maxSurge: 2, maxUnavailable: 2});
  const old = aSet(deployment, 1, {size: 2, available: 2});
  const sets = [aSet(deployment, 0, {size: 5, available: 2}), {...old, status: {replicas: 3, availableReplicas: 3}}];
  expect(planDeployment({deployment, sets, running: new Map(), ...NOW}).changes).toEqual([]);
});
