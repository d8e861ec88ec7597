import {expect, test} from 'vitest';
import type {Job} from '../../../api/kinds/batch-v1.ts';
import type {Pod} from '../../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {aCluster, events, settle} from '../testing/cluster.ts';
import type {FakeApi} from '../../../client/testing/fake-api.ts';
import {formatIndexes, parseIndexes} from './indexes.ts';

function aJob(spec: object = {}, podSpec: object = {}): unknown {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {name: 'work', namespace: 'default'},
    spec: {
      completions: 1,
      parallelism: 1,
      backoffLimit: 6,
      suspend: false,
      podReplacementPolicy: 'TerminatingOrFailed',
      selector: {matchLabels: {'job-name': 'work'}},
      template: {
        metadata: {labels: {'job-name': 'work'}},
        spec: {restartPolicy: 'Never', containers: [{name: 'main', image: 'busybox'}], ...podSpec},
      },
      ...spec,
    },
  };
}

const status = (api: FakeApi) => api.get<Job>('jobs', 'default/work')?.status;
const conditions = (api: FakeApi) =>
  (status(api)?.conditions ?? []).map(each => `${each.type}=${each.status} ${each.reason} ${each.message}`);
const running = (api: FakeApi) =>
  api.all<Pod>('pods').filter(pod => pod.status?.phase === 'Pending' || pod.status?.phase === 'Running');

/** Ends pods as kubelets would. */
function end(api: FakeApi, phase: 'Succeeded' | 'Failed', more: object = {}, chosen: readonly Pod[] = running(api)): void {
  for (const pod of chosen) {
    const key = `default/${pod.metadata.name}`;
    const exit = {exitCode: phase === 'Failed' ? 3 : 0, finishedAt: api.daemon.now(), ...more};
    const containerStatuses = [{name: 'main', restartCount: 0, state: {terminated: exit}}];
    api.patch(
      'pods',
      key,
      object => ({...object, status: {...(object.status as object), phase, containerStatuses}}) as AnyObject,
    );
  }
}

test('sets of indexes are written as ranges', () => {
  for (const [text, indexes] of [
    ['', []],
    ['0', [0]],
    ['0,1', [0, 1]],
    ['0-2,5', [0, 1, 2, 5]],
    ['1,3-5', [1, 3, 4, 5]],
  ] as const) {
    expect(formatIndexes(indexes)).toBe(text);
    expect([...parseIndexes(text)]).toEqual(indexes);
  }
});

test('a Job whose pod succeeds is complete', () => {
  const api = aCluster();
  api.create(aJob());
  api.run(500);
  expect(status(api)).toMatchObject({active: 1, ready: 0, terminating: 0, uncountedTerminatedPods: {}});
  expect(api.all<Pod>('pods')[0]?.metadata.finalizers).toEqual(['batch.kubernetes.io/job-tracking']);
  end(api, 'Succeeded');
  api.run(2000);
  expect(status(api)).toMatchObject({succeeded: 1, ready: 0, terminating: 0, uncountedTerminatedPods: {}});
  expect(status(api)?.completionTime).toBeDefined();
  expect(conditions(api)).toEqual([
    'SuccessCriteriaMet=True CompletionsReached Reached expected number of succeeded pods',
    'Complete=True CompletionsReached Reached expected number of succeeded pods',
  ]);
  expect(api.all<Pod>('pods')[0]?.metadata.finalizers).toEqual([]);
  expect(events(api, 'Job').at(-1)).toBe('Completed Job completed');
});

test('after a failure the next pod waits ten seconds; past the limit the Job fails', () => {
  const api = aCluster();
  api.create(aJob({backoffLimit: 1}));
  api.run(500);
  end(api, 'Failed');
  api.run(5000);
  expect(status(api)).toMatchObject({failed: 1});
  expect(running(api)).toHaveLength(0);
  api.run(6000);
  expect(running(api)).toHaveLength(1);
  end(api, 'Failed');
  api.run(3000);
  expect(conditions(api)).toEqual([
    'FailureTarget=True BackoffLimitExceeded Job has reached the specified backoff limit',
    'Failed=True BackoffLimitExceeded Job has reached the specified backoff limit',
  ]);
  expect(status(api)).toMatchObject({failed: 2, uncountedTerminatedPods: {}});
  expect(events(api, 'Job').at(-1)).toBe('BackoffLimitExceeded Job has reached the specified backoff limit');
});

test('indexed pods come by their index and are done one by one', () => {
  const api = aCluster();
  api.create(aJob({completions: 3, completionMode: 'Indexed'}));
  for (let i = 0; i < 3; i++) {
    api.run(1500);
    end(api, 'Succeeded');
  }
  api.run(2500);
  const pods = api
    .all<Pod>('pods')
    .map(
      pod =>
        `${pod.metadata.generateName} ${pod.spec.hostname} ${pod.metadata.labels?.['batch.kubernetes.io/job-completion-index']}`,
    );
  expect(pods.toSorted()).toEqual(['work-0- work-0 0', 'work-1- work-1 1', 'work-2- work-2 2']);
  expect(api.all<Pod>('pods')[0]?.spec.containers[0]?.env?.[0]?.name).toBe('JOB_COMPLETION_INDEX');
  expect(status(api)).toMatchObject({succeeded: 3, completedIndexes: '0-2'});
  expect(conditions(api)).toHaveLength(2);
});

