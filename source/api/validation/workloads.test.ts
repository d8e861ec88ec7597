import {expect, test} from 'vitest';
import {errorsOf, type Draft} from './testing/drafts.ts';

const container = {name: 'app', image: 'nginx:1.27'};
const labels = {app: 'web'};
const set = (kind: string, spec: object, pod: object = {}): Draft => ({
  apiVersion: 'apps/v1',
  kind,
  spec: {selector: {matchLabels: labels}, template: {metadata: {labels}, spec: {containers: [container], ...pod}}, ...spec},
});
const controller = (pod: object): Draft => ({
  apiVersion: 'v1',
  kind: 'ReplicationController',
  spec: {selector: labels, template: {metadata: {labels}, spec: {containers: [container], ...pod}}},
});
const deadline = {activeDeadlineSeconds: 5};
const forbidden = (kind: string): string[] => [
  `spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ${kind} is not Supported`,
];
const odd = {selector: {matchExpressions: [{key: 'app', operator: 'Is', values: ['web']}]}};
const OPERATOR = 'spec.selector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator';
const SHOWN = 'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"Is","values":["web"]}]}';

test.each<[string[], Draft]>([
  [forbidden('ReplicaSet'), set('Deployment', {}, deadline)],
  [forbidden('ReplicaSet'), set('ReplicaSet', {}, deadline)],
  [forbidden('StatefulSet'), set('StatefulSet', {}, deadline)],
  [forbidden('DaemonSet'), set('DaemonSet', {}, deadline)],
  [forbidden('ReplicationController'), controller(deadline)],
  [[OPERATOR, `${SHOWN}: invalid label selector`], set('Deployment', odd, {containers: []})],
  [[OPERATOR, SHOWN], set('StatefulSet', odd, {containers: []})],
  [[OPERATOR], set('DaemonSet', odd)],
  [
    [
      'spec.template.spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
      'spec.template.spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always"',
    ],
    set('Deployment', {}, {restartPolicy: 'Sometimes'}),
  ],
  [
    [
      'spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "120%": must not be greater than 100%',
      'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero',
    ],
    set('DaemonSet', {updateStrategy: {rollingUpdate: {maxUnavailable: '120%', maxSurge: 1}}}),
  ],
])('%j', (errors, draft) => {
  expect(errorsOf(draft)).toEqual(errors);
});
