import {expect, test} from 'vitest';
import type {CronJob, Job} from '../../../api/kinds/batch-v1.ts';
import {timeZone} from '../../../api/meta/time-zone.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {aCluster, events} from '../testing/cluster.ts';
import type {FakeApi} from '../../../client/testing/fake-api.ts';
import {latestTime, nextTime, parseSchedule} from './schedule.ts';

const at = (text: string): number => Date.parse(text);
const shown = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 16);

const times: readonly {readonly schedule: string; readonly after: string; readonly next: string}[] = [
  {schedule: '* * * * *', after: '2026-11-30T04:44:51Z', next: '2026-11-30T04:45'},
  {schedule: '*/15 * * * *', after: '2026-11-30T04:45:00Z', next: '2026-11-30T05:00'},
  {schedule: '30 3 * * *', after: '2026-11-30T04:00:00Z', next: '2026-12-01T03:30'},
  {schedule: '0 0 1 jan *', after: '2026-11-30T04:00:00Z', next: '2027-01-01T00:00'},
  {schedule: '0 12 * * mon-fri', after: '2026-11-27T13:00:00Z', next: '2026-11-30T12:00'},
  {schedule: '0 0 13 * 5', after: '2026-11-30T04:00:00Z', next: '2026-12-04T00:00'},
  {schedule: '5,50-52/2 8 * * ?', after: '2026-11-30T08:05:00Z', next: '2026-11-30T08:50'},
  {schedule: '0 0 29 2 *', after: '2026-11-30T04:00:00Z', next: '2028-02-29T00:00'},
  {schedule: '@daily', after: '2026-11-30T04:00:00Z', next: '2026-12-01T00:00'},
  {schedule: '@every 1h30m', after: '2026-11-30T04:00:00Z', next: '2026-11-30T05:30'},
];

for (const {schedule, after, next} of times) {
  test(`"${schedule}" after ${after}`, () => {
    const parsed = parseSchedule(schedule);
    expect(parsed && shown(nextTime(parsed, at(after)))).toBe(next);
  });
}

test('what is no schedule', () => {
  for (const text of [
    '',
    '* * * *',
    '60 * * * *',
    '* * 0 * *',
    '* * * * 7',
    '1-0 * * * *',
    '*/0 * * * *',
    'a * * * *',
    '@often',
    '@every soon',
  ]) {
    expect(parseSchedule(text), text).toBeUndefined();
  }
});

test('missed times are counted by the distance of the first two, and the last one is found', () => {
  const every = parseSchedule('* * * * *');
  if (!every) throw new Error('no schedule');
  const start = at('2026-11-30T04:00:00Z');
  expect(latestTime(every, start, start + 59_000)).toEqual({time: undefined, missed: 0});
  expect(latestTime(every, start, start + 119_000)).toEqual({time: start + 60_000, missed: 0});
  expect(latestTime(every, start, start + 180_000)).toEqual({time: start + 180_000, missed: 3});
  expect(latestTime(every, start, start + 86_400_000)).toEqual({time: start + 86_400_000, missed: 1440});
  const inOffice = parseSchedule('30 6-16/4 * * 1-5');
  const friday = at('2026-11-27T17:00:00Z');
  expect(inOffice && latestTime(inOffice, at('2026-11-27T10:00:00Z'), friday)).toEqual({
    time: at('2026-11-27T14:30:00Z'),
    missed: 2,
  });
});

function aCron(spec: object = {}): unknown {
  const template = {spec: {restartPolicy: 'Never', containers: [{name: 'main', image: 'busybox'}]}};
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: {name: 'report', namespace: 'default'},
    spec: {
      schedule: '* * * * *',
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
      jobTemplate: {metadata: {labels: {team: 'mail'}}, spec: {template}},
      ...spec,
    },
  };
}

