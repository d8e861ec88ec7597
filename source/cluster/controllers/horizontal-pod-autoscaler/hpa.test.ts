import {expect, test} from 'vitest';
import type {HorizontalPodAutoscaler, HorizontalPodAutoscalerBehavior} from '../../../api/kinds/autoscaling-v2.ts';
import type {Pod} from '../../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import type {Answer, Request} from '../../../api/wire/http.ts';
import {STANDARD_TUNING} from '../tuning.ts';
import {aCluster, aDeployment, events, settle} from '../testing/cluster.ts';
import type {FakeApi} from '../../../client/testing/fake-api.ts';
import {limit, type Wish} from './limits.ts';
import {byAverage, byUtilization, type Measured} from './replicas.ts';

const NOW = Date.UTC(2026, 10, 30, 5, 0, 0);

interface Traits {
  readonly milli?: number;
  readonly phase?: string;
  readonly ready?: boolean;
  readonly startedSecondsAgo?: number;
  readonly ending?: boolean;
  readonly request?: string | undefined;
}

function measured(traits: readonly Traits[], current = traits.length): Measured {
  const metrics = new Map<string, {milli: number; atMs: number; windowMs: number}>();
  const pods = traits.map(({milli, phase = 'Running', ready = true, startedSecondsAgo = 3600, ending, request = '100m'}, n) => {
    if (milli !== undefined) metrics.set(`p-${n}`, {milli, atMs: NOW - 5000, windowMs: 15_000});
    const startTime = new Date(NOW - startedSecondsAgo * 1000).toISOString();
    const condition = {type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: startTime};
    return {
      metadata: {name: `p-${n}`, namespace: 'default', ...(ending ? {deletionTimestamp: startTime} : {})},
      spec: {containers: [{name: 'c', resources: {requests: request === '' ? {} : {cpu: request}}}]},
      status: {phase, startTime, conditions: [condition]},
    } as unknown as Pod;
  });
  return {
    pods,
    metrics,
    current,
    resource: 'cpu',
    tolerances: {up: 0.1, down: 0.1},
    nowMs: NOW,
    tuning: STANDARD_TUNING.autoscaler,
  };
}

const busy = {milli: 100};
const proposals: readonly {name: string; pods: readonly Traits[]; current?: number; wanted: number | string}[] = [
  {name: 'twice the target', pods: [busy, busy], wanted: 4},
  {name: 'inside of the tolerance', pods: [{milli: 54}, {milli: 54}], wanted: 2},
  {name: 'half the target', pods: [{milli: 25}, {milli: 25}, {milli: 25}, {milli: 25}], wanted: 2},
  {
    name: 'a pod that was not measured keeps the target from shrinking so far',
    pods: [{milli: 25}, {milli: 25}, {milli: 25}, {}],
    wanted: 4,
  },
  {name: 'a pod that was not measured dampens growth', pods: [busy, busy, {}], wanted: 4},
  {name: 'a pod that is pending dampens growth', pods: [busy, busy, {phase: 'Pending'}], wanted: 4},
  {name: 'a pod that has just started dampens growth', pods: [busy, busy, {milli: 900, startedSecondsAgo: 5}], wanted: 4},
  {
    name: 'pods that end or failed do not count',
    pods: [busy, {milli: 5, ending: true}, {milli: 5, phase: 'Failed'}],
    current: 1,
    wanted: 2,
  },
  {
    name: 'nobody is ready',
    pods: [{milli: 50, ready: false, startedSecondsAgo: 20}],
    wanted: 'did not receive metrics for targeted pods (pods might be unready)',
  },
  {name: 'no pods', pods: [], wanted: 'No pods returned by selector while calculating replica count'},
  {name: 'no request', pods: [{milli: 5, request: ''}], wanted: 'missing request for cpu in container c of Pod p-0'},
];
for (const {name, pods, current, wanted} of proposals) {
  test(`half of the request is wanted: ${name}`, () => {
    const proposal = byUtilization(measured(pods, current), 50);
    expect(typeof proposal === 'string' ? proposal : proposal.replicas).toBe(wanted);
  });
}

