// What the server makes of a webhook's answer that is none, by what the webhook sent.
import {expect, test} from 'vitest';
import type {Answer} from '../../../../api/wire/http.ts';
import type {Hook} from './hooks.ts';
import {CallFailure, readVerdict} from './verdict.ts';

const review = (more: object, kind = {apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview'}): Answer => ({
  status: 200,
  body: {...kind, response: {uid: 'u', allowed: true, ...more}},
});

test.for<[string, Answer, string]>([
  ['nothing', {status: 200}, 'failed to call webhook: 0-length response with status code: 200 and content type: '],
  [
    'a page',
    {status: 200, body: 'hello'},
    "failed to call webhook: couldn't get version/kind; json parse error: invalid character 'h' looking for beginning of value",
  ],
  ['400', {status: 400, body: 'no'}, 'failed to call webhook: the server rejected our request for an unknown reason'],
  ['403', {status: 403, body: 'who are you'}, 'failed to call webhook: who are you'],
  ['404', {status: 404, body: '404 page not found'}, 'failed to call webhook: the server could not find the requested resource'],
  [
    '418',
    {status: 418},
    'failed to call webhook: the server responded with the status code 418 but did not return more information',
  ],
  ['422', {status: 422}, 'failed to call webhook: the server rejected our request due to an error in our request'],
  [
    '500',
    {status: 500, body: 'oh no'},
    'failed to call webhook: an error on the server ("oh no") has prevented the request from succeeding',
  ],
  ['another uid', review({uid: 'x'}), 'received invalid webhook response: expected response.uid="u", got "x"'],
  [
    'no response',
    {status: 200, body: {apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview'}},
    'received invalid webhook response: webhook response was absent',
  ],
  [
    'no kind',
    review({}, {} as never),
    'received invalid webhook response: expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=',
  ],
  [
    'the old version',
    review({}, {apiVersion: 'admission.k8s.io/v1beta1', kind: 'AdmissionReview'}),
    'failed to call webhook: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion',
  ],
  [
    'a type without a patch',
    review({patchType: 'JSONPatch'}),
    'received invalid webhook response: webhook returned response.patchType but not response.patch',
  ],
  [
    'a type that is empty',
    review({patchType: '', patch: 'W10='}),
    'received invalid webhook response: webhook returned invalid response.patchType of ""',
  ],
])('%s', ([, answer, why]) => {
  const verdict = readVerdict({stage: 'mutating'} as Hook, answer, 'u');
  expect(verdict instanceof CallFailure ? verdict.why : verdict).toBe(why);
});
