import {expect, test} from 'vitest';
import {answerReview, reviewIn, type AdmissionModel} from './admission-model.ts';

const POD = {
  uid: 'u1',
  operation: 'CREATE',
  resource: {resource: 'pods'},
  namespace: 'shop',
  object: {metadata: {generateName: 'web-', labels: {app: 'web'}}},
};

function answer(model: AdmissionModel, review: object = POD) {
  const request = reviewIn({method: 'POST', path: '/', body: {kind: 'AdmissionReview', request: review}});
  if (!request) throw new Error('no review');
  const {answer: given, line} = answerReview(model, request);
  const {response} = given.body as {response: {uid: string; allowed: boolean; status?: object; patch?: string}};
  const patch =
    response.patch === undefined ? undefined : (JSON.parse(Buffer.from(response.patch, 'base64').toString()) as unknown);
  return {...response, patch, line};
}

test('without rules it allows, and says what it saw', () => {
  expect(answer({})).toMatchObject({uid: 'u1', allowed: true, line: 'CREATE pods shop/web-*: allowed'});
});

test.for<[string, AdmissionModel, boolean]>([
  ['a label is missing', {deny: [{withoutLabel: 'team', message: 'name your team'}]}, false],
  ['the label is there', {deny: [{withoutLabel: 'app'}]}, true],
  ['another resource', {deny: [{resources: ['secrets']}]}, true],
  ['another namespace', {deny: [{namespaces: ['default']}]}, true],
  ['another operation', {deny: [{operations: ['DELETE']}]}, true],
  ['all of it fits', {deny: [{resources: ['pods'], namespaces: ['shop'], operations: ['CREATE']}]}, false],
])('a rule that denies: %s', ([, model, allowed]) => {
  expect(answer(model).allowed).toBe(allowed);
});

test('a patch adds what is missing, in a new map where there is none', () => {
  expect(answer({patch: [{labels: {'x/y': '1', app: 'web'}, annotations: {seen: 'yes'}}]}).patch).toEqual([
    {op: 'add', path: '/metadata/labels/x~1y', value: '1'},
    {op: 'add', path: '/metadata/annotations', value: {seen: 'yes'}},
  ]);
});

test('what is no review is none', () => {
  expect(reviewIn({method: 'GET', path: '/'})).toBeUndefined();
});