test('an average amount as the target', () => {
  expect(byAverage(measured([{milli: 30}, {milli: 50}]), 20)).toEqual({replicas: 4, averageMilli: 40});
  expect(byAverage(measured([{milli: 30}, {milli: 50}], 2), 40)).toEqual({replicas: 2, averageMilli: 40});
});

const at = (secondsAgo: number) => 1_000_000 - secondsAgo * 1000;
interface LimitCase {
  readonly name: string;
  readonly wish: Partial<Wish>;
  readonly behavior?: HorizontalPodAutoscalerBehavior;
  readonly replicas: number;
  readonly able?: string;
  readonly limited: string;
}
const podsPolicy = (value: number, periodSeconds = 60) => ({policies: [{type: 'Pods', value, periodSeconds}]});
const limits: readonly LimitCase[] = [
  {name: 'growing stops at twice as many', wish: {current: 5, desired: 30}, replicas: 10, limited: 'ScaleUpLimit'},
  {name: 'or at four', wish: {current: 1, desired: 9}, replicas: 4, limited: 'ScaleUpLimit'},
  {name: 'the most', wish: {current: 11, desired: 30}, replicas: 20, limited: 'TooManyReplicas'},
  {name: 'the least', wish: {current: 3, desired: 1}, replicas: 2, limited: 'TooFewReplicas'},
  {
    name: 'shrinking waits for five minutes',
    wish: {
      current: 8,
      desired: 3,
      history: {
        recommendations: [
          {replicas: 7, atMs: at(100)},
          {replicas: 9, atMs: at(400)},
        ],
        changes: [],
      },
    },
    replicas: 7,
    able: 'ScaleDownStabilized',
    limited: 'DesiredWithinRange',
  },
  {
    name: 'no more than three pods in a minute',
    wish: {
      current: 6,
      desired: 15,
      history: {
        recommendations: [],
        changes: [
          {by: 1, atMs: at(30)},
          {by: 9, atMs: at(90)},
        ],
      },
    },
    behavior: {scaleUp: podsPolicy(3)},
    replicas: 8,
    limited: 'ScaleUpLimit',
  },
  {
    name: 'growing waits for the lowest of a window',
    wish: {current: 4, desired: 9, history: {recommendations: [{replicas: 5, atMs: at(20)}], changes: []}},
    behavior: {scaleUp: {stabilizationWindowSeconds: 60, ...podsPolicy(100)}},
    replicas: 5,
    able: 'ScaleUpStabilized',
    limited: 'DesiredWithinRange',
  },
  {
    name: 'shrinking by a tenth at a time',
    wish: {current: 20, desired: 2},
    behavior: {scaleDown: {stabilizationWindowSeconds: 0, policies: [{type: 'Percent', value: 10, periodSeconds: 60}]}},
    replicas: 18,
    limited: 'ScaleDownLimit',
  },
  {
    name: 'never shrinking',
    wish: {current: 20, desired: 2},
    behavior: {scaleDown: {stabilizationWindowSeconds: 0, selectPolicy: 'Disabled'}},
    replicas: 20,
    limited: 'ScaleDownLimit',
  },
  {
    name: 'the gentlest policy',
    wish: {current: 10, desired: 20},
    behavior: {
      scaleUp: {selectPolicy: 'Min', policies: [...podsPolicy(2).policies, {type: 'Percent', value: 100, periodSeconds: 60}]},
    },
    replicas: 12,
    limited: 'ScaleUpLimit',
  },
];
for (const {name, wish, behavior, replicas, able = 'ReadyForNewScale', limited} of limits) {
  test(`how far one goes: ${name}`, () => {
    const spec = {minReplicas: 2, maxReplicas: 20, ...(behavior ? {behavior} : {})};
    const whole = {current: 1, desired: 1, nowMs: 1_000_000, history: {recommendations: [], changes: []}, ...wish};
    const result = limit({spec} as unknown as HorizontalPodAutoscaler, whole, STANDARD_TUNING.autoscaler.downscaleMs);
    expect([result.replicas, result.able.reason, result.limited.reason]).toEqual([replicas, able, limited]);
  });
}

