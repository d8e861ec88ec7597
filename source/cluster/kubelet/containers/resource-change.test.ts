// When other resources want a new life of a container.
import {expect, test} from 'vitest';
import {needsRestart, sameResources} from './resource-change.ts';

const policy = (cpu: string, memory: string) => [
  {resourceName: 'cpu', restartPolicy: cpu as 'NotRequired'},
  {resourceName: 'memory', restartPolicy: memory as 'NotRequired'},
];
const now = {limits: {cpu: '400m', memory: '128Mi'}, requests: {cpu: '200m'}};

test.each([
  ['more CPU, live', {limits: {cpu: '600m', memory: '128Mi'}, requests: {cpu: '200m'}}, false],
  ['more memory, by a new life', {limits: {cpu: '400m', memory: '192Mi'}, requests: {cpu: '200m'}}, true],
  ['a limit gone', {limits: {cpu: '400m'}, requests: {cpu: '200m'}}, true],
  ['the same', now, false],
])('%s', (_, resources, wanted) => {
  const container = {name: 'a', resizePolicy: policy('NotRequired', 'RestartContainer'), resources};
  expect(needsRestart(container, now)).toBe(wanted);
});

test('without a policy nothing is started anew', () =>
  expect(needsRestart({name: 'a', resources: {limits: {memory: '1Gi'}}}, now)).toBe(false));

test('none and empty are the same; the order of fields is none', () => {
  expect(sameResources(undefined, {})).toBe(true);
  expect(sameResources({limits: {cpu: '1', memory: '1Gi'}}, {limits: {memory: '1Gi', cpu: '1'}})).toBe(true);
  expect(sameResources({limits: {cpu: '1'}}, {requests: {cpu: '1'}})).toBe(false);
});
