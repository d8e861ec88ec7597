import {expect, test} from 'vitest';
import {readSchedulerFile} from './scheduler-config.ts';

const HEAD = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';

test('what a file says is what the scheduler gets', () => {
  const text = `${HEAD}leaderElection: {leaderElect: false}\nclientConnection: {kubeconfig: /etc/x.conf}\nprofiles:\n- schedulerName: mine\n  plugins: {score: {disabled: [{name: "*"}]}}\n`;
  expect(readSchedulerFile(text)).toMatchObject({
    config: {
      leaderElection: {leaderElect: false},
      clientConnection: {kubeconfig: '/etc/x.conf'},
      profiles: [{schedulerName: 'mine', plugins: {score: {disabled: [{name: '*'}]}}}],
    },
  });
});

test.each([
  ['kind: KubeSchedulerConfiguration\n', "Object 'apiVersion' is missing in"],
  ['apiVersion: v1\n', "Object 'Kind' is missing in"],
  [
    'apiVersion: kubescheduler.config.k8s.io/v1beta3\nkind: KubeSchedulerConfiguration\n',
    'no kind "KubeSchedulerConfiguration" is registered for version "kubescheduler.config.k8s.io/v1beta3"',
  ],
  [`${HEAD}colour: red\n`, 'strict decoding error: unknown field "colour"'],
  [
    `${HEAD}profiles: [{}, {schedulerName: default-scheduler}]\n`,
    'profiles[1].schedulerName: Duplicate value: "default-scheduler"',
  ],
  [
    `${HEAD}podInitialBackoffSeconds: 20\n`,
    'podMaxBackoffSeconds: Invalid value: 10: must be greater than or equal to PodInitialBackoffSeconds',
  ],
  [`${HEAD}profiles: [\n`, "couldn't get version/kind"],
])('a file that is wrong: %j', (text, why) => {
  const read = readSchedulerFile(text);
  expect('why' in read ? read.why : '').toContain(why);
});