/** Serves scales of Deployments, and metrics when there are any. */
function serveScales(api: FakeApi, cpu: () => string | undefined): void {
  api.intercept = ({method, path, body}: Request): Answer | undefined => {
    if (path.startsWith('/apis/metrics.k8s.io/')) {
      const usage = cpu();
      if (usage === undefined) return {status: 404, body: '404 page not found\n'};
      const containers = [{name: 'c', usage: {cpu: usage, memory: '10Mi'}}];
      const items = api
        .all<Pod>('pods')
        .map(({metadata}) => ({metadata, timestamp: api.daemon.now(), window: '15s', containers}));
      return {status: 200, body: {items}};
    }
    if (!path.endsWith('/scale')) return undefined;
    const key = `default/${path.split('/').at(-2)}`;
    if (method === 'PUT') {
      const {replicas} = (body as {spec: {replicas: number}}).spec;
      api.patch(
        'deployments',
        key,
        old => ({...old, spec: {...(old.spec as object), replicas}, metadata: {...old.metadata, generation: 9}}) as AnyObject,
      );
    }
    const object = api.get<AnyObject & {spec: {replicas: number}}>('deployments', key);
    if (!object) return undefined;
    const status = {replicas: api.all('pods').length, selector: 'app=web'};
    return {
      status: 200,
      body: {
        kind: 'Scale',
        apiVersion: 'autoscaling/v1',
        metadata: object.metadata,
        spec: {replicas: object.spec.replicas},
        status,
      },
    };
  };
}

function anAutoscaler(name = 'web', target = 'web', min = 2): unknown {
  const resource = {name: 'cpu', target: {type: 'Utilization', averageUtilization: 50}};
  const spec = {
    minReplicas: min,
    maxReplicas: 6,
    scaleTargetRef: {apiVersion: 'apps/v1', kind: 'Deployment', name: target},
    metrics: [{type: 'Resource', resource}],
  };
  return {apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: {name, namespace: 'default'}, spec};
}

const container = {name: 'c', image: 'nginx:1.27', resources: {requests: {cpu: '100m'}}};
const template = {metadata: {labels: {app: 'web'}}, spec: {terminationGracePeriodSeconds: 0, containers: [container]}};
const replicasOf = (api: FakeApi) => api.get<{spec: {replicas: number}}>('deployments', 'default/web')?.spec.replicas;
const statusOf = (api: FakeApi, name = 'web') =>
  api.get<HorizontalPodAutoscaler>('horizontalpodautoscalers', `default/${name}`)?.status;

test('without metrics the bounds still count, and the conditions say what is missing', () => {
  const api = aCluster();
  serveScales(api, () => undefined);
  api.create(aDeployment('web', {replicas: 1, template}));
  api.create(anAutoscaler());
  api.create(anAutoscaler('lost', 'nope'));
  settle(api, 16_000);
  expect(replicasOf(api)).toBe(2);
  expect(statusOf(api)).toMatchObject({currentReplicas: 1, desiredReplicas: 2});
  settle(api, 16_000);
  const missing =
    'failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: ' +
    'the server could not find the requested resource (get pods.metrics.k8s.io)';
  expect(statusOf(api)).toMatchObject({
    currentReplicas: 2,
    currentMetrics: [{type: ''}],
    conditions: [
      {type: 'AbleToScale', status: 'True', reason: 'SucceededGetScale'},
      {
        type: 'ScalingActive',
        status: 'False',
        reason: 'FailedGetResourceMetric',
        message: `the HPA was unable to compute the replica count: ${missing}`,
      },
    ],
  });
  expect(events(api, 'HorizontalPodAutoscaler').filter(text => !text.includes('nope'))).toEqual([
    'SuccessfulRescale New size: 2; reason: Current number of replicas below Spec.MinReplicas',
    `FailedGetResourceMetric ${missing}`,
    `FailedComputeMetricsReplicas invalid metrics (1 invalid out of 1), first error is: failed to get cpu resource metric value: ${missing}`,
  ]);
  expect(statusOf(api, 'lost')?.conditions).toMatchObject([
    {
      type: 'AbleToScale',
      status: 'False',
      reason: 'FailedGetScale',
      message: 'the HPA controller was unable to get the target\'s current scale: deployments.apps "nope" not found',
    },
  ]);
});

