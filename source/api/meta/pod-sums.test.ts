import {expect, test} from 'vitest';
import type {Container, PodSpec} from '../kinds/core-v1.ts';
import {podLists} from './pod-sums.ts';
import {podRequests} from './pod.ts';

const aContainer = (cpu: string, more: Partial<Container> = {}): Container => ({
  name: 'c',
  resources: {requests: {cpu}},
  ...more,
});

test('what a pod asks for as a whole counts, as it does for the scheduler; overhead comes on top', () => {
  const spec: PodSpec = {
    containers: [aContainer('200m'), aContainer('300m')],
    initContainers: [aContainer('800m')],
    resources: {requests: {cpu: '1'}, limits: {cpu: '2', memory: '1Gi'}},
    overhead: {cpu: '100m'},
  };
  expect(podLists(spec)).toEqual({requests: {cpu: '1100m'}, limits: {cpu: '2100m', memory: '1Gi'}});
  expect(podRequests(spec)).toEqual({cpu: 1100});
});
