import {expect, test} from 'vitest';
import {errorsOf, type Draft} from './testing/drafts.ts';

const container = {name: 'app', image: 'nginx:1.27'};
const pod = (spec: object, metadata: object = {}): Draft => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata,
  spec: {containers: [container], ...spec},
});
const deployment = (spec: object): Draft => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  spec: {
    selector: {matchLabels: {app: 'web'}},
    template: {metadata: {labels: {app: 'web'}}, spec: {containers: [container]}},
    ...spec,
  },
});
const service = (spec: object): Draft => ({apiVersion: 'v1', kind: 'Service', spec: {ports: [{port: 80}], ...spec}});

test.each<[string, Draft]>([
  ['a plain Pod', pod({})],
  ['a Deployment', deployment({replicas: 3})],
  ['a Service', service({selector: {app: 'web'}})],
  ['a headless Service without ports', service({clusterIP: 'None', ports: []})],
  ['a namespace', {apiVersion: 'v1', kind: 'Namespace'}],
  ['a role with a colon', {apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: {name: 'system:node'}}],
])('%s is good', (_, draft) => {
  expect(errorsOf(draft)).toEqual([]);
});

test.each<[string[], Draft]>([
  [['spec.containers: Required value'], pod({containers: []})],
  [['spec.containers[1].name: Duplicate value: "app"'], pod({containers: [container, container]})],
  [
    ['spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1'],
    pod({containers: [{...container, resources: {requests: {cpu: '2'}, limits: {cpu: '1'}}}]}),
  ],
  [
    ['spec.containers[0].volumeMounts[0].name: Not found: "data"'],
    pod({containers: [{...container, volumeMounts: [{name: 'data', mountPath: '/d'}]}]}),
  ],
  [
    ['spec.containers[0].livenessProbe: Required value: must specify a handler type'],
    pod({containers: [{...container, livenessProbe: {}}]}),
  ],
  [
    ['spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared'],
    pod({nodeName: 'n', schedulingGates: [{name: 'wait'}]}),
  ],
  [
    ['spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`'],
    deployment({selector: {matchLabels: {app: 'shop'}}}),
  ],
  [
    ['spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0'],
    deployment({strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 0}}}),
  ],
  [['spec.ports[0].name: Required value', 'spec.ports[1].name: Required value'], service({ports: [{port: 80}, {port: 81}]})],
  [
    ['metadata.namespace: Forbidden: not allowed on this type'],
    {apiVersion: 'v1', kind: 'Namespace', metadata: {namespace: 'x'}},
  ],
  [['metadata.name: Required value: name or generateName is required'], pod({}, {name: ''})],
])('%j', (errors, draft) => {
  expect(errorsOf(draft)).toEqual(errors);
});

test.each<[string[], Draft, Draft]>([
  [[], pod({containers: [{...container, image: 'nginx:1.28'}]}), pod({})],
  [[], pod({tolerations: [{key: 'a', operator: 'Exists'}]}), pod({})],
  [
    ['spec.containers: Forbidden: pod updates may not add or remove containers'],
    pod({containers: [container, {...container, name: 'b'}]}),
    pod({}),
  ],
  [
    ['spec.selector: Invalid value: {"matchLabels":{"app":"web","tier":"front"}}: field is immutable'],
    deployment({
      selector: {matchLabels: {app: 'web', tier: 'front'}},
      template: {metadata: {labels: {app: 'web', tier: 'front'}}, spec: {containers: [container]}},
    }),
    deployment({}),
  ],
  [['metadata.uid: Invalid value: "v": field is immutable'], pod({}, {uid: 'v'}), pod({})],
  [
    [
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"a/b"}',
    ],
    pod({}, {finalizers: ['a/b'], deletionTimestamp: '2026-11-30T04:20:20Z'}),
    pod({}, {deletionTimestamp: '2026-11-30T04:20:20Z'}),
  ],
])('a change gives %j', (errors, draft, before) => {
  expect(errorsOf(draft, before)).toEqual(errors);
});

test('a change of anything else in a Pod is refused with a picture of it', () => {
  const [error = ''] = errorsOf(pod({nodeName: 'node-2'}), pod({nodeName: 'node-1'}));
  expect(error).toContain('spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`');
  expect(error).toMatch(/\n@@ -\d+,7 \+\d+,7 @@\n/);
  expect(error).toMatch(/\n- +"?[nN]odeName"?: "node-1",\n\+ +"?[nN]odeName"?: "node-2",\n/);
});

test.each([
  ['* * * * *', undefined],
  ['*/5 0-6,12 1 jan-mar mon', undefined],
  ['@hourly', undefined],
  ['@every 90m', undefined],
  ['61 * * * *', 'end of range (61) above maximum (59): 61'],
  ['* * *', 'expected exactly 5 fields, found 3: [* * *]'],
  ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
  ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
  ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
  ['@never', 'unrecognized descriptor: @never'],
])('of the schedule %s is said: %s', (schedule, text) => {
  const template = {spec: {template: {spec: {restartPolicy: 'Never', containers: [container]}}}};
  const errors = errorsOf({apiVersion: 'batch/v1', kind: 'CronJob', spec: {schedule, jobTemplate: template}});
  expect(errors).toEqual(text === undefined ? [] : [`spec.schedule: Invalid value: ${JSON.stringify(schedule)}: ${text}`]);
});
