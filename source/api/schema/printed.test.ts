import {expect, test} from 'vitest';
import {printed} from './printed.ts';

test('what Go prints as null is null in the printed form alone', () => {
  const pod = Object.freeze({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {name: 'a'},
    spec: {containers: [{name: 'c'}]},
    status: {conditions: [{type: 'Ready', status: 'True', lastTransitionTime: '2026-11-30T04:20:20Z'}]},
  });
  expect(printed(pod)).toMatchObject({status: {conditions: [{lastProbeTime: null, lastTransitionTime: '2026-11-30T04:20:20Z'}]}});
  expect(printed(pod)).toBe(printed(pod));
  expect(printed({apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', endpoints: []})).toMatchObject({
    endpoints: null,
    ports: null,
  });
  const configMap = {apiVersion: 'v1', kind: 'ConfigMap', data: {}};
  expect(printed(configMap)).toBe(configMap);
});
