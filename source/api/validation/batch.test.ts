import {expect, test} from 'vitest';
import {errorsOf, errorsOfChange, type Draft} from './testing/drafts.ts';

const pod = {containers: [{name: 'app', image: 'nginx:1.27'}], restartPolicy: 'Never'};
const job = (spec: object, status?: object): Draft => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  spec: {template: {spec: pod}, ...spec},
  ...(status ? {status} : {}),
});
const cron = (spec: object): Draft => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  spec: {schedule: '* * * * *', jobTemplate: {spec: {template: {spec: pod}}}, ...spec},
});
const indexed = {completionMode: 'Indexed', completions: 3, parallelism: 2};
const rule = (...rules: readonly object[]): Draft => job({podFailurePolicy: {rules}});
const success = (...rules: readonly object[]): Draft => job({...indexed, successPolicy: {rules}});
const FAILURE = 'spec.podFailurePolicy.rules[0]';
const SUCCESS = 'spec.successPolicy.rules[0]';

test.each<[string[], Draft]>([
  [[], job({...indexed, backoffLimitPerIndex: 1, maxFailedIndexes: 2})],
  [['spec.completions: Required value: when completion mode is Indexed'], job({completionMode: 'Indexed', parallelism: 1})],
  [
    ['spec.maxFailedIndexes: Invalid value: 4: must be less than or equal to completions'],
    job({...indexed, backoffLimitPerIndex: 1, maxFailedIndexes: 4}),
  ],
  [['spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode'], job({backoffLimitPerIndex: 1})],
  [['spec.managedBy: Invalid value: "me": must be a domain-prefixed path (such as "acme.io/foo")'], job({managedBy: 'me'})],
  [
    [`${FAILURE}.action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]`],
    rule({action: '', onExitCodes: {operator: 'In', values: [1]}}),
  ],
  [
    [`${FAILURE}.action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set`],
    rule({action: 'FailIndex', onExitCodes: {operator: 'In', values: [1]}}),
  ],
  [[`${FAILURE}: Invalid value: specifying one of OnExitCodes and OnPodConditions is required`], rule({action: 'Count'})],
  [
    [
      `${FAILURE}.onExitCodes.values[1]: Invalid value: 0: must not be 0 for the In operator`,
      `${FAILURE}.onExitCodes.values: Invalid value: [2,0]: must be ordered`,
    ],
    rule({action: 'Count', onExitCodes: {operator: 'In', values: [2, 0]}}),
  ],
  [
    [
      `${FAILURE}.onExitCodes.containerName: Invalid value: "db": must be one of the container or initContainer names in the pod template`,
    ],
    rule({action: 'Count', onExitCodes: {containerName: 'db', operator: 'NotIn', values: [0]}}),
  ],
  [[`${SUCCESS}: Required value: at least one of succeededCount or succeededIndexes must be specified`], success({})],
  [
    [`${SUCCESS}.succeededIndexes: Invalid value: "0-9": error parsing succeededIndexes: too large index: "9"`],
    success({succeededIndexes: '0-9'}),
  ],
  [
    [
      `${SUCCESS}.succeededIndexes: Invalid value: "2,1": error parsing succeededIndexes: non-increasing order, previous: 2, current: 1`,
    ],
    success({succeededIndexes: '2,1'}),
  ],
  [
    [
      `${SUCCESS}.succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of indexes in the specified succeededIndexes field)`,
    ],
    success({succeededIndexes: '0-1', succeededCount: 3}),
  ],
  [
    ['spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"'],
    cron({jobTemplate: {spec: {template: {spec: pod}, manualSelector: true}}}),
  ],
  [
    [`${FAILURE}.onExitCodes.values: Invalid value: null: at least one value is required`],
    rule({action: 'Count', onExitCodes: {operator: 'In'}}),
  ],
  [
    ['spec.successPolicy.rules: Required value: at least one rules must be specified when the successPolicy is specified'],
    job({...indexed, successPolicy: {}}),
  ],
  [['spec.timeZone: Invalid value: "Mars/Olympus": unknown time zone Mars/Olympus'], cron({timeZone: 'Mars/Olympus'})],
])('%j', (errors, draft) => {
  expect(errorsOf(draft)).toEqual(errors);
});

const ended = (type: string): object => ({type, status: 'True'});
const START = {startTime: '2026-01-01T00:00:00Z'};

test.each<[string[], Draft, Draft]>([
  [
    [
      'status.conditions: Invalid value: cannot set Complete=True and Failed=true conditions',
      'status.completionTime: Required value: completionTime is required for Complete jobs',
      'status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition',
      'status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
    ],
    job({}, START),
    job({}, {...START, conditions: [ended('Complete'), ended('Failed')]}),
  ],
  [['status.ready: Invalid value: 2: cannot set more ready pods than active'], job({}), job({}, {active: 1, ready: 2})],
  [['status.failed: Invalid value: 1: cannot decrease the failed counter'], job({}, {failed: 2}), job({}, {failed: 1})],
  [['status.startTime: Required value: startTime cannot be removed for unsuspended job'], job({}, START), job({}, {})],
])('a change of the status: %j', (errors, before, after) => {
  expect(errorsOfChange('status', after, before)).toEqual(errors);
});
