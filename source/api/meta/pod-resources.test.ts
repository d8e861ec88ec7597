import {expect, test} from 'vitest';
import type {Container, PodSpec} from '../kinds/core-v1.ts';
import {podLimits, podLists, podRequests, qosClass} from './pod-resources.ts';

function aContainer(
  requests?: Record<string, string>,
  limits?: Record<string, string>,
  more: Partial<Container> = {},
): Container {
  return {name: 'c', resources: {...(requests ? {requests} : {}), ...(limits ? {limits} : {})}, ...more};
}

test('containers and sidecars add up, the largest step of the start wins over less, overhead comes on top', () => {
  const spec: PodSpec = {
    containers: [aContainer({cpu: '100m', memory: '64Mi'}), aContainer({cpu: '200m'})],
    initContainers: [
      aContainer({cpu: '50m'}),
      aContainer({cpu: '100m'}, undefined, {restartPolicy: 'Always'}),
      aContainer({cpu: '500m', memory: '1Gi'}),
    ],
    overhead: {cpu: '10m'},
  };
  expect(podRequests(spec)).toEqual({cpu: 610, memory: 1024 ** 3});
  expect(podLimits(spec)).toEqual({});
});

test('the sums of a frozen spec are made once', () => {
  const spec = Object.freeze({containers: [aContainer({cpu: '1'})]});
  expect(podRequests(spec)).toBe(podRequests(spec));
});

test.each<[string, PodSpec]>([
  ['BestEffort', {containers: [aContainer()]}],
  ['Burstable', {containers: [aContainer({cpu: '1'})]}],
  ['Burstable', {containers: [aContainer({cpu: '1', memory: '1Gi'}, {cpu: '1', memory: '1Gi'}), aContainer()]}],
  ['Guaranteed', {containers: [aContainer({cpu: '1', memory: '1Gi'}, {cpu: '1000m', memory: '1Gi'})]}],
  ['Guaranteed', {containers: [aContainer(undefined, {cpu: '1', memory: '1Gi'})]}],
])('the quality of service is %s', (expected, spec) => {
  expect(qosClass(spec)).toBe(expected);
});

test('what a pod asks for as a whole counts, as it does for the scheduler; overhead comes on top', () => {
  const spec: PodSpec = {
    containers: [aContainer({cpu: '200m'}), aContainer({cpu: '300m'})],
    initContainers: [aContainer({cpu: '800m'})],
    resources: {requests: {cpu: '1'}, limits: {cpu: '2', memory: '1Gi'}},
    overhead: {cpu: '100m'},
  };
  expect(podLists(spec)).toEqual({requests: {cpu: '1100m'}, limits: {cpu: '2100m', memory: '1Gi'}});
  expect(podRequests(spec)).toEqual({cpu: 1100});
});

test('what is less than the smallest unit is added up before it is rounded', () => {
  const spec: PodSpec = {containers: [aContainer({cpu: '1500u', memory: '500m'}), aContainer({cpu: '1500u', memory: '500m'})]};
  expect(podRequests(spec)).toEqual({cpu: 3, memory: 1});
});