function complete(api: FakeApi): void {
  for (const job of api.all<Job>('jobs')) {
    const key = `default/${job.metadata.name}`;
    const completionTime = api.daemon.now();
    const conditions = [{type: 'Complete', status: 'True', lastTransitionTime: completionTime}];
    if (!job.status?.completionTime)
      api.patch(
        'jobs',
        key,
        object => ({...object, status: {completionTime, startTime: completionTime, conditions}}) as AnyObject,
      );
  }
}

const options = {controllers: ['*', '-job-controller']};

test('a CronJob makes a Job at the full minute, and keeps book of it', () => {
  const api = aCluster(['node-1'], options);
  api.create(aCron());
  api.run(58_000);
  const [job] = api.all<Job>('jobs');
  const minute = at('2026-11-30T04:01:00Z') / 60_000;
  expect(job?.metadata).toMatchObject({
    name: `report-${minute}`,
    labels: {team: 'mail'},
    annotations: {'batch.kubernetes.io/cronjob-scheduled-timestamp': '2026-11-30T04:01:00Z'},
    ownerReferences: [{kind: 'CronJob', name: 'report', controller: true, blockOwnerDeletion: true}],
  });
  const status = () => api.get<CronJob>('cronjobs', 'default/report')?.status;
  expect(status()).toMatchObject({active: [{name: `report-${minute}`}], lastScheduleTime: '2026-11-30T04:01:00Z'});
  complete(api);
  api.run(1000);
  expect(status()?.active).toBeUndefined();
  expect(status()?.lastSuccessfulTime).toBeDefined();
  expect(events(api, 'CronJob')).toEqual([
    `SuccessfulCreate Created job report-${minute}`,
    `SawCompletedJob Saw completed job: report-${minute}, condition: Complete`,
  ]);
});

test('history is kept short; a suspended CronJob does nothing', () => {
  const api = aCluster(['node-1'], options);
  api.create(aCron({successfulJobsHistoryLimit: 1}));
  for (let minute = 0; minute < 3; minute++) {
    api.run(60_000);
    complete(api);
  }
  api.run(1000);
  expect(api.all('jobs')).toHaveLength(1);
  api.patch('cronjobs', 'default/report', object => ({...object, spec: {...(object.spec as object), suspend: true}}));
  const before = api.all('jobs')[0]?.metadata.name;
  api.run(180_000);
  expect(api.all('jobs').map(job => job.metadata.name)).toEqual([before]);
});

test('a schedule that never comes is said to be none, and is not looked at again and again', () => {
  for (const schedule of ['59 23 31 2 *', '0 0 30 feb *', '0 0 31 4,6 *']) {
    const api = aCluster(['node-1'], options);
    api.create(aCron({schedule}));
    api.run(300_000);
    expect(events(api, 'CronJob')).toEqual([
      `InvalidSchedule invalid schedule: ${schedule} : time difference between two schedules is less than 1 second`,
    ]);
    expect(api.all('jobs')).toHaveLength(0);
  }
});

test.each([
  ['America/New_York', '0 9 * * *', '2026-11-30T13:00:00Z', ['2026-11-30T14:00', '2026-12-01T14:00']],
  ['Europe/Berlin', '30 2 * * *', '2026-03-28T00:00:00Z', ['2026-03-28T01:30', '2026-03-30T00:30']],
  ['Europe/Berlin', '0 3 * * *', '2026-03-28T03:00:00Z', ['2026-03-29T01:00', '2026-03-30T01:00']],
  ['Europe/Berlin', '30 2 * * *', '2026-10-24T12:00:00Z', ['2026-10-25T00:30', '2026-10-25T01:30', '2026-10-26T01:30']],
  ['Asia/Kolkata', '15 0 1 * *', '2026-11-30T09:00:00Z', ['2026-11-30T18:45', '2026-12-31T18:45']],
])('in %s "%s" comes when the clocks there show it', (zone, text, after, wanted) => {
  const schedule = parseSchedule(text, timeZone(zone));
  const found: (string | undefined)[] = [];
  let from = at(after);
  for (const _ of wanted) {
    const next = (schedule && nextTime(schedule, from)) ?? from;
    found.push(shown(next));
    from = next;
  }
  expect(found).toEqual(wanted);
});

