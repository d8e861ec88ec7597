import {expect, test} from 'vitest';
import {errorsOf, type Draft} from './testing/drafts.ts';

const quota = (spec: object): Draft => ({apiVersion: 'v1', kind: 'ResourceQuota', spec});
const range = (...limits: readonly object[]): Draft => ({apiVersion: 'v1', kind: 'LimitRange', spec: {limits}});
const storageClass = (fields: object): Draft => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  provisioner: 'x.io/y',
  ...fields,
});
const flow = (apiVersion: string, kind: string, spec: object): Draft => ({apiVersion, kind, spec});
const hpa = (metric: object): Draft => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  spec: {maxReplicas: 2, scaleTargetRef: {apiVersion: 'apps/v1', kind: 'Deployment', name: 'web'}, metrics: [metric]},
});
const webhook = {name: 'a.b.io', sideEffects: 'None', admissionReviewVersions: ['v1'], clientConfig: {url: 'https://x/y'}};
const webhooks = (...list: readonly object[]): Draft => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  webhooks: list,
});
const rule = (resources: readonly string[]): object => ({
  ...webhook,
  rules: [{operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources}],
});
const SCOPES = 'spec.scopes: Invalid value: ["BestEffort"]';
const FLOW = 'flowcontrol.apiserver.k8s.io/v1';
const LIMITED = {
  nominalConcurrencyShares: 1,
  limitResponse: {type: 'Queue', queuing: {queues: 1024, handSize: 8, queueLengthLimit: 1}},
};

test.each<[string[], Draft]>([
  [[`${SCOPES}: unsupported scope applied to resource`], quota({hard: {cpu: 1, 'count/pods': 1}, scopes: ['BestEffort']})],
  [
    [
      'spec.scopeSelector.matchExpressions: Invalid value: {"MatchExpressions":[{"ScopeName":"PriorityClass","Operator":"In","Values":["high"]}]}: unsupported scope applied to resource',
    ],
    quota({
      hard: {'requests.storage': 1},
      scopeSelector: {matchExpressions: [{scopeName: 'PriorityClass', operator: 'In', values: ['high']}]},
    }),
  ],
  [
    ['spec.limits[0].maxLimitRequestRatio[memory]: Invalid value: "10": ratio 10 is greater than max/min = 4.000000'],
    range({type: 'Container', max: {memory: '2Gi'}, min: {memory: '512Mi'}, maxLimitRequestRatio: {memory: 10}}),
  ],
  [
    [
      'spec.limits[0].defaultRequest[x.io/gpu]: Invalid value: "1": default value 2 must equal to defaultRequest value 1 in x.io/gpu',
    ],
    range({type: 'Container', default: {'x.io/gpu': 2}, defaultRequest: {'x.io/gpu': 1}}),
  ],
  [
    ['spec.limits[0].max[disk]: Invalid value: "disk": must be a standard resource type or fully qualified'],
    range({type: 'PersistentVolumeClaim', max: {storage: 1, disk: 1}}),
  ],
  [
    [
      "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: value of system-node-critical PriorityClass must be 2000001000",
    ],
    {apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: {name: 'system-node-critical'}, value: 1},
  ],
  [
    [
      'provisioner: Invalid value: "x_io/y": prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters',
    ],
    storageClass({provisioner: 'X_io/y'}),
  ],
  [
    ['reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"'],
    storageClass({reclaimPolicy: 'Recycle'}),
  ],
  [
    [
      'allowedTopologies[0].matchLabelExpressions[0].values[1]: Duplicate value: "a"',
      'allowedTopologies[1].matchLabelExpressions: Duplicate value: ""',
    ],
    storageClass({
      allowedTopologies: [
        {matchLabelExpressions: [{key: 'zone', values: ['a', 'a']}]},
        {matchLabelExpressions: [{key: 'zone', values: ['a']}]},
      ],
    }),
  ],
  [
    [
      'overhead.limits[disk]: Invalid value: "disk": must be a standard resource type or fully qualified',
      'overhead.limits[disk]: Invalid value: "disk": must be a standard resource for containers',
    ],
    {apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', handler: 'x', overhead: {podFixed: {disk: 1}}},
  ],
  [
    ['spec.rules[0].nonResourceRules[0].nonResourceURLs[0]: Invalid value: "healthz": must start with slash'],
    flow(FLOW, 'FlowSchema', {
      matchingPrecedence: 9,
      priorityLevelConfiguration: {name: 'a'},
      rules: [
        {
          subjects: [{kind: 'User', user: {name: 'x'}}],
          nonResourceRules: [{verbs: ['get'], nonResourceURLs: ['healthz', '/a/*']}],
        },
      ],
    }),
  ],
  [
    [
      'spec.limited.limitResponse.queuing.handSize: Invalid value: 8: required entropy bits of deckSize 1024 and handSize 8 should not be greater than 60',
    ],
    flow(FLOW, 'PriorityLevelConfiguration', {type: 'Limited', limited: LIMITED}),
  ],
  [
    [
      'spec.metrics[0].object.target.type: Invalid value: "Most": must be either Utilization, Value, or AverageValue',
      'spec.metrics[0].object.target.averageValue: Required value: must set either a target value or averageValue',
      'spec.metrics[0].resource: Required value: must populate information for the given metric source',
    ],
    hpa({
      type: 'Resource',
      object: {describedObject: {apiVersion: 'a/v1', kind: 'K', name: 'n'}, metric: {name: 'm'}, target: {type: 'Most'}},
    }),
  ],
  [['webhooks[1].name: Duplicate value: "a.b.io"'], webhooks(webhook, webhook)],
  [
    ['webhooks[0].admissionReviewVersions[1]: Invalid value: "v1": duplicate version'],
    webhooks({...webhook, admissionReviewVersions: ['v1', 'v1']}),
  ],
  [
    ['webhooks[0].rules[0].resources[1]: Invalid value: "pods/status": if \'pods/*\' is present, must not specify pods/status'],
    webhooks(rule(['pods/*', 'pods/status'])),
  ],
  [[], webhooks(rule(['pods/status', 'pods/*']))],
])('%j', (errors, draft) => {
  expect(errorsOf(draft).map(text => text.replace(/, '-' or '\.'.*$/, ''))).toEqual(errors);
});