test('a policy can ignore a failure, or fail the Job by it', () => {
  const api = aCluster();
  const rules = [
    {action: 'Ignore', onPodConditions: [{type: 'DisruptionTarget', status: 'True'}]},
    {action: 'FailJob', onExitCodes: {containerName: 'main', operator: 'In', values: [42]}},
  ];
  api.create(aJob({podFailurePolicy: {rules}}));
  api.run(500);
  const [first] = running(api);
  api.patch('pods', `default/${first?.metadata.name}`, object => ({
    ...object,
    status: {phase: 'Failed', conditions: [{type: 'DisruptionTarget', status: 'True'}]},
  }));
  api.run(12_000);
  expect(status(api)).toMatchObject({active: 1});
  expect(status(api)).not.toHaveProperty('failed');
  const [second] = running(api);
  end(api, 'Failed', {exitCode: 42});
  api.run(3000);
  expect(conditions(api)[1]).toBe(
    `Failed=True PodFailurePolicy Container main for pod default/${second?.metadata.name} failed with exit code 42 matching FailJob rule at index 1`,
  );
});

test('an index can fail by itself', () => {
  const api = aCluster();
  api.create(
    aJob({completions: 2, parallelism: 2, completionMode: 'Indexed', backoffLimitPerIndex: 0, backoffLimit: 2_147_483_647}),
  );
  api.run(500);
  const [zero, one] = running(api).toSorted((a, b) => ((a.spec.hostname ?? '') < (b.spec.hostname ?? '') ? -1 : 1));
  end(api, 'Failed', {}, one ? [one] : []);
  api.run(2000);
  expect(status(api)).toMatchObject({failed: 1, failedIndexes: '1', active: 1});
  end(api, 'Succeeded', {}, zero ? [zero] : []);
  api.run(3000);
  expect(conditions(api)).toEqual([
    'FailureTarget=True FailedIndexes Job has failed indexes',
    'Failed=True FailedIndexes Job has failed indexes',
  ]);
  expect(status(api)).toMatchObject({completedIndexes: '0', succeeded: 1, failed: 1});
});

test('a Job is suspended, resumed, runs into its deadline and goes after its time', () => {
  const api = aCluster();
  api.create(aJob({suspend: true, activeDeadlineSeconds: 5, ttlSecondsAfterFinished: 8}));
  api.run(500);
  expect(conditions(api)).toEqual(['Suspended=True JobSuspended Job suspended']);
  expect(status(api)).not.toHaveProperty('startTime');
  api.patch('jobs', 'default/work', object => ({...object, spec: {...(object.spec as object), suspend: false}}));
  settle(api, 2000);
  expect(conditions(api)).toEqual(['Suspended=False JobResumed Job resumed']);
  settle(api, 6000);
  expect(conditions(api)).toEqual([
    'Suspended=False JobResumed Job resumed',
    'FailureTarget=True DeadlineExceeded Job was active longer than specified deadline',
    'Failed=True DeadlineExceeded Job was active longer than specified deadline',
  ]);
  expect(api.all('pods')).toEqual([]);
  expect(events(api, 'Job').map(text => text.replace(/: work-\w+/, ''))).toEqual([
    'Suspended Job suspended',
    'SuccessfulCreate Created pod',
    'Resumed Job resumed',
    'SuccessfulDelete Deleted pod',
    'DeadlineExceeded Job was active longer than specified deadline',
  ]);
  settle(api, 10_000);
  expect(api.get('jobs', 'default/work')).toBeUndefined();
});

test('pods of a Job that is gone are let go', () => {
  const api = aCluster();
  api.create(aJob());
  settle(api);
  api.remove('jobs', 'default/work');
  settle(api, 4000);
  expect([...api.all('jobs'), ...api.all('pods')]).toEqual([]);
});

test('restarts in place count against the limit', () => {
  const api = aCluster();
  api.create(aJob({backoffLimit: 2}, {}));
  api.patch('jobs', 'default/work', object => {
    const {spec} = object as unknown as Job;
    const template = {...spec.template, spec: {...spec.template.spec, restartPolicy: 'OnFailure'}};
    return {...object, spec: {...spec, template}} as AnyObject;
  });
  api.run(500);
  const restarted = (restartCount: number): void => {
    const [pod] = running(api);
    api.patch(
      'pods',
      `default/${pod?.metadata.name}`,
      object => ({...object, status: {phase: 'Running', containerStatuses: [{name: 'main', restartCount}]}}) as AnyObject,
    );
    api.run(3000);
  };
  restarted(0);
  restarted(1);
  expect(conditions(api)).toEqual([]);
  restarted(2);
  expect(conditions(api)[0]).toBe('FailureTarget=True BackoffLimitExceeded Job has reached the specified backoff limit');
});

