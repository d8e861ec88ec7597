import {expect, test} from 'vitest';
import type {Container, Pod} from '../../../api/kinds/core-v1.ts';
import {runsAgain} from '../../../api/meta/pod.ts';
import {variableIn} from './environment.ts';

const FILE = `# settings
A=1
B = two words
export C='quoted # value'
D="x=y"
A=last
not a line
`;

test.each([
  ['A', 'last'],
  ['B', 'two words'],
  ['C', 'quoted # value'],
  ['D', 'x=y'],
  ['not', undefined],
  ['E', undefined],
])('the value of %s in a file of settings', (key, value) => {
  expect(variableIn(FILE, key)).toBe(value);
});

const rule = (operator: string, ...values: number[]) => ({
  restartPolicyRules: [{action: 'Restart', exitCodes: {operator, values}}],
});

test.each([
  ['Never', {}, 1, false],
  ['OnFailure', {}, 0, false],
  ['OnFailure', {}, 1, true],
  ['Always', {}, 0, true],
  ['Always', {restartPolicy: 'Never'}, 1, false],
  ['Never', {restartPolicy: 'OnFailure'}, 1, true],
  ['Never', {restartPolicy: 'Never', ...rule('In', 42)}, 42, true],
  ['Never', {restartPolicy: 'Never', ...rule('In', 42)}, 1, false],
  ['Always', {restartPolicy: 'Never', ...rule('NotIn', 1, 2)}, 3, true],
])('in a pod of policy %s a container with %j that ended with %i: %s', (restartPolicy, own, code, again) => {
  expect(runsAgain({spec: {restartPolicy}} as Pod, own as Container, code)).toBe(again);
});
