import {expect, test} from 'vitest';
import type {Taint, Toleration} from '../../../api/kinds/core-v1.ts';
import {toleratesTaint} from '../../../api/meta/taints.ts';
import {enduranceMs} from './plan.ts';

const broken: Taint = {key: 'broken', value: 'yes', effect: 'NoExecute'};

const cases: readonly (readonly [what: string, toleration: Toleration, covers: boolean])[] = [
  ['the same key, value and effect', {key: 'broken', operator: 'Equal', value: 'yes', effect: 'NoExecute'}, true],
  ['Equal is what is meant where nothing is said', {key: 'broken', value: 'yes'}, true],
  ['another value', {key: 'broken', value: 'no'}, false],
  ['any value', {key: 'broken', operator: 'Exists'}, true],
  ['another effect', {key: 'broken', operator: 'Exists', effect: 'NoSchedule'}, false],
  ['everything', {operator: 'Exists'}, true],
  ['no key, but Equal', {operator: 'Equal', value: 'yes'}, false],
];
for (const [what, toleration, covers] of cases) {
  test(`does it cover the taint: ${what}`, () => {
    expect(toleratesTaint(toleration, broken)).toBe(covers);
  });
}

test('how long a pod stays is the shortest of what covers its taints', () => {
  const other: Taint = {key: 'other', effect: 'NoExecute'};
  const patient: Toleration = {key: 'broken', operator: 'Exists', tolerationSeconds: 300};
  const hasty: Toleration = {key: 'other', operator: 'Exists', tolerationSeconds: 3};
  expect(enduranceMs([], [])).toBe(Infinity);
  expect(enduranceMs([], [broken])).toBe(0);
  expect(enduranceMs([{operator: 'Exists'}], [broken, other])).toBe(Infinity);
  expect(enduranceMs([patient], [broken])).toBe(300_000);
  expect(enduranceMs([patient], [broken, other])).toBe(0);
  expect(enduranceMs([patient, hasty], [broken, other])).toBe(3000);
});
