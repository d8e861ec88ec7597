// An autoscaler in its two versions, over the API: what v1 has no field for goes through its annotations and comes back.
import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {AnyObject} from '../../../api/meta/object.ts';
import {ServerRoom} from '../testing/server-room.ts';
import {autoscalerToV1, autoscalerToV2} from './autoscaler-v1.ts';

const V1 = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers';
const V2 = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
const MERGE = 'application/merge-patch+json';
const scaleTargetRef = {apiVersion: 'apps/v1', kind: 'Deployment', name: 'web'};
const describedObject = {apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name: 'door'};
const CPU = {type: 'Resource', resource: {name: 'cpu', target: {type: 'Utilization', averageUtilization: 60}}};

const selector = fc.constantFrom(undefined, {matchLabels: {a: 'b'}});
const metric = fc
  .record({name: fc.constantFrom('requests', 'depth'), selector})
  .map(each => (each.selector ? each : {name: each.name}));
const value = fc.constantFrom('5', '200m', '1Gi').map(amount => ({type: 'Value', value: amount}));
const average = fc.constantFrom('5', '200m').map(amount => ({type: 'AverageValue', averageValue: amount}));
const use = fc.integer({min: 1, max: 100}).map(averageUtilization => ({type: 'Utilization', averageUtilization}));
const other = fc.oneof(
  fc.oneof(use, average).map(target => ({type: 'Resource', resource: {name: 'memory', target}})),
  average.map(target => ({type: 'Resource', resource: {name: 'cpu', target}})),
  use.map(target => ({type: 'ContainerResource', containerResource: {name: 'cpu', container: 'c', target}})),
  fc.record({metric, target: average}).map(pods => ({type: 'Pods', pods})),
  fc.record({metric, target: fc.oneof(value, average)}).map(external => ({type: 'External', external})),
  fc.record({metric, target: value}).map(object => ({type: 'Object', object: {describedObject, ...object}})),
);
const behavior = fc.constantFrom(undefined, {
  scaleDown: {stabilizationWindowSeconds: 60, selectPolicy: 'Max', policies: [{type: 'Pods', value: 1, periodSeconds: 30}]},
});

test('whatever v2 says comes back from v1', () => {
  fc.assert(
    fc.property(fc.array(other, {maxLength: 4}), fc.boolean(), behavior, (others, withCpu, how) => {
      const metrics = [...others, ...(withCpu ? [CPU] : [])];
      const spec = {scaleTargetRef, maxReplicas: 3, ...(metrics.length > 0 ? {metrics} : {}), ...(how ? {behavior: how} : {})};
      const metadata = {name: 'web', annotations: {mine: 'x'}};
      const stored = {apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata, spec} as unknown as AnyObject;
      expect(autoscalerToV2(autoscalerToV1(stored), stored)).toEqual(stored);
    }),
  );
});

test('v1 shows the CPU, and the rest as text', () => {
  const room = new ServerRoom();
  const memory = {type: 'Resource', resource: {name: 'memory', target: {type: 'AverageValue', averageValue: '100Mi'}}};
  const spec = {scaleTargetRef, maxReplicas: 3, metrics: [CPU, memory]};
  room.post(V2, {apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: {name: 'web'}, spec});
  const status = {
    currentReplicas: 1,
    desiredReplicas: 2,
    currentMetrics: [{type: 'Resource', resource: {name: 'cpu', current: {averageUtilization: 90, averageValue: '9m'}}}],
    conditions: [
      {type: 'AbleToScale', status: 'True', reason: 'ReadyForNewScale', message: 'm', lastTransitionTime: '2026-11-30T04:20:20Z'},
    ],
  };
  expect(room.patch(`${V2}/web/status`, MERGE, {status}).status).toBe(200);
  expect(room.get(`${V1}/web`).body).toMatchObject({
    metadata: {
      annotations: {
        'autoscaling.alpha.kubernetes.io/metrics':
          '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"100Mi"}}]',
        'autoscaling.alpha.kubernetes.io/current-metrics':
          '[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":90,"currentAverageValue":"9m"}}]',
        'autoscaling.alpha.kubernetes.io/conditions':
          '[{"type":"AbleToScale","status":"True","lastTransitionTime":"2026-11-30T04:20:20Z","reason":"ReadyForNewScale","message":"m"}]',
      },
    },
    spec: {targetCPUUtilizationPercentage: 60},
    status: {currentCPUUtilizationPercentage: 90, currentReplicas: 1},
  });
  expect((room.get(`${V2}/web`).body as AnyObject).metadata.annotations).toBeUndefined();
});

test('a change in v1 keeps what v1 has no field for', () => {
  const room = new ServerRoom();
  const memory = {type: 'Resource', resource: {name: 'memory', target: {type: 'Utilization', averageUtilization: 50}}};
  const spec = {scaleTargetRef, maxReplicas: 3, metrics: [CPU, memory], behavior: {scaleDown: {stabilizationWindowSeconds: 5}}};
  room.post(V2, {apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: {name: 'web'}, spec});
  const before = room.get(`${V2}/web`).body as AnyObject;
  expect(room.patch(`${V1}/web`, MERGE, {spec: {targetCPUUtilizationPercentage: 70}}).status).toBe(200);
  const shown = room.get(`${V1}/web`).body as AnyObject & {spec: object};
  expect(room.put(`${V1}/web`, {...shown, spec: {...shown.spec, maxReplicas: 9}}).status).toBe(200);
  expect(room.get(`${V2}/web`).body).toMatchObject({
    spec: {
      maxReplicas: 9,
      metrics: [memory, {...CPU, resource: {name: 'cpu', target: {type: 'Utilization', averageUtilization: 70}}}],
      behavior: (before.spec as {behavior: object}).behavior,
    },
  });
  // Without the annotation that carries them, the others are gone.
  expect(room.patch(`${V1}/web`, MERGE, {metadata: {annotations: null}}).status).toBe(200);
  expect((room.get(`${V2}/web`).body as {spec: {metrics: unknown[]}}).spec.metrics).toHaveLength(1);
});