test('load grows the target, and what was higher in five minutes keeps it so', () => {
  // Nobody posts for the nodes here.
  const api = aCluster(undefined, {controllers: ['*', '-node-lifecycle-controller']});
  const load = {cpu: '100m'};
  serveScales(api, () => load.cpu);
  api.create(aDeployment('web', {replicas: 2, template}));
  settle(api, 4000);
  for (const {metadata} of api.all<Pod>('pods')) {
    api.patch(
      'pods',
      `default/${metadata.name}`,
      old => ({...old, status: {...(old['status'] as object), startTime: '2026-11-30T03:00:00Z'}}) as AnyObject,
    );
  }
  api.run(20_000);
  api.create(anAutoscaler());
  settle(api, 16_000);
  expect(replicasOf(api)).toBe(4);
  expect(statusOf(api)).toMatchObject({
    currentMetrics: [{type: 'Resource', resource: {name: 'cpu', current: {averageUtilization: 100, averageValue: '100m'}}}],
  });
  expect(events(api, 'HorizontalPodAutoscaler')).toEqual([
    'SuccessfulRescale New size: 4; reason: cpu resource utilization (percentage of request) above target',
  ]);
  load.cpu = '1m';
  settle(api, 100_000);
  expect(replicasOf(api)).toBe(4);
  expect(statusOf(api)?.conditions?.find(({type}) => type === 'AbleToScale')?.reason).toBe('ScaleDownStabilized');
  settle(api, 300_000);
  expect(replicasOf(api)).toBe(2);
  expect(events(api, 'HorizontalPodAutoscaler')).toContain('SuccessfulRescale New size: 2; reason: All metrics below target');
});

test('a target of zero replicas is left alone', () => {
  const api = aCluster();
  serveScales(api, () => '1');
  api.create(aDeployment('web', {replicas: 0, template}));
  api.create(anAutoscaler());
  settle(api, 16_000);
  expect(replicasOf(api)).toBe(0);
  expect(statusOf(api)?.conditions).toMatchObject([
    {reason: 'SucceededGetScale'},
    {
      type: 'ScalingActive',
      status: 'False',
      reason: 'ScalingDisabled',
      message: 'scaling is disabled since the replica count of the target is zero',
    },
  ]);
});

test('two autoscalers of the same pods both stop, and say who the other one is', () => {
  const api = aCluster();
  serveScales(api, () => '100m');
  api.create(aDeployment('web', {replicas: 2, template}));
  settle(api, 4000);
  api.create(anAutoscaler('one'));
  api.create(anAutoscaler('two'));
  settle(api, 35_000);
  const ambiguous = 'pods by selector app=web are controlled by multiple HPAs: [{one default} {two default}]';
  for (const name of ['one', 'two']) {
    const active = statusOf(api, name)?.conditions?.find(({type}) => type === 'ScalingActive');
    expect(active).toMatchObject({status: 'False', reason: 'AmbiguousSelector'});
    expect(active?.message?.split(' ').slice(0, 4)).toEqual(ambiguous.split(' ').slice(0, 4));
  }
  expect(events(api, 'HorizontalPodAutoscaler')).toContain(`AmbiguousSelector ${ambiguous}`);
});