test('a CronJob in a time zone runs by its clocks, and its Job says for when', () => {
  const api = aCluster(['node-1'], options);
  const inZone = new Date(api.daemon.wall() + 5 * 3_600_000 + 1_800_000 + 120_000);
  api.create(aCron({schedule: `${inZone.getUTCMinutes()} ${inZone.getUTCHours()} * * *`, timeZone: 'Asia/Kolkata'}));
  api.run(180_000);
  const [job] = api.all<Job>('jobs');
  expect(job?.metadata.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp']).toMatch(/\+05:30$/);
});

test('what happens while the last Job still runs', () => {
  for (const [concurrencyPolicy, count] of [
    ['Allow', 3],
    ['Forbid', 1],
    ['Replace', 1],
  ] as const) {
    const api = aCluster(['node-1'], options);
    api.create(aCron({concurrencyPolicy}));
    api.run(178_000);
    expect(api.all('jobs'), concurrencyPolicy).toHaveLength(count);
    const told = events(api, 'CronJob').join('\n');
    expect(told.includes('JobAlreadyActive'), concurrencyPolicy).toBe(concurrencyPolicy === 'Forbid');
  }
});

const cronNow = (api: FakeApi, spec: object) =>
  api.patch('cronjobs', 'default/report', object => ({...object, spec: {...(object.spec as object), ...spec}}));
const scheduled = (api: FakeApi) =>
  api.all<Job>('jobs').map(job => job.metadata.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp']?.slice(11, 16));

test('a new schedule counts from its next time on; what it would have missed is not made up for', () => {
  const api = aCluster(['node-1'], options);
  api.create(aCron({schedule: '0 0 1 1 *'}));
  api.run(200_000);
  const minute = new Date(api.daemon.wall()).getUTCMinutes();
  cronNow(api, {schedule: '* * * * *'});
  api.run(5000);
  expect(scheduled(api)).toEqual([]);
  api.run(60_000);
  expect(scheduled(api)).toEqual([`04:0${minute + 1}`]);
});

test('a CronJob that slept makes the last Job that it missed, and says when it missed more than a hundred', () => {
  const api = aCluster(['node-1'], options);
  api.create(aCron({suspend: true}));
  api.run(101 * 60_000);
  cronNow(api, {suspend: false});
  api.run(2000);
  expect(api.all('jobs')).toHaveLength(1);
  expect(events(api, 'CronJob')[0]).toBe(
    'TooManyMissedTimes too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
  );
});

test('a Job that was made but not written down is written down; one of somebody else ends the matter', () => {
  for (const isOurs of [true, false]) {
    const api = aCluster(['node-1'], options);
    const cron = api.create(aCron()) as unknown as CronJob;
    const name = `report-${at('2026-11-30T04:01:00Z') / 60_000}`;
    const reference = {apiVersion: 'batch/v1', kind: 'CronJob', name: 'report', uid: cron.metadata.uid, controller: true};
    const owned = isOurs ? {ownerReferences: [reference]} : {};
    const template = {spec: {containers: []}};
    api.create({apiVersion: 'batch/v1', kind: 'Job', metadata: {name, namespace: 'default', ...owned}, spec: {template}});
    api.run(180_000);
    const status = api.get<CronJob>('cronjobs', 'default/report')?.status;
    expect(status?.active?.map(each => each.name) ?? []).toHaveLength(isOurs ? 3 : 0);
    expect(api.all('jobs')).toHaveLength(isOurs ? 3 : 1);
  }
});

test('a Job that its history does not keep goes without being seen as complete', () => {
  const api = aCluster(['node-1'], options);
  api.create(aCron({successfulJobsHistoryLimit: 0}));
  api.run(58_000);
  complete(api);
  api.run(1000);
  expect(api.all('jobs')).toHaveLength(0);
  expect(events(api, 'CronJob').map(text => text.split(' ')[0])).toEqual(['SuccessfulCreate', 'SuccessfulDelete']);
});