test('what a Job takes away of its own accord counts as no failure: suspended, or asked for fewer at once', () => {
  const api = aCluster();
  api.create(aJob({completions: 4, parallelism: 3, backoffLimit: 0}));
  api.run(500);
  const change = (spec: object) =>
    api.patch('jobs', 'default/work', job => ({...job, spec: {...(job.spec as object), ...spec}}) as AnyObject);
  change({parallelism: 1});
  api.run(3000);
  expect(running(api)).toHaveLength(1);
  const {startTime} = status(api) ?? {};
  change({suspend: true});
  api.run(3000);
  expect(running(api)).toHaveLength(0);
  expect(status(api)?.failed).toBeUndefined();
  expect(status(api)).toMatchObject({ready: 0, startTime});
  expect(conditions(api)).toEqual(['Suspended=True JobSuspended Job suspended']);
  change({suspend: false, parallelism: 2});
  api.run(1500);
  expect(running(api)).toHaveLength(2);
  expect(conditions(api)).toEqual(['Suspended=False JobResumed Job resumed']);
});

test('an Indexed Job that shrinks takes away the pods of the indexes that it no longer has', () => {
  const api = aCluster();
  api.create(aJob({completions: 4, parallelism: 4, completionMode: 'Indexed'}));
  api.run(500);
  api.patch(
    'jobs',
    'default/work',
    job => ({...job, spec: {...(job.spec as object), completions: 2, parallelism: 2}}) as AnyObject,
  );
  api.run(3000);
  const left = running(api).filter(pod => pod.metadata.deletionTimestamp === undefined);
  expect(left.map(pod => pod.metadata.labels?.['batch.kubernetes.io/job-completion-index'])).toEqual(['0', '1']);
});

test('pods that are left when a Job ends count as failed where it fails, and not at all where it has what it wanted', () => {
  const failing = aCluster();
  failing.create(aJob({completions: 3, parallelism: 3, backoffLimit: 0}));
  failing.run(500);
  end(failing, 'Failed', {}, running(failing).slice(0, 1));
  failing.run(1100);
  expect(status(failing)).toMatchObject({failed: 3});
  expect(failing.all<Pod>('pods').flatMap(pod => pod.metadata.finalizers ?? [])).toEqual([]);

  const content = aCluster();
  const successPolicy = {rules: [{succeededCount: 1}]};
  content.create(aJob({completions: 3, parallelism: 3, completionMode: 'Indexed', successPolicy}));
  content.run(500);
  end(content, 'Succeeded', {}, running(content).slice(0, 1));
  content.run(3000);
  expect(status(content)).toMatchObject({succeeded: 1, completedIndexes: '0'});
  expect(status(content)?.failed).toBeUndefined();
});

const indexes = (api: FakeApi) => running(api).map(pod => pod.metadata.labels?.['batch.kubernetes.io/job-completion-index']);

test('an index that waits after a failure keeps its turn: none behind it comes in its place', () => {
  const api = aCluster();
  const spec = {completions: 6, parallelism: 2, completionMode: 'Indexed', backoffLimitPerIndex: 3, backoffLimit: 2_147_483_647};
  api.create(aJob(spec));
  api.run(500);
  end(
    api,
    'Failed',
    {},
    running(api).filter(pod => pod.spec.hostname === 'work-0'),
  );
  api.run(5000);
  expect(indexes(api)).toEqual(['1']);
  api.run(8000);
  expect(new Set(indexes(api))).toEqual(new Set(['0', '1']));
});

test('where a Job waits for the real end of its pods, an index that still goes is not made again', () => {
  const api = aCluster();
  api.create(aJob({completions: 4, parallelism: 2, completionMode: 'Indexed', podReplacementPolicy: 'Failed'}));
  settle(api, 2000);
  const [zero] = running(api).filter(pod => pod.spec.hostname === 'work-0');
  api.remove('pods', `default/${zero?.metadata.name}`);
  api.run(500);
  api.patch('jobs', 'default/work', job => ({...job, spec: {...(job.spec as object), parallelism: 3}}) as AnyObject);
  api.run(3000);
  expect(new Set(indexes(api))).toEqual(new Set(['0', '1', '2']));
  expect(api.get<Pod>('pods', `default/${zero?.metadata.name}`)?.metadata.deletionTimestamp).toBeDefined();
});

test('more successes than were wanted are told of', () => {
  const api = aCluster();
  api.create(aJob({completions: 2, parallelism: 2}));
  api.run(500);
  api.patch('jobs', 'default/work', job => ({...job, spec: {...(job.spec as object), completions: 1}}) as AnyObject);
  end(api, 'Succeeded');
  api.run(3000);
  expect(events(api, 'Job').slice(-2)).toEqual([
    'TooManySucceededPods Too many succeeded pods running after completion count reached',
    'Completed Job completed',
  ]);
});
