import {expect, test} from 'vitest';
import {matchesRule} from './match.ts';

type Rule = Parameters<typeof matchesRule>[0];

function rule(...resources: readonly string[]): Rule {
  return {apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources};
}

/** `pods/log@shop` as a request to create it there. */
function matches(each: Rule, words: string, operation: 'CREATE' | 'UPDATE' = 'CREATE'): boolean {
  const [path = '', namespace = ''] = words.split('@');
  const [resource = '', subresource = ''] = path.split('/');
  return matchesRule(each, {operation, subresource, namespace}, {resource: {group: '', version: 'v1', resource}});
}

test.for<[string, Rule, string, boolean]>([
  ['a name is the resource', rule('pods'), 'pods@shop', true],
  ['and not its subresources', rule('pods'), 'pods/status@shop', false],
  ['a subresource is named with its resource', rule('pods/status'), 'pods/status@shop', true],
  ['a star is every resource', rule('*'), 'secrets@shop', true],
  ['and no subresource', rule('*'), 'pods/status@shop', false],
  ['pods/* is pods with all subresources', rule('pods/*'), 'pods/exec@shop', true],
  ['and pods themselves', rule('pods/*'), 'pods@shop', true],
  ['*/scale is that subresource of all', rule('*/scale'), 'replicationcontrollers/scale@shop', true],
  ['and nothing else', rule('*/scale'), 'replicationcontrollers@shop', false],
  ['*/* is everything', rule('*/*'), 'pods/binding@shop', true],
  ['Namespaced is in a namespace', {...rule('*'), scope: 'Namespaced'}, 'pods@shop', true],
  ['a node is not', {...rule('*'), scope: 'Namespaced'}, 'nodes', false],
  ['a namespace lies in none, though it has a name', {...rule('*'), scope: 'Namespaced'}, 'namespaces@shop', false],
  ['so it is of the cluster', {...rule('*'), scope: 'Cluster'}, 'namespaces@shop', true],
  ['and a pod is not', {...rule('*'), scope: 'Cluster'}, 'pods@shop', false],
  ['another group', {...rule('*'), apiGroups: ['apps']}, 'pods@shop', false],
  ['another version', {...rule('*'), apiVersions: ['v2']}, 'pods@shop', false],
  ['any group and version', {...rule('*'), apiGroups: ['*'], apiVersions: ['*']}, 'pods@shop', true],
])('%s', ([, each, words, expected]) => {
  expect(matches(each, words)).toBe(expected);
});

test('an operation is named or all are', () => {
  expect(matches(rule('pods'), 'pods@shop', 'UPDATE')).toBe(false);
  expect(matches({...rule('pods'), operations: ['*']}, 'pods@shop', 'UPDATE')).toBe(true);
});
