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
  [`${HEAD}profiles: [\n`, 'yaml: line 3: did not find expected node content'],
  [
    `${HEAD}podMaxBackoffSeconds: long\n`,
    'json: cannot unmarshal string into Go struct field KubeSchedulerConfiguration.podMaxBackoffSeconds of type int64',
  ],
  [
    `${HEAD}profiles: [{plugins: {score: {disabled: [all]}}}]\n`,
    'json: cannot unmarshal string into Go struct field PluginSet.profiles.plugins.score.disabled of type v1.Plugin',
  ],
  [`${HEAD}profiles: [{plugin: {}}]\n`, 'strict decoding error: unknown field "profiles[0].plugin"'],
  [
    `${HEAD}profiles: [{pluginConfig: [{name: NodeResourcesFit, args: {scoring: {}}}]}]\n`,
    'strict decoding error: decoding .profiles[0].pluginConfig[0]: strict decoding error: decoding args for plugin NodeResourcesFit: strict decoding error: unknown field "scoring"',
  ],
  [
    `${HEAD}profiles: [{pluginConfig: [{name: InterPodAffinity, args: {hardPodAffinityWeight: big}}]}]\n`,
    'decoding .profiles[0].pluginConfig[0]: decoding args for plugin InterPodAffinity: json: cannot unmarshal string into Go struct field InterPodAffinityArgs.hardPodAffinityWeight of type int32',
  ],
  [`${HEAD}parallelism: -1\n`, 'parallelism: Invalid value: -1: should be an integer value greater than zero'],
  [
    `${HEAD}leaderElection: {leaseDuration: 5s}\n`,
    'leaderElection.leaseDuration: Invalid value: 10s: LeaseDuration must be greater than RenewDeadline',
  ],
  [
    `${HEAD}percentageOfNodesToScore: 101\nparallelism: -1\n`,
    '[parallelism: Invalid value: -1: should be an integer value greater than zero, percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]]',
  ],
])('a file that is wrong: %j', (text, why) => {
  const read = readSchedulerFile(text);
  expect('why' in read ? read.why : '').toContain(why);
});
