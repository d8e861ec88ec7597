import {expect, test} from 'vitest';
import type {PodDisruptionBudget} from '../../../api/kinds/policy-v1.ts';
import {aCluster, aDeployment, events, settle} from '../testing/cluster.ts';
import {aPod} from '../testing/pods.ts';
import {planBudget} from './plan.ts';

function aBudget(spec: object, status: object = {}): PodDisruptionBudget {
  const metadata = {name: 'db', namespace: 'default', generation: 1};
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata,
    spec: {selector: {matchLabels: {app: 'web'}}, ...spec},
    status,
  } as unknown as PodDisruptionBudget;
}

const three = [aPod('a', {ready: true}), aPod('b', {ready: true}), aPod('c', {ready: true}), aPod('d')];
const facts = {nowMs: Date.UTC(2026, 10, 30, 5), now: '2026-11-30T05:00:00Z'};

const cases: readonly {readonly spec: object; readonly wanted: number; readonly numbers: readonly number[]}[] = [
  {spec: {minAvailable: 2}, wanted: 4, numbers: [3, 2, 1, 4]},
  {spec: {minAvailable: 3}, wanted: 4, numbers: [3, 3, 0, 4]},
  {spec: {maxUnavailable: 1}, wanted: 4, numbers: [3, 3, 0, 4]},
  {spec: {maxUnavailable: '50%'}, wanted: 4, numbers: [3, 2, 1, 4]},
  {spec: {minAvailable: '30%'}, wanted: 4, numbers: [3, 2, 1, 4]},
  {spec: {maxUnavailable: '50%'}, wanted: 0, numbers: [3, 0, 0, 0]},
];

for (const {spec, wanted, numbers} of cases) {
  test(`${JSON.stringify(spec)} of ${wanted} wanted pods, three healthy`, () => {
    const status = planBudget({budget: aBudget(spec), pods: three, wanted, unmanaged: 0, ...facts});
    expect([status.currentHealthy, status.desiredHealthy, status.disruptionsAllowed, status.expectedPods]).toEqual(numbers);
    const allowed = status.disruptionsAllowed > 0;
    expect(status.conditions).toMatchObject([
      {
        type: 'DisruptionAllowed',
        status: allowed ? 'True' : 'False',
        reason: allowed ? 'SufficientPods' : 'InsufficientPods',
        message: '',
      },
    ]);
  });
}

test('a pod whose eviction was granted does not count, for two minutes', () => {
  const fresh = {disruptedPods: {a: '2026-11-30T04:59:00Z', b: '2026-11-30T04:50:00Z'}};
  const status = planBudget({budget: aBudget({minAvailable: 2}, fresh), pods: three, wanted: 4, unmanaged: 0, ...facts});
  expect(status).toMatchObject({currentHealthy: 2, disruptionsAllowed: 0, disruptedPods: {a: '2026-11-30T04:59:00Z'}});
});

test('a Deployment is counted as what it wants; bare pods are told of', () => {
  const api = aCluster();
  api.create(aDeployment('web', {replicas: 4}));
  api.create({...aBudget({maxUnavailable: '50%'})});
  settle(api);
  expect(api.get<PodDisruptionBudget>('poddisruptionbudgets', 'default/db')?.status).toMatchObject({
    expectedPods: 4,
    desiredHealthy: 2,
    currentHealthy: 4,
    disruptionsAllowed: 2,
  });
  const metadata = {name: 'bare', namespace: 'default', labels: {app: 'web'}};
  api.remove('deployments', 'default/web');
  settle(api, 4000);
  api.create({apiVersion: 'v1', kind: 'Pod', metadata, spec: {containers: []}});
  settle(api);
  expect(api.get<PodDisruptionBudget>('poddisruptionbudgets', 'default/db')?.status).toMatchObject({
    expectedPods: 0,
    currentHealthy: 1,
    disruptionsAllowed: 0,
  });
  expect(events(api, 'PodDisruptionBudget').at(-1)).toBe(
    'UnmanagedPods Pods selected by this PodDisruptionBudget (selector: &LabelSelector{MatchLabels:map[string]string{app: web,},MatchExpressions:[]LabelSelectorRequirement{},}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.',
  );
});

test.each([
  ['DaemonSet', 'apps/v1', 'daemonsets.apps does not implement the scale subresource'],
  ['Job', 'batch/v1', 'jobs.batch does not implement the scale subresource'],
  ['Node', 'v1', 'nodes does not implement the scale subresource'],
  ['ReplicaSet', 'apps/v1', 'found no controllers for pod "web"'],
  ['Shop', 'example.com/v1', 'no matches for kind "Shop" in version "example.com/v1"'],
])('a budget in percent over pods of a %s allows nothing, and says why', (kind, apiVersion, why) => {
  const api = aCluster();
  api.create({...aBudget({maxUnavailable: '50%'}), status: {}});
  const ownerReferences = [{apiVersion, kind, name: 'x', uid: 'u', controller: true}];
  const metadata = {name: 'web', namespace: 'default', labels: {app: 'web'}, ownerReferences, finalizers: ['a.com/b']};
  api.create({apiVersion: 'v1', kind: 'Pod', metadata, spec: {containers: []}});
  api.run(1000);
  const status = api.get<PodDisruptionBudget>('poddisruptionbudgets', 'default/db')?.status;
  expect(status?.disruptionsAllowed).toBe(0);
  expect(status?.conditions).toMatchObject([{type: 'DisruptionAllowed', status: 'False', reason: 'SyncFailed', message: why}]);
  expect(events(api, 'PodDisruptionBudget')).toContain(
    `CalculateExpectedPodCountFailed Failed to calculate the number of expected pods: ${why}`,
  );
});
